import { recordResponse } from '../core/response/recordResponse';
import { collectionField } from '../core/fields/collection';
import { showWhen } from '../core/fields/field';
import { fileField, choiceField, textField, textListField, toggleField } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';
import { resourcePicker } from '../domain/pickers/resourcePickers';
import { InvalidInputError } from '../core/http/errors';

const samlSettingFields = {
	name: textField({
		displayName: 'Name',
		description: 'A name for the new SAML setting, such as Entra ID',
		placeholder: 'e.g. Entra ID',
		required: true,
		max: 64,
	}),
	idpEntityId: textField({
		displayName: 'Identity Provider Entity ID',
		description: "The value of 'entityID' in the identity provider's metadata XML",
		placeholder: 'e.g. https://idp.example.com/metadata',
		required: true,
	}),
	ssoTargetUrl: textField({
		displayName: 'Identity Provider Sign-in URL',
		description: 'The URL of the page where users sign in at the identity provider',
		placeholder: 'e.g. https://idp.example.com/sso',
		required: true,
	}),
	domains: textListField({
		displayName: 'Domains',
		description: 'The email domains of the users who sign in with single sign-on, separated by commas',
		placeholder: 'e.g. example.com, example.org',
		required: true,
	}),
	metadataFrom: choiceField({
		displayName: 'Metadata',
		description: "How to provide the identity provider's metadata XML",
		default: 'file',
		options: [
			{ name: 'Input File', value: 'file', description: 'A metadata file in the input item' },
			{ name: 'XML Text', value: 'text', description: "XML that you paste in 'Metadata XML'" },
		],
	}),
	metadataFile: showWhen(
		{ metadataFrom: ['file'] },
		fileField({
			displayName: 'Input Data Field Name',
			hint: 'The name of the field in the input item that contains the metadata file',
			default: 'data',
			required: true,
		}),
	),
	metadataXml: showWhen(
		{ metadataFrom: ['text'] },
		textField({
			displayName: 'Metadata XML',
			description: "The complete text of the identity provider's metadata file",
			placeholder: 'e.g. <EntityDescriptor ...>',
			rows: 6,
			required: true,
		}),
	),
	status: choiceField({
		displayName: 'Status',
		description: 'Select Active to use the setting immediately, or Inactive to only save it',
		default: '1',
		options: [
			{ name: 'Active', value: '1' },
			{ name: 'Inactive', value: '0' },
		],
	}),
	additionalFields: collectionField({
		displayName: 'Additional Fields',
		fields: {
			defaultRole: resourcePicker('roles', {
				displayName: 'Default Role',
				description: "The role that new users get, such as Company Admin, if 'Use Default Role' is on",
				required: false,
			}),
			entityId: textField({
				displayName: 'Service Provider Entity ID',
				description: "The platform's entity ID. Copy the value of entityID from 'Get default SAML setting'.",
			}),
			fingerprint: textField({
				displayName: 'Certificate Fingerprint',
				description: "The fingerprint of the identity provider's signing certificate",
			}),
			fingerprintType: choiceField({
				displayName: 'Certificate Fingerprint Type',
				description: 'The algorithm with which the certificate fingerprint was made',
				default: '2',
				options: [
					{ name: 'SHA1', value: '1' },
					{ name: 'SHA256', value: '2' },
				],
			}),
			isDefaultRole: toggleField({
				displayName: 'Use Default Role',
				description: "Whether to give new users the role in 'Default Role'",
				default: true,
			}),
			isWhiteLabelingAssertion: toggleField({
				displayName: 'White-Label Assertion',
				description: "Whether to use the platform's white-label address (with your own brand) for single sign-on",
				default: true,
			}),
		},
	}),
};

/** Detects the encoding of an XML document by its byte order mark. Without one, returns 'utf-8'. */
function detectEncoding(content: Buffer): string {
	if (content[0] === 0xff) return 'utf-16le';
	if (content[0] === 0xfe) return 'utf-16be';
	return 'utf-8';
}

/**
 * Returns true if the content is a SAML metadata document, which always has an EntityDescriptor. A sign-in page that was saved by mistake,
 * for example, has none.
 */
function isSamlMetadata(content: Buffer): boolean {
	const text = new TextDecoder(detectEncoding(content)).decode(content).trim();
	return text.startsWith('<') && /<([\w.-]+:)?Entit(y|ies)Descriptor[\s/>]/.test(text);
}

export const createSamlSettingOperation = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create SAML setting',
	description: 'Set up single sign-on with an identity provider such as Microsoft Entra ID or Okta',
	endpoint: 'POST /api/companies/saml-settings',
	scope: 'company',
	fields: samlSettingFields,
	request: (values) => {
		const { additionalFields, metadataFrom, metadataFile, metadataXml, domains } = values;
		const isXmlPasted = metadataFrom === 'text';
		const pastedFile = {
			fileName: 'metadata.xml',
			mimeType: 'application/xml',
			content: Buffer.from(metadataXml ?? ''),
		};
		const file = isXmlPasted ? pastedFile : metadataFile;
		if (!file || (file.content && !isSamlMetadata(file.content)))
			throw new InvalidInputError(
				'is not the metadata XML of an identity provider',
				[isXmlPasted ? 'metadataXml' : 'metadataFile'],
				"Use the complete metadata document, which contains an EntityDescriptor. You can download it from the identity provider's settings.",
			);
		return {
			multipart: {
				Name: values.name,
				IdPSSOTargetUrl: values.ssoTargetUrl,
				IdPEntityID: values.idpEntityId,
				IdPCertFingerprint: additionalFields.fingerprint,
				IdPCertFingerprintTypeId: additionalFields.fingerprintType,
				EntityID: additionalFields.entityId,
				StatusId: values.status,
				Domain: domains,
				File: file,
				IsDefaultRole: additionalFields.isDefaultRole,
				DefaultRoleResourceId: additionalFields.defaultRole?.id,
				IsWhiteLabelingAssertion: additionalFields.isWhiteLabelingAssertion,
			},
		};
	},
	response: recordResponse({ valueField: 'resourceId' }),
});

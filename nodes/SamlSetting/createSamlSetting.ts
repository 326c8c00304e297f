import { recordResponse } from '../core/response/recordResponse';
import { collectionField } from '../core/fields/collection';
import { showWhen } from '../core/fields/field';
import { fileField, choiceField, textField, textListField, toggleField } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';
import { resourcePicker } from '../domain/pickers/resourcePickers';
import { InvalidInputError } from '../core/http/errors';

const samlSettingFields = {
	name: textField({ displayName: 'Name', description: 'The name of the setting', required: true, max: 64 }),
	idpEntityId: textField({
		displayName: 'Identity Provider Entity ID',
		description: "The identity provider's own name, from its metadata",
		placeholder: 'e.g. https://idp.example.com/metadata',
		required: true,
	}),
	ssoTargetUrl: textField({
		displayName: 'Identity Provider Sign-in URL',
		description: 'The address where people sign in',
		placeholder: 'e.g. https://idp.example.com/sso',
		required: true,
	}),
	domains: textListField({
		displayName: 'Domains',
		description: 'The e-mail domains whose users sign in this way, separated by commas',
		placeholder: 'e.g. example.com, example.org',
		required: true,
	}),
	metadataFrom: choiceField({
		displayName: 'Metadata',
		description: 'How to give the metadata XML',
		default: 'file',
		options: [
			{ name: 'File of the Input Item', value: 'file' },
			{ name: 'Pasted XML', value: 'text' },
		],
	}),
	metadataFile: showWhen(
		{ metadataFrom: ['file'] },
		fileField({
			displayName: 'Input Data Field Name',
			hint: 'The field of the input item that holds the metadata file',
			default: 'data',
			required: true,
		}),
	),
	metadataXml: showWhen(
		{ metadataFrom: ['text'] },
		textField({ displayName: 'Metadata XML', description: 'The whole document', rows: 6, required: true }),
	),
	status: choiceField({
		displayName: 'Status',
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
				description: 'The role that new users get',
				required: false,
			}),
			entityId: textField({
				displayName: 'Service Provider Entity ID',
				description: 'The name by which the identity provider knows the platform',
			}),
			fingerprint: textField({
				displayName: 'Certificate Fingerprint',
				description: "The fingerprint of the identity provider's signing certificate",
			}),
			fingerprintType: choiceField({
				displayName: 'Certificate Fingerprint Type',
				default: '2',
				options: [
					{ name: 'SHA1', value: '1' },
					{ name: 'SHA256', value: '2' },
				],
			}),
			isDefaultRole: toggleField({
				displayName: 'Use Default Role',
				description: 'Whether new users get the default role',
				default: true,
			}),
			isWhiteLabelingAssertion: toggleField({
				displayName: 'White-Label Assertion',
				description: 'Whether assertions are for the white-label address of the platform',
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
	name: 'Create SAML Setting',
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
				'is not XML that describes an identity provider',
				[isXmlPasted ? 'metadataXml' : 'metadataFile'],
				"It must be the whole metadata document, with an EntityDescriptor in it. Download it from the identity provider's settings.",
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

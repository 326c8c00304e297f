import { record } from '../core/response/recordResponse';
import { collection } from '../core/fields/collection';
import { showWhen } from '../core/fields/field';
import { binaryInput, choice, text, texts, toggle } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';
import { pickerOf } from '../domain/pickers/resourcePickers';
import { InvalidInput } from '../core/http/errors';

const fields = {
	name: text({ displayName: 'Name', description: 'The name of the setting', required: true, max: 64 }),
	idpEntityId: text({
		displayName: 'Identity Provider Entity ID',
		description: "The identity provider's own name, from its metadata",
		placeholder: 'e.g. https://idp.example.com/metadata',
		required: true,
	}),
	ssoTargetUrl: text({
		displayName: 'Identity Provider Sign-in URL',
		description: 'The address where people sign in',
		placeholder: 'e.g. https://idp.example.com/sso',
		required: true,
	}),
	domains: texts({
		displayName: 'Domains',
		description: 'The e-mail domains whose users sign in this way, separated by commas',
		placeholder: 'e.g. example.com, example.org',
		required: true,
	}),
	metadataFrom: choice({
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
		binaryInput({
			displayName: 'Input Data Field Name',
			hint: 'The field of the input item that holds the metadata file',
			default: 'data',
			required: true,
		}),
	),
	metadataXml: showWhen(
		{ metadataFrom: ['text'] },
		text({ displayName: 'Metadata XML', description: 'The whole document', rows: 6, required: true }),
	),
	status: choice({
		displayName: 'Status',
		default: '1',
		options: [
			{ name: 'Active', value: '1' },
			{ name: 'Inactive', value: '0' },
		],
	}),
	additionalFields: collection({
		displayName: 'Additional Fields',
		fields: {
			defaultRole: pickerOf('roles', {
				displayName: 'Default Role',
				description: 'The role that new users get',
				required: false,
			}),
			entityId: text({
				displayName: 'Service Provider Entity ID',
				description: 'The name by which the identity provider knows the platform',
			}),
			fingerprint: text({
				displayName: 'Certificate Fingerprint',
				description: "The fingerprint of the identity provider's signing certificate",
			}),
			fingerprintType: choice({
				displayName: 'Certificate Fingerprint Type',
				default: '2',
				options: [
					{ name: 'SHA1', value: '1' },
					{ name: 'SHA256', value: '2' },
				],
			}),
			isDefaultRole: toggle({
				displayName: 'Use Default Role',
				description: 'Whether new users get the default role',
				default: true,
			}),
			isWhiteLabelingAssertion: toggle({
				displayName: 'White-Label Assertion',
				description: 'Whether assertions are for the white-label address of the platform',
				default: true,
			}),
		},
	}),
};

/** Every SAML metadata document has an EntityDescriptor; a sign-in page that was saved by mistake has none. */
function isMetadata(content: Buffer): boolean {
	const encoding = content[0] === 0xff ? 'utf-16le' : content[0] === 0xfe ? 'utf-16be' : 'utf-8';
	const text = new TextDecoder(encoding).decode(content).trim();
	return text.startsWith('<') && /<([\w.-]+:)?Entit(y|ies)Descriptor[\s/>]/.test(text);
}

export const create = defineOperation({
	value: 'create',
	name: 'Create SAML Setting',
	description: 'Set up single sign-on with an identity provider such as Microsoft Entra ID or Okta',
	endpoint: 'POST /api/companies/saml-settings',
	scope: 'company',
	fields,
	request: ({ additionalFields: more, metadataFile, metadataXml, domains, ...setting }) => {
		const isPasted = setting.metadataFrom === 'text';
		const field = [isPasted ? 'metadataXml' : 'metadataFile'];
		const file = isPasted
			? { fileName: 'metadata.xml', mimeType: 'application/xml', content: Buffer.from(metadataXml ?? '') }
			: metadataFile;
		if (!file || (file.content && !isMetadata(file.content)))
			throw new InvalidInput(
				'is not XML that describes an identity provider',
				field,
				"It must be the whole metadata document, with an EntityDescriptor in it. Download it from the identity provider's settings.",
			);
		return {
			form: {
				Name: setting.name,
				IdPSSOTargetUrl: setting.ssoTargetUrl,
				IdPEntityID: setting.idpEntityId,
				IdPCertFingerprint: more.fingerprint,
				IdPCertFingerprintTypeId: more.fingerprintType,
				EntityID: more.entityId,
				StatusId: setting.status,
				Domain: domains,
				File: file,
				IsDefaultRole: more.isDefaultRole,
				DefaultRoleResourceId: more.defaultRole?.id,
				IsWhiteLabelingAssertion: more.isWhiteLabelingAssertion,
			},
		};
	},
	answer: record({ as: 'resourceId' }),
});

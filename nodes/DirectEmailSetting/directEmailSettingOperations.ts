import { listResponse } from '../core/response/listResponse';
import { emptyResponse, recordResponse } from '../core/response/recordResponse';
import { emailField } from '../core/fields/contact';
import { choiceField, textField, textListField } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';
import { resourcePicker } from '../domain/pickers/resourcePickers';

/** The form field for the mail service (contract 4.6). Its options are names, which the request replaces with the platform's numbers. */
const providerField = choiceField({
	displayName: 'Provider',
	description: "The service that hosts the company's mailboxes",
	default: 'microsoft365',
	options: [
		{ name: 'Google Workspace', value: 'googleWorkspace' },
		{ name: 'Microsoft 365', value: 'microsoft365' },
	],
});

/** The number that the platform uses for each mail service. */
const PROVIDER_NUMBERS = { microsoft365: 1, googleWorkspace: 2 } as const;

const createOperation = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create direct email setting',
	description: 'Create a setting that delivers emails directly to the mailboxes of a company',
	endpoint: 'POST /api/companies/direct-email-settings',
	scope: 'company',
	fields: {
		name: textField({
			displayName: 'Name',
			description: 'A name for the new setting, such as Microsoft 365',
			placeholder: 'e.g. Microsoft 365',
			required: true,
			max: 64,
		}),
		provider: providerField,
		tenantId: textField({
			displayName: 'Tenant ID',
			description: "The ID of the company's tenant at Microsoft 365 or Google Workspace",
			placeholder: 'e.g. 77c0de12-0a4b-4c9e-8a11-5d2f6c3b9e10',
			required: true,
		}),
		allowedDomains: textListField({
			displayName: 'Allowed Domains',
			description: 'The email domains of the mailboxes to deliver to, such as example.com, separated by commas',
			placeholder: 'e.g. example.com, example.org',
			required: true,
		}),
	},
	request: ({ provider, ...setting }) => ({ body: { ...setting, type: PROVIDER_NUMBERS[provider] } }),
	response: recordResponse({ valueField: 'resourceId' }),
});

/** The properties that all operations on a single setting share. */
const sharedSettingProperties = {
	scope: 'company' as const,
	fields: { directEmailSettingId: resourcePicker('directEmailSettings') },
	request: ({ directEmailSettingId }: { directEmailSettingId: { id: string } }) => ({
		path: { resourceId: directEmailSettingId.id },
	}),
};

const deleteOperation = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete direct email setting',
	description: 'Delete a direct email setting',
	endpoint: 'DELETE /api/companies/direct-email-settings/{resourceId}',
	...sharedSettingProperties,
	response: emptyResponse({ deleted: true }),
});

const getOperation = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get direct email setting',
	description: 'Get a direct email setting with its tenant ID, domains and provider',
	endpoint: 'GET /api/companies/direct-email-settings/{resourceId}',
	...sharedSettingProperties,
	response: recordResponse(),
});

const getManyOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many direct email settings',
	description: 'List the direct email settings of one customer or all customers',
	endpoint: 'POST /api/companies/direct-email-settings/search',
	scope: 'companies',
	response: listResponse({ identity: ['resourceId'], sortableFields: { Name: 'Name' } }),
	perform: (_values, { send }) => send({}, { mayBeSingleRecord: true }),
});

const makeDefaultOperation = defineOperation({
	value: 'makeDefault',
	name: 'Make Default',
	action: 'Make direct email setting default',
	description: 'Make a direct email setting the default of its company',
	endpoint: 'PUT /api/companies/direct-email-settings/make-default/{resourceId}',
	...sharedSettingProperties,
	response: emptyResponse(),
});

const sendTestOperation = defineOperation({
	value: 'test',
	name: 'Test',
	action: 'Test direct email setting',
	description: 'Send a test email with a direct email setting',
	endpoint: 'POST /api/companies/direct-email-settings/test',
	scope: 'company',
	fields: {
		directEmailSettingId: resourcePicker('directEmailSettings'),
		provider: providerField,
		tenantId: textField({
			displayName: 'Tenant ID',
			description:
				"The tenant ID of the direct email setting. Copy the value of tenantId from 'Get direct email setting'.",
			placeholder: 'e.g. 77c0de12-0a4b-4c9e-8a11-5d2f6c3b9e10',
			required: true,
		}),
		from: emailField({
			displayName: 'From Email',
			description: "The sender's email address, such as info@example.com",
			placeholder: 'e.g. info@example.com',
			required: true,
		}),
		fromName: textField({
			displayName: 'From Name',
			description: "The sender's name that the recipient sees, such as Security Team",
			placeholder: 'e.g. Security Team',
			required: true,
		}),
		to: emailField({
			displayName: 'To Email',
			description: 'The email address to send the test email to',
			placeholder: 'e.g. nathan@example.com',
			required: true,
		}),
		message: textField({
			displayName: 'Subject',
			description: 'The subject of the test email',
			placeholder: 'e.g. A test of direct email',
			required: true,
		}),
	},
	request: ({ directEmailSettingId, provider, ...email }) => ({
		body: {
			resourceId: directEmailSettingId.id,
			...email,
			type: PROVIDER_NUMBERS[provider],
		},
	}),
	response: recordResponse(),
});

/** The operations of the Direct Email Setting node. The node's properties list their forms in this order. */
export const directEmailSettingOperations = [
	createOperation,
	deleteOperation,
	getOperation,
	getManyOperation,
	makeDefaultOperation,
	sendTestOperation,
];

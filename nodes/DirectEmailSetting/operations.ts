import { pages } from '../core/response/listResponse';
import { done, record } from '../core/response/recordResponse';
import { emailField } from '../core/fields/contact';
import { choice, text, texts } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';
import { pickerOf } from '../domain/pickers/resourcePickers';

/** The field for the mail service of direct email (contract 4.6), by name instead of number. */
const provider = choice({
	displayName: 'Provider',
	description: 'Which mail service the company uses',
	default: 'microsoft365',
	options: [
		{ name: 'Google Workspace', value: 'googleWorkspace' },
		{ name: 'Microsoft 365', value: 'microsoft365' },
	],
});

/** The numbers of the providers in the service. */
const PROVIDER_TYPE = { microsoft365: 1, googleWorkspace: 2 } as const;

const create = defineOperation({
	value: 'create',
	name: 'Create Direct Email Setting',
	description: 'Let the platform put mails directly into the mailboxes of a company',
	endpoint: 'POST /api/companies/direct-email-settings',
	scope: 'company',
	fields: {
		name: text({ displayName: 'Name', description: 'The name of the setting', required: true, max: 64 }),
		provider,
		tenantId: text({
			displayName: 'Tenant ID',
			description: "The company's identifier at the mail service",
			placeholder: 'e.g. 77c0de12-0a4b-4c9e-8a11-5d2f6c3b9e10',
			required: true,
		}),
		allowedDomains: texts({
			displayName: 'Allowed Domains',
			description: 'The domains whose mailboxes get mails this way, separated by commas',
			placeholder: 'e.g. example.com, example.org',
			required: true,
		}),
	},
	request: ({ provider: type, ...setting }) => ({ body: { ...setting, type: PROVIDER_TYPE[type] } }),
	answer: record({ as: 'resourceId' }),
});

/** What is about one setting. */
const ofOne = {
	scope: 'company' as const,
	fields: { directEmailSettingId: pickerOf('directEmailSettings') },
	request: ({ directEmailSettingId }: { directEmailSettingId: { id: string } }) => ({
		path: { resourceId: directEmailSettingId.id },
	}),
};

const deleteOne = defineOperation({
	value: 'delete',
	name: 'Delete Direct Email Setting',
	description: 'Remove a setting; mails of the company are then sent in another way',
	endpoint: 'DELETE /api/companies/direct-email-settings/{resourceId}',
	...ofOne,
	answer: done({ deleted: true }),
});

const get = defineOperation({
	value: 'get',
	name: 'Get Direct Email Setting',
	description: 'Get one setting: its tenant, domains and provider',
	endpoint: 'GET /api/companies/direct-email-settings/{resourceId}',
	...ofOne,
	answer: record(),
});

const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Direct Email Settings',
	description: 'List the direct email settings of one customer or of every one',
	endpoint: 'POST /api/companies/direct-email-settings/search',
	scope: 'companies',
	answer: pages({ identity: ['resourceId'], sortable: { Name: 'Name' } }),
	perform: async (_values, { send }) => send({}, { mayBeAlone: true }),
});

const makeDefault = defineOperation({
	value: 'makeDefault',
	name: 'Make Direct Email Setting Default',
	description: 'Make this the setting that a company uses unless another one is chosen',
	endpoint: 'PUT /api/companies/direct-email-settings/make-default/{resourceId}',
	...ofOne,
	answer: done(),
});

const sendTest = defineOperation({
	value: 'test',
	name: 'Test Direct Email Setting',
	description: 'Send a test mail with a direct email setting',
	endpoint: 'POST /api/companies/direct-email-settings/test',
	scope: 'company',
	fields: {
		directEmailSettingId: pickerOf('directEmailSettings'),
		provider,
		tenantId: text({
			displayName: 'Tenant ID',
			description: "The company's identifier at the mail service",
			required: true,
		}),
		from: emailField({
			displayName: 'From Email',
			description: 'The sender',
			placeholder: 'e.g. info@example.com',
			required: true,
		}),
		fromName: text({
			displayName: 'From Name',
			description: 'The name that is shown as the sender',
			placeholder: 'e.g. Security Team',
			required: true,
		}),
		to: emailField({
			displayName: 'To Email',
			description: 'The recipient of the test mail',
			placeholder: 'e.g. nathan@example.com',
			required: true,
		}),
		message: text({
			displayName: 'Subject',
			description: 'The subject of the test mail',
			placeholder: 'e.g. A test of direct email',
			required: true,
		}),
	},
	request: ({ directEmailSettingId, provider: type, ...mail }) => ({
		body: {
			resourceId: directEmailSettingId.id,
			...mail,
			type: PROVIDER_TYPE[type],
		},
	}),
	answer: record(),
});

export const operations = [create, deleteOne, get, getMany, makeDefault, sendTest];

import { record } from '../../shared/answer/record';
import { text, texts } from '../../shared/form/text';
import { defineOperation } from '../../shared/operation/define';
import { InvalidInput } from '../../shared/transport/errors';
import { provider, PROVIDER_TYPE } from '../fields';

export const create = defineOperation({
	value: 'create',
	name: 'Create Direct Email Setting',
	action: 'Create direct email setting',
	description: 'Let the platform put mails directly into the mailboxes of a company',
	contract: 'POST /api/companies/direct-email-settings',
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
	request: ({ provider: type, ...setting }) => {
		if (setting.allowedDomains.length === 0)
			throw new InvalidInput('must name at least one domain', ['allowedDomains']);
		return { body: { ...setting, type: PROVIDER_TYPE[type] } };
	},
	answer: record({ as: 'resourceId' }),
});

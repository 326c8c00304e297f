import { record } from '../../shared/answer/record';
import { text } from '../../shared/form/text';
import { defineOperation } from '../../shared/operation/define';
import { directEmailSettingPicker } from '../../shared/pickers/setting';
import { provider, PROVIDER_TYPE } from '../fields';

export const sendTest = defineOperation({
	value: 'test',
	name: 'Test Direct Email Setting',
	action: 'Test direct email setting',
	description: 'Send a test mail with a direct email setting',
	contract: 'POST /api/companies/direct-email-settings/test',
	scope: 'company',
	fields: {
		directEmailSettingId: directEmailSettingPicker(),
		provider,
		tenantId: text({
			displayName: 'Tenant ID',
			description: "The company's identifier at the mail service",
			required: true,
		}),
		from: text({
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
		to: text({
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
			resourceId: directEmailSettingId,
			...mail,
			type: PROVIDER_TYPE[type],
		},
	}),
	answer: record(),
});

import { record } from '../../shared/answer/record';
import { text } from '../../shared/form/text';
import { defineOperation } from '../../shared/operation/define';

export const exchangeAgentCode = defineOperation({
	value: 'exchangeAgentCode',
	name: 'Exchange Agent Code',
	action: 'Exchange agent code',
	description: 'Turn the one-time code of an agent login into an access token',
	outputsSecret: true,
	contract: 'POST /api/v2/agent-auth/token',
	fallbackContracts: ['POST /api/agent-auth/token'],
	scope: 'credential',
	fields: {
		authCode: text({
			displayName: 'Auth Code',
			description: 'The code from the login address; it works only once',
			password: true,
			required: true,
		}),
	},
	request: (body) => ({ body, secrets: [body.authCode] }),
	answer: record({ as: 'accessToken' }),
});

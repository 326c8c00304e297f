import { textField } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';
import { recordResponse } from '../core/response/recordResponse';

export const exchangeAgentCodeOperation = defineOperation({
	value: 'exchangeAgentCode',
	name: 'Exchange Agent Code',
	description: 'Turn the one-time code of an agent login into an access token',
	hasSecretOutput: true,
	endpoint: 'POST /api/v2/agent-auth/token',
	scope: 'credential',
	fields: {
		authCode: textField({
			displayName: 'Auth Code',
			description: 'The code from the login address; it works only once',
			password: true,
			required: true,
		}),
	},
	request: (body) => ({ body, secrets: [body.authCode] }),
	response: recordResponse({
		valueField: 'accessToken',
		requiredValue: {
			reason: 'the code was exchanged, but the service returned no access token',
			advice: 'A code works only once: get another one.',
		},
	}),
});
export const getAgentLoginUrlOperation = defineOperation({
	value: 'getAgentLoginUrl',
	name: 'Get Agent Login URL',
	description: 'Get a one-time address that signs a person in to the chat agent',
	hasSecretOutput: true,
	endpoint: 'POST /api/v2/agent-auth/login-url',
	scope: 'credential',
	fields: {
		sessionId: textField({
			displayName: 'Session ID',
			description: 'The chat session to sign in to',
			required: true,
		}),
	},
	request: (body) => ({ body, secrets: [body.sessionId] }),
	response: recordResponse({
		valueField: 'loginUrl',
		requiredValue: { reason: 'the service returned no address', advice: 'Run the node again: it gets another one.' },
	}),
});

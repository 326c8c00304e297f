import { textField } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';
import { recordResponse } from '../core/response/recordResponse';

export const exchangeAgentCodeOperation = defineOperation({
	value: 'exchangeCode',
	name: 'Exchange Code',
	action: 'Exchange agent login code',
	description: "Exchange the one-time code from 'Get agent login URL' for an access token",
	hasSecretOutput: true,
	endpoint: 'POST /api/v2/agent-auth/token',
	scope: 'credential',
	fields: {
		authCode: textField({
			displayName: 'Auth Code',
			description: "The one-time code in the URL that 'Get agent login URL' returned",
			hint: 'Enter only the code, without the rest of the URL',
			password: true,
			required: true,
		}),
	},
	request: (body) => ({ body, secrets: [body.authCode] }),
	response: recordResponse({
		valueField: 'accessToken',
		requiredValue: {
			reason: 'the code was exchanged, but the platform returned no access token',
			advice: "A code works only once. Get a new one with 'Get agent login URL'.",
		},
	}),
});
export const getAgentLoginUrlOperation = defineOperation({
	value: 'getLoginUrl',
	name: 'Get Login URL',
	action: 'Get agent login URL',
	description: "Get a one-time URL that logs a user in to the platform's AI chat agent",
	hasSecretOutput: true,
	endpoint: 'POST /api/v2/agent-auth/login-url',
	scope: 'credential',
	fields: {
		sessionId: textField({
			displayName: 'Session ID',
			description: 'The ID of the chat session that the URL opens',
			hint: "If you don't know this ID, ask the platform's support",
			placeholder: 'e.g. 3f2a9c10-6b1e-4f57-9a53-0d9a4c6be111',
			required: true,
		}),
	},
	request: (body) => ({ body, secrets: [body.sessionId] }),
	response: recordResponse({
		valueField: 'loginUrl',
		requiredValue: { reason: 'the platform returned no URL', advice: 'Run the node again to get a new URL.' },
	}),
});

import { record } from '../../shared/answer/record';
import { text } from '../../shared/form/text';
import { defineOperation } from '../../shared/operation/define';

export const getAgentLoginUrl = defineOperation({
	value: 'getAgentLoginUrl',
	name: 'Get Agent Login URL',
	action: 'Get agent login URL',
	description: 'Get a one-time address that signs a person in to the chat agent',
	outputsSecret: true,
	contract: 'POST /api/v2/agent-auth/login-url',
	fallbackContracts: ['POST /api/agent-auth/login-url'],
	scope: 'credential',
	fields: {
		sessionId: text({
			displayName: 'Session ID',
			description: 'The chat session to sign in to',
			required: true,
		}),
	},
	request: (body) => ({ body, secrets: [body.sessionId] }),
	answer: record({ as: 'loginUrl' }),
});

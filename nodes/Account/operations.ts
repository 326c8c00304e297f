import { pages } from '../core/response/listResponse';
import { done, record } from '../core/response/recordResponse';
import { emailField } from '../core/fields/contact';
import { text, toggle } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';
import { checkAccess } from './checkAccess';

const exchangeAgentCode = defineOperation({
	value: 'exchangeAgentCode',
	name: 'Exchange Agent Code',
	description: 'Turn the one-time code of an agent login into an access token',
	outputsSecret: true,
	endpoint: 'POST /api/v2/agent-auth/token',
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
	answer: record({
		as: 'accessToken',
		onlyHere: {
			reason: 'the code was exchanged, but the service returned no access token',
			advice: 'A code works only once: get another one.',
		},
	}),
});

const getAgentLoginUrl = defineOperation({
	value: 'getAgentLoginUrl',
	name: 'Get Agent Login URL',
	description: 'Get a one-time address that signs a person in to the chat agent',
	outputsSecret: true,
	endpoint: 'POST /api/v2/agent-auth/login-url',
	scope: 'credential',
	fields: {
		sessionId: text({
			displayName: 'Session ID',
			description: 'The chat session to sign in to',
			required: true,
		}),
	},
	request: (body) => ({ body, secrets: [body.sessionId] }),
	answer: record({
		as: 'loginUrl',
		onlyHere: { reason: 'the service returned no address', advice: 'Run the node again: it gets another one.' },
	}),
});

const getAuditLogs = defineOperation({
	value: 'getAuditLogs',
	name: 'Get Many Audit Logs',
	description: 'List who changed what and when, for one customer or for every one',
	endpoint: 'POST /api/audit-logs/search',
	scope: 'companies',
	answer: pages({
		identity: ['resourceId'],
		sortable: { 'Log Date': 'LogDate', 'User Name': 'UserName' },
		known: {
			simplified: [
				'logDate',
				'userName',
				'operation',
				'entityName',
				'auditDescription',
				'oldValue',
				'newValue',
				'ip',
				'resourceId',
			],
			others: ['entityResourceId', 'userAgent'],
		},
	}),
});

const login = defineOperation({
	value: 'login',
	name: 'Log In',
	description: 'Sign a person in with user name and password, and get an access token if the platform returns one',
	outputsSecret: true,
	endpoint: 'POST /api/account/login',
	scope: 'credential',
	fields: {
		username: emailField({
			displayName: 'User Name',
			description: 'The e-mail address that the person signs in with',
			placeholder: 'e.g. nathan@example.com',
			required: true,
		}),
		password: text({
			displayName: 'Password',
			description: 'The password that the person signs in with',
			password: true,
			required: true,
		}),
		bypassSaml: toggle({
			displayName: 'Bypass SAML',
			description: 'Whether to sign in with the password even if single sign-on is set up',
			default: false,
		}),
	},
	request: (body) => ({ body, secrets: [body.password] }),
	// Some platforms answer without a token, and set only cookies (deployment shapes).
	answer: record({ as: 'accessToken' }),
});

const logout = defineOperation({
	value: 'logout',
	name: 'Log Out',
	description: 'End the session of the signed-in person',
	endpoint: 'GET /api/account/logout',
	scope: 'credential',
	answer: done(),
});

const single = [exchangeAgentCode, getAgentLoginUrl, getAuditLogs, login, logout];

export const operations = [checkAccess(single), ...single];

import { LATEST_LOG_FIRST, SEARCH_NEWEST_FIRST, type EndpointTable } from '../endpointTraits';

/** The endpoints of the signed-in account, agent sign-in and audit logs. */
export const ACCOUNT_ENDPOINTS = {
	'POST /api/account/login': {},
	'GET /api/account/logout': { isReadOnly: false },
	'POST /api/agent-auth/login-url': { isOptional: true },
	'POST /api/agent-auth/token': { isOptional: true },
	'POST /api/audit-logs/search': { ...SEARCH_NEWEST_FIRST, isOptional: true, defaultOrder: LATEST_LOG_FIRST },
	'POST /api/v2/agent-auth/login-url': { alternativeEndpoint: 'POST /api/agent-auth/login-url' },
	'POST /api/v2/agent-auth/token': { alternativeEndpoint: 'POST /api/agent-auth/token' },
} satisfies EndpointTable;

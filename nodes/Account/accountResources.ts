import { listOperations, type NodeResource } from '../core/operation/nodeResource';
import { logInOperation, logOutOperation } from './accountOperations';
import { exchangeAgentCodeOperation, getAgentLoginUrlOperation } from './agentSignInOperations';
import { getAuditLogsOperation } from './auditLogOperations';
import { createCheckAccessOperation } from './checkAccess';

const agentSignInResource: NodeResource = {
	value: 'agentSignIn',
	name: 'Agent Sign-In',
	defaultOperation: 'getLoginUrl',
	operations: [exchangeAgentCodeOperation, getAgentLoginUrlOperation],
};

const auditLogResource: NodeResource = {
	value: 'auditLog',
	name: 'Audit Log',
	defaultOperation: 'getMany',
	operations: [getAuditLogsOperation],
};

const checkAccessOperation = createCheckAccessOperation([
	logInOperation,
	logOutOperation,
	...listOperations([agentSignInResource, auditLogResource]),
]);

/** The n8n resources of the Account node. The node opens on the first one. */
export const accountResources: NodeResource[] = [
	{
		value: 'account',
		name: 'Account',
		defaultOperation: 'checkAccess',
		operations: [checkAccessOperation, logInOperation, logOutOperation],
	},
	agentSignInResource,
	auditLogResource,
];

import { logInOperation, logOutOperation } from './accountOperations';
import { exchangeAgentCodeOperation, getAgentLoginUrlOperation } from './agentSignInOperations';
import { getAuditLogsOperation } from './auditLogOperations';
import { createCheckAccessOperation } from './checkAccess';

/** The operations of the Account node that send one request each. */
const singleRequestOperations = [
	exchangeAgentCodeOperation,
	getAgentLoginUrlOperation,
	getAuditLogsOperation,
	logInOperation,
	logOutOperation,
];

/** The operations of the Account node. The node's properties list their forms in this order. */
export const allAccountOperations = [createCheckAccessOperation(singleRequestOperations), ...singleRequestOperations];

import type { NodeResource } from '../core/operation/nodeResource';
import { reportedEmailOperations } from './reportedEmailOperations';

/** The only n8n resource of the Reported Email node. */
export const reportedEmailResources: NodeResource[] = [
	{
		value: 'reportedEmail',
		name: 'Reported Email',
		defaultOperation: 'getMany',
		operations: reportedEmailOperations,
	},
];

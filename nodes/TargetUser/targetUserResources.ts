import type { NodeResource } from '../core/operation/nodeResource';
import { targetUserOperations } from './targetUserOperations';

/** The only n8n resource of the Target User node. */
export const targetUserResources: NodeResource[] = [
	{
		value: 'targetUser',
		name: 'Target User',
		defaultOperation: 'getMany',
		operations: targetUserOperations,
	},
];

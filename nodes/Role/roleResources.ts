import type { NodeResource } from '../core/operation/nodeResource';
import { roleOperations } from './roleOperations';

/** The only n8n resource of the Role node. */
export const roleResources: NodeResource[] = [
	{
		value: 'role',
		name: 'Role',
		defaultOperation: 'getMany',
		operations: roleOperations,
	},
];

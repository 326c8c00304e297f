import type { NodeResource } from '../core/operation/nodeResource';
import { systemUserOperations } from './systemUserOperations';

/** The only n8n resource of the System User node. */
export const systemUserResources: NodeResource[] = [
	{
		value: 'systemUser',
		name: 'System User',
		defaultOperation: 'getMany',
		operations: systemUserOperations,
	},
];

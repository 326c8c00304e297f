import type { NodeResource } from '../core/operation/nodeResource';
import { trainingOperations } from './trainingOperations';

/** The only n8n resource of the Training node. */
export const trainingResources: NodeResource[] = [
	{
		value: 'training',
		name: 'Training',
		defaultOperation: 'getMany',
		operations: trainingOperations,
	},
];

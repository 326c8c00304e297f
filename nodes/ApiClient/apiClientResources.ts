import type { NodeResource } from '../core/operation/nodeResource';
import { apiClientOperations } from './apiClientOperations';

/** The only n8n resource of the API Client node. */
export const apiClientResources: NodeResource[] = [
	{
		value: 'apiClient',
		name: 'API Client',
		defaultOperation: 'getMany',
		operations: apiClientOperations,
	},
];

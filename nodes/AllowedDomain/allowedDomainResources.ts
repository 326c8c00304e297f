import type { NodeResource } from '../core/operation/nodeResource';
import { allowedDomainOperations } from './allowedDomainOperations';

/** The only n8n resource of the Allowed Domain node. */
export const allowedDomainResources: NodeResource[] = [
	{
		value: 'allowedDomain',
		name: 'Allowed Domain',
		defaultOperation: 'getMany',
		operations: allowedDomainOperations,
	},
];

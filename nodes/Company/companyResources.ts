import type { NodeResource } from '../core/operation/nodeResource';
import { companyOperations } from './companyOperations';

/** The only n8n resource of the Company node. */
export const companyResources: NodeResource[] = [
	{
		value: 'company',
		name: 'Company',
		defaultOperation: 'getMany',
		operations: companyOperations,
	},
];

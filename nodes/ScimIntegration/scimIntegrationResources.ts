import type { NodeResource } from '../core/operation/nodeResource';
import { scimIntegrationOperations } from './scimIntegrationOperations';

/** The only n8n resource of the SCIM Integration node. */
export const scimIntegrationResources: NodeResource[] = [
	{
		value: 'scimIntegration',
		name: 'SCIM Integration',
		defaultOperation: 'getMany',
		operations: scimIntegrationOperations,
	},
];

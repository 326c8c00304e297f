import type { NodeResource } from '../core/operation/nodeResource';
import { getCoverageByCustomerOperation, getCoverageByPersonOperation } from './coverageOperations';
import { getRiskByCustomerOperation, getRiskByPersonOperation } from './riskOperations';

/** The n8n resources of the Human Risk node. The node opens on the first one. */
export const humanRiskResources: NodeResource[] = [
	{
		value: 'coverage',
		name: 'Coverage',
		defaultOperation: 'getByCustomer',
		operations: [getCoverageByCustomerOperation, getCoverageByPersonOperation],
	},
	{
		value: 'risk',
		name: 'Risk',
		defaultOperation: 'getByPerson',
		operations: [getRiskByCustomerOperation, getRiskByPersonOperation],
	},
];

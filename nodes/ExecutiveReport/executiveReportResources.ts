import type { NodeResource } from '../core/operation/nodeResource';
import { executiveReportOperations } from './executiveReportOperations';
import { scheduledReportOperations } from './scheduledReportOperations';

/** The n8n resources of the Executive Report node. The node opens on the first one. */
export const executiveReportResources: NodeResource[] = [
	{
		value: 'report',
		name: 'Report',
		defaultOperation: 'getMany',
		operations: executiveReportOperations,
	},
	{
		value: 'scheduledReport',
		name: 'Scheduled Report',
		defaultOperation: 'getMany',
		operations: scheduledReportOperations,
	},
];

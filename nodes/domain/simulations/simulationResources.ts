import type { Operation } from '../../core/operation/defineOperation';
import type { NodeResource } from '../../core/operation/nodeResource';
import { defineCampaignJobOperations } from './campaignJobOperations';
import { defineCampaignOperations } from './campaignOperations';
import { defineResultOperations, defineSearchJobUsers } from './resultOperations';
import { defineScenarioOperations } from './scenarioOperations';
import type { Simulator } from './simulator';

/** Defines the n8n resources of a simulator's node. The node opens on the first one. */
export function defineSimulationResources(simulator: Simulator): NodeResource[] {
	const campaignOperations = defineCampaignOperations(simulator);
	const scenarioOperations = defineScenarioOperations(simulator);
	const searchJobUsersOperation = defineSearchJobUsers(simulator);
	const jobOperations = defineCampaignJobOperations(simulator, searchJobUsersOperation);
	const resultOperations = defineResultOperations(simulator, {
		getManyJobsOperation: jobOperations.getMany,
		getJobSummaryOperation: jobOperations.getSummary,
		searchJobUsersOperation,
	});
	const allResultOperations: Operation[] = [
		resultOperations.exportPeople,
		...resultOperations.byAction,
		resultOperations.fullReport,
		resultOperations.fullReportOfPeriod,
		searchJobUsersOperation,
	];
	return [
		{
			value: 'campaign',
			name: 'Campaign',
			defaultOperation: 'getMany',
			operations: Object.values(campaignOperations),
		},
		{
			value: 'campaignJob',
			name: 'Campaign Job',
			defaultOperation: 'getMany',
			operations: Object.values(jobOperations),
		},
		{
			value: 'result',
			name: 'Result',
			defaultOperation: 'getManyByPeriod',
			operations: allResultOperations,
		},
		{
			value: 'scenario',
			name: 'Scenario',
			defaultOperation: 'getMany',
			operations: Object.values(scenarioOperations),
		},
	];
}

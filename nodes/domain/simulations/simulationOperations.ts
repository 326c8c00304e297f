import type { Operation } from '../../core/operation/defineOperation';
import { defineCampaignJobOperations } from './campaignJobOperations';
import { defineCampaignOperations } from './campaignOperations';
import { defineResultOperations, defineSearchJobUsers } from './resultOperations';
import { defineScenarioOperations } from './scenarioOperations';
import type { Simulator } from './simulator';

/** Defines all operations of a simulator, in the order in which the node lists them. */
export function defineSimulationOperations(simulator: Simulator): Operation[] {
	const campaignOperations = defineCampaignOperations(simulator);
	const scenarioOperations = defineScenarioOperations(simulator);
	const searchJobUsersOperation = defineSearchJobUsers(simulator);
	const jobOperations = defineCampaignJobOperations(simulator, searchJobUsersOperation);
	const resultOperations = defineResultOperations(simulator, {
		getManyJobsOperation: jobOperations.getMany,
		getJobSummaryOperation: jobOperations.getSummary,
		searchJobUsersOperation,
	});
	return [
		...resultOperations.byAction,
		campaignOperations.exportMany,
		jobOperations.exportMany,
		resultOperations.fullReport,
		resultOperations.fullReportOfPeriod,
		jobOperations.getSummary,
		campaignOperations.getMany,
		jobOperations.getMany,
		campaignOperations.create,
		campaignOperations.createAndStart,
		scenarioOperations.getMany,
		campaignOperations.start,
		campaignOperations.deleteOne,
		campaignOperations.get,
		resultOperations.exportPeople,
		jobOperations.getReportFile,
		jobOperations.stop,
		jobOperations.resendToPeople,
		jobOperations.resend,
		searchJobUsersOperation,
	];
}

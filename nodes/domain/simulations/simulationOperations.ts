import type { Operation } from '../../core/operation/defineOperation';
import { defineCampaignJobOperations } from './campaignJobOperations';
import { defineCampaignOperations } from './campaignOperations';
import { defineResultOperations, defineSearchJobUsers } from './resultOperations';
import { defineScenarioOperations } from './scenarioOperations';
import type { Simulator } from './simulator';

/** Defines all operations of a simulator, in the order in which they are listed. */
export function defineSimulationOperations(simulator: Simulator): Operation[] {
	const campaigns = defineCampaignOperations(simulator);
	const scenarios = defineScenarioOperations(simulator);
	const searchJobUsers = defineSearchJobUsers(simulator);
	const jobs = defineCampaignJobOperations(simulator, searchJobUsers);
	const results = defineResultOperations(simulator, {
		getManyJobs: jobs.getMany,
		getJobSummary: jobs.getSummary,
		searchJobUsers,
	});
	return [
		...results.byAction,
		campaigns.exportMany,
		jobs.exportMany,
		results.fullReport,
		results.fullReportOfPeriod,
		jobs.getSummary,
		campaigns.getMany,
		jobs.getMany,
		campaigns.create,
		campaigns.createAndStart,
		scenarios.getMany,
		campaigns.start,
		campaigns.deleteOne,
		campaigns.get,
		results.exportPeople,
		jobs.getReportFile,
		jobs.stop,
		jobs.resendToPeople,
		jobs.resend,
		searchJobUsers,
	];
}

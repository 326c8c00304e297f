import { file, readyFile } from '../../core/response/fileResponse';
import { USER_SORT } from '../../core/response/listResponse';
import { done, record } from '../../core/response/recordResponse';
import { mustHaveValue, type Field } from '../../core/fields/field';
import { toggle } from '../../core/fields/fieldTypes';
import { filtersOf } from '../../core/filters/filterFields';
import { defineOperation, type Operation } from '../../core/operation/defineOperation';
import { ofSimulator } from '../../core/api/endpoints';
import { botFields, botFilter } from './bots';
import { ALL_PEOPLE, searchTypePicker } from './people';
import { campaignPicker, fileOfJob, jobPicker, titleOf, withJob, type Job, type Simulator } from './simulator';

/** Bots are left out, or not, only of phishing's file (deployment activity, 1). */
const BOTS: { excludeBots?: Field<boolean> } = {
	excludeBots: mustHaveValue(
		toggle({ displayName: 'Exclude Bots', description: 'Whether to leave out what mail scanners did', default: true }),
	),
};

/** What can be done with a campaign that is there (deployment beyond; deployment activity, 7, 8). */
function ofCampaigns(simulator: Simulator): Operation[] {
	const Thing = `${titleOf(simulator)} Campaign`;
	const ofOne = {
		scope: 'company' as const,
		fields: { campaign: campaignPicker(simulator) },
		request: ({ campaign }: { campaign: { id: string } }) => ({ path: { resourceId: campaign.id } }),
	};

	const get = defineOperation({
		value: 'get',
		name: `Get ${Thing}`,
		description: 'Get one simulation, with its scenarios, groups and settings',
		endpoint: ofSimulator(simulator, 'GET /api/SIM-simulator/SIM-campaign/{resourceId}'),
		...ofOne,
		// The record has 36 fields (deployment beyond).
		answer: record({
			known: {
				id: ['resourceId'],
				simplified: [
					'name',
					`${simulator}Scenarios`,
					'targetGroups',
					'scheduleTypeId',
					'scheduledDate',
					'duration',
					'distributionTypeId',
					'sendingLimit',
					'excludeFromReports',
					'resourceId',
				],
			},
		}),
	});

	const deleteOne = defineOperation({
		value: 'delete',
		name: `Delete ${Thing}`,
		description: 'Remove a simulation; there is no trash to bring it back from',
		endpoint: ofSimulator(simulator, 'DELETE /api/SIM-simulator/SIM-campaign/{resourceId}'),
		...ofOne,
		answer: done({ deleted: true }),
	});

	return [deleteOne, get];
}

/** What can be done with a job that is there (deployment beyond; deployment activity, 6, 7). */
function ofJobs(simulator: Simulator): Operation[] {
	const Thing = `${titleOf(simulator)} Campaign`;
	const ofOne = {
		scope: 'company' as const,
		fields: { job: jobPicker(simulator) },
		request: ({ job: { resourceId, instanceGroup } }: { job: Job }) => ({ path: { resourceId, instanceGroup } }),
		output: withJob,
	};

	const stopJob = defineOperation({
		value: 'stopJob',
		name: `Stop ${Thing} Job`,
		description: 'Send nothing more of one job of a simulation',
		endpoint: ofSimulator(simulator, 'PATCH /api/SIM-simulator/SIM-campaign-job/stop/{resourceId}/{instanceGroup}'),
		...ofOne,
		answer: record({ as: 'resourceId' }),
	});

	const exportPeople = defineOperation({
		value: 'exportPeople',
		name: `Export ${Thing} People by What They Did`,
		description: 'Get the people of one job, all or those who did something, as a CSV or Excel file',
		endpoint: ofSimulator(
			simulator,
			'POST /api/SIM-simulator/SIM-campaign-job-report/{searchType}/search/export/{resourceId}/{instanceGroup}',
		),
		scope: 'company',
		fields: { ...ofOne.fields, filters: filtersOf({ ...botFields, searchType: searchTypePicker() }) },
		request: ({ job: { resourceId, instanceGroup }, filters: { excludeBots, searchType = ALL_PEOPLE } }) => ({
			path: { resourceId, instanceGroup, searchType },
			// What is in a file only the platform decides.
			body: botFilter(excludeBots, searchType).body,
		}),
		answer: file({ name: `${simulator}-people`, sortable: USER_SORT, of: fileOfJob(simulator) }),
	});

	const getReportFile = defineOperation({
		value: 'getReportFile',
		name: `Get ${Thing} Report File`,
		description: "Get the platform's own Excel report of one job, once it is ready",
		endpoint: ofSimulator(
			simulator,
			'GET /api/SIM-simulator/SIM-campaign-job-report/export/{resourceId}/{instanceGroup}',
		),
		scope: 'company',
		fields: { ...ofOne.fields, ...(simulator === 'phishing' ? BOTS : {}) },
		request: ({ excludeBots, ...values }) => ({
			...ofOne.request(values),
			...(excludeBots === undefined ? {} : { query: { excludeBotActivity: excludeBots } }),
		}),
		answer: readyFile(`${simulator}-report`, fileOfJob(simulator)),
		output: withJob,
	});
	return [exportPeople, getReportFile, stopJob];
}

/** What the simulators have of campaigns and jobs that are there. */
export const manageOperations = (simulator: Simulator): Operation[] => [
	...ofCampaigns(simulator),
	...ofJobs(simulator),
];

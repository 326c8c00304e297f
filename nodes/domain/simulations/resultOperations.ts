import { fileResponse } from '../../core/response/fileResponse';
import { USER_SORT } from '../../core/response/listResponse';
import { filtersBlock } from '../../core/filters/filterFields';
import { defineOperation, type Operation } from '../../core/operation/defineOperation';
import { getSimulatorEndpointKey } from '../../core/api/endpoints';
import { botFields, createBotFilter, createFilteredSend } from './botFilter';
import { addJobId, createJobFileOwner, jobPicker } from './campaignJob';
import { defineFullReport, defineFullReportOfPeriod } from './fullReport';
import {
	ALL_PEOPLE,
	getJobPeopleEndpoint,
	jobPeopleResponse,
	listPeopleBySearchType,
	searchTypePicker,
} from './jobPeople';
import { getSimulatorTitle, type Simulator } from './simulator';
import { defineUsersByActionOperations } from './usersByAction';

/** The operations that the result operations call. */
interface CalledOperations {
	getManyJobs: Operation;
	getJobSummary: Operation;
	searchJobUsers: Operation;
}

/**
 * Defines the operations that report the results of campaigns, except 'Search Job Users', which `defineSearchJobUsers`
 * defines (contract 4.9; deployment beyond, "Campaigns"; deployment activity 7).
 */
export const defineResultOperations = (simulator: Simulator, operations: CalledOperations) => ({
	byAction: defineUsersByActionOperations(simulator, operations),
	fullReport: defineFullReport(simulator, operations),
	fullReportOfPeriod: defineFullReportOfPeriod(simulator, operations),
	exportPeople: defineExportPeople(simulator),
});

/** Defines the operation that lists the people of a job. Other operations call it too. */
export function defineSearchJobUsers(simulator: Simulator): Operation {
	return defineOperation({
		value: 'searchJobUsers',
		name: `Search ${getSimulatorTitle(simulator)} Campaign Job Users`,
		description: 'List the people of one job: all of them, or by what they did',
		endpoint: getJobPeopleEndpoint(simulator),
		scope: 'company',
		fields: { job: jobPicker(simulator), filters: filtersBlock({ ...botFields, searchType: searchTypePicker() }) },
		request: ({ job, filters: { searchType = ALL_PEOPLE } }) => ({ path: { ...job, searchType } }),
		response: jobPeopleResponse(),
		perform: async ({ job, filters: { excludeBots, searchType = ALL_PEOPLE } }, { send, context }) => {
			const botFilter = createBotFilter(excludeBots, searchType);
			const filteredSend = createFilteredSend(botFilter, send);
			const items = await listPeopleBySearchType(simulator, job, searchType, filteredSend);
			botFilter.addHints(context);
			return items.map((item) => ({ ...item, json: botFilter.clearBotActions(item.json) }));
		},
		transformOutput: addJobId,
	});
}

function defineExportPeople(simulator: Simulator): Operation {
	return defineOperation({
		value: 'exportPeople',
		name: `Export ${getSimulatorTitle(simulator)} Campaign People by What They Did`,
		description: 'Get the people of one job, all or those who did something, as a CSV or Excel file',
		endpoint: getSimulatorEndpointKey(
			simulator,
			'POST /api/SIM-simulator/SIM-campaign-job-report/{searchType}/search/export/{resourceId}/{instanceGroup}',
		),
		scope: 'company',
		fields: { job: jobPicker(simulator), filters: filtersBlock({ ...botFields, searchType: searchTypePicker() }) },
		request: ({ job: { resourceId, instanceGroup }, filters: { excludeBots, searchType = ALL_PEOPLE } }) => ({
			path: { resourceId, instanceGroup, searchType },
			// The node doesn't change the file, so only the platform can exclude bots.
			body: createBotFilter(excludeBots, searchType).body,
		}),
		response: fileResponse({
			fallbackName: `${simulator}-people`,
			sortable: USER_SORT,
			getOwner: createJobFileOwner(simulator),
		}),
	});
}

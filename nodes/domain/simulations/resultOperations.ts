import { fileResponse } from '../../core/response/fileResponse';
import { USER_SORTABLE_FIELDS } from '../../core/response/listResponse';
import { filtersBlock } from '../../core/filters/filterFields';
import { defineOperation, type Operation } from '../../core/operation/defineOperation';
import { getSimulatorEndpointKey } from '../../core/api/endpoints';
import { botFilterFields, createBotFilter, createFilteredSend } from './botFilter';
import { appendJobId, createJobFileOwner, jobPicker } from './campaignJob';
import { defineFullReport, defineFullReportOfPeriod } from './fullReport';
import {
	ALL_PEOPLE_SEARCH_TYPE,
	getJobPeopleEndpoint,
	jobPeopleResponse,
	listPeopleBySearchType,
	searchTypePicker,
} from './jobPeople';
import type { Simulator } from './simulator';
import { defineUsersByActionOperations } from './usersByAction';

/** The operations that the result operations call. */
interface CalledOperations {
	getManyJobsOperation: Operation;
	getJobSummaryOperation: Operation;
	searchJobUsersOperation: Operation;
}

/**
 * Defines the operations that report the results of campaigns (contract 4.9; deployment beyond, "Campaigns"; deployment
 * activity 7). The operation that lists the people of a job isn't defined here, because the campaign job operations
 * need it too (see `defineSearchJobUsers`).
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
		value: 'getMany',
		name: 'Get Many',
		action: `Get many ${simulator} results`,
		description: 'List the people in one campaign job and what each person did, such as clicking a link',
		endpoint: getJobPeopleEndpoint(simulator),
		scope: 'company',
		fields: {
			job: jobPicker(simulator),
			filters: filtersBlock({ ...botFilterFields, searchType: searchTypePicker() }),
		},
		request: ({ job, filters: { searchType = ALL_PEOPLE_SEARCH_TYPE } }) => ({ path: { ...job, searchType } }),
		response: jobPeopleResponse(),
		perform: async ({ job, filters: { excludeBots, searchType = ALL_PEOPLE_SEARCH_TYPE } }, { send, context }) => {
			const botFilter = createBotFilter(excludeBots, searchType);
			const filteredSend = createFilteredSend(botFilter, send);
			const items = await listPeopleBySearchType(simulator, job, searchType, filteredSend);
			botFilter.addHints(context);
			return items.map((item) => ({ ...item, json: botFilter.clearBotActions(item.json) }));
		},
		transformOutput: appendJobId,
	});
}

function defineExportPeople(simulator: Simulator): Operation {
	return defineOperation({
		value: 'export',
		name: 'Export',
		action: `Export ${simulator} results`,
		description: 'Export the people in one campaign job and what each person did as a CSV or Excel file',
		endpoint: getSimulatorEndpointKey(
			simulator,
			'POST /api/SIM-simulator/SIM-campaign-job-report/{searchType}/search/export/{resourceId}/{instanceGroup}',
		),
		scope: 'company',
		fields: {
			job: jobPicker(simulator),
			filters: filtersBlock({ ...botFilterFields, searchType: searchTypePicker() }),
		},
		request: ({
			job: { resourceId, instanceGroup },
			filters: { excludeBots, searchType = ALL_PEOPLE_SEARCH_TYPE },
		}) => ({
			path: { resourceId, instanceGroup, searchType },
			// The node can't change the file, so it asks the platform to exclude bots.
			body: createBotFilter(excludeBots, searchType).body,
		}),
		response: fileResponse({
			fallbackName: `${simulator}-people`,
			sortableFields: USER_SORTABLE_FIELDS,
			getOwner: createJobFileOwner(simulator),
		}),
	});
}

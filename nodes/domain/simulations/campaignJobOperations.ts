import { excelFileResponse, fileResponse } from '../../core/response/fileResponse';
import { JOB_SORTABLE_FIELDS, listResponse } from '../../core/response/listResponse';
import { recordResponse } from '../../core/response/recordResponse';
import { rejectEmptyExpression, type Field } from '../../core/fields/field';
import { toggleField } from '../../core/fields/fieldTypes';
import { defineOperation, type Operation } from '../../core/operation/defineOperation';
import { getSimulatorEndpointKey } from '../../core/api/endpoints';
import { appendJobId, prependJobId, createJobFileOwner, jobPicker, readJobId, type CampaignJob } from './campaignJob';
import { addJobFigures, addJobTotals, getJobOutputFields, JOB_SUMMARY_FIELDS } from './campaignOutputFields';
import { defineResendJobOperations } from './resendJobOperations';
import { readJobCampaignName } from './readJobCampaignName';
import type { Simulator } from './simulator';
import { createTestFilterOptions } from './testFilterOptions';
import { describeWrite } from '../writeReport';

/**
 * Defines the operations for campaign jobs (contract 4.9; deployment beyond, "Campaigns"; deployment activity 6, 7).
 * @param searchJobUsersOperation the operation that lists the people of a job
 */
export function defineCampaignJobOperations(simulator: Simulator, searchJobUsersOperation: Operation) {
	const getSummaryOperation = defineGetJobSummary(simulator);
	return {
		getMany: defineGetManyJobs(simulator),
		exportMany: defineExportJobs(simulator),
		getSummary: getSummaryOperation,
		getReportFile: defineGetReportFile(simulator),
		stop: defineStopJob(simulator, getSummaryOperation),
		...defineResendJobOperations(simulator, searchJobUsersOperation, getSummaryOperation),
	};
}

/** Builds the path parameters of a request about one job. */
const buildJobPath = ({ resourceId, instanceGroup }: CampaignJob) => ({ resourceId, instanceGroup });

function defineGetManyJobs(simulator: Simulator): Operation {
	return defineOperation({
		value: 'getMany',
		name: 'Get Many',
		action: `Get many ${simulator} campaign jobs`,
		description: `List ${simulator} campaign jobs. Each start of a campaign creates one job.`,
		outputNote: `To use a campaign job in another operation, drag its output field jobId onto 'Campaign Job'. For figures without actions of bots (email scanners), use 'Get many ${simulator} results by period'.`,
		endpoint: getSimulatorEndpointKey(simulator, 'POST /api/SIM-simulator/SIM-campaign-job-report/search'),
		scope: 'companies',
		response: listResponse({
			identity: (json) => readJobId(simulator, json),
			outputFields: getJobOutputFields(simulator),
			sortableFields: JOB_SORTABLE_FIELDS,
			...createTestFilterOptions(simulator),
		}),
		transformOutput: (json) => addJobTotals(prependJobId(simulator, json)),
	});
}

function defineExportJobs(simulator: Simulator): Operation {
	return defineOperation({
		value: 'export',
		name: 'Export',
		action: `Export ${simulator} campaign jobs`,
		description: `Export the list of ${simulator} campaign jobs to a CSV or Excel file`,
		endpoint: getSimulatorEndpointKey(simulator, 'POST /api/SIM-simulator/SIM-campaign-job-report/search/export'),
		scope: 'companies',
		response: fileResponse({
			fallbackName: `${simulator}-campaign-jobs`,
			sortableFields: { Name: 'Name' },
			isSinglePage: true,
		}),
	});
}

function defineGetJobSummary(simulator: Simulator): Operation {
	return defineOperation({
		value: 'getSummary',
		name: 'Get Summary',
		action: `Get ${simulator} campaign job summary`,
		description:
			'Get the number of people in one campaign job who opened, who clicked, who submitted data and who reported',
		outputNote: `These figures usually leave out bots (email scanners). Don't compare them with the figures of 'Get many ${simulator} campaign jobs', which may include bots.`,
		endpoint: getSimulatorEndpointKey(
			simulator,
			'GET /api/SIM-simulator/SIM-campaign-job-report/summary/{resourceId}/{instanceGroup}',
		),
		scope: 'company',
		fields: { job: jobPicker(simulator) },
		request: ({ job }) => ({ path: buildJobPath(job) }),
		response: recordResponse({ outputFields: JOB_SUMMARY_FIELDS }),
		transformOutput: (json, values) => appendJobId(addJobFigures(json), values),
	});
}

function defineStopJob(simulator: Simulator, getSummaryOperation: Operation): Operation {
	return defineOperation({
		value: 'stop',
		name: 'Stop',
		action: `Stop ${simulator} campaign job`,
		description: 'Stop sending the messages of a campaign job',
		endpoint: getSimulatorEndpointKey(
			simulator,
			'PATCH /api/SIM-simulator/SIM-campaign-job/stop/{resourceId}/{instanceGroup}',
		),
		scope: 'company',
		fields: { job: jobPicker(simulator) },
		request: ({ job }) => ({ path: buildJobPath(job) }),
		response: recordResponse({ valueField: 'resourceId' }),
		perform: async ({ job }, helpers) => {
			const results = await helpers.send();
			const stoppedFields = describeWrite('stopped', helpers.context.timezone);
			const campaignName = await readJobCampaignName(job, getSummaryOperation, helpers);
			return results.map(({ json }) => ({ json: { campaignName, ...stoppedFields, ...json } }));
		},
		transformOutput: appendJobId,
	});
}

/**
 * The fields of the operation that gets the report file of a job. Only for phishing can the platform exclude bots from
 * this file (deployment activity 1).
 */
interface ReportFileFields {
	job: Field<CampaignJob>;
	excludeBots?: Field<boolean>;
}

function createReportFileFields(simulator: Simulator): ReportFileFields {
	const fields: ReportFileFields = { job: jobPicker(simulator) };
	if (simulator === 'phishing')
		fields.excludeBots = rejectEmptyExpression(
			toggleField({
				displayName: 'Exclude Bots',
				description: 'Whether to leave out actions of bots, such as email scanners',
				default: true,
			}),
		);
	return fields;
}

function defineGetReportFile(simulator: Simulator): Operation {
	return defineOperation({
		value: 'getReportFile',
		name: 'Get Report File',
		action: `Get ${simulator} campaign job report file`,
		description: "Download the platform's Excel report of one campaign job",
		endpoint: getSimulatorEndpointKey(
			simulator,
			'GET /api/SIM-simulator/SIM-campaign-job-report/export/{resourceId}/{instanceGroup}',
		),
		scope: 'company',
		fields: { ...createReportFileFields(simulator) },
		request: ({ job, excludeBots }) => {
			const path = buildJobPath(job);
			return excludeBots === undefined ? { path } : { path, query: { excludeBotActivity: excludeBots } };
		},
		response: excelFileResponse(`${simulator}-report`, createJobFileOwner(simulator)),
		transformOutput: appendJobId,
	});
}

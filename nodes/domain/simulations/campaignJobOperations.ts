import { excelFileResponse, fileResponse } from '../../core/response/fileResponse';
import { JOB_SORTABLE_FIELDS, listResponse } from '../../core/response/listResponse';
import { recordResponse } from '../../core/response/recordResponse';
import { rejectEmptyExpression, type Field } from '../../core/fields/field';
import { toggleField } from '../../core/fields/fieldTypes';
import { defineOperation, type Operation } from '../../core/operation/defineOperation';
import { getSimulatorEndpointKey } from '../../core/api/endpoints';
import { appendJobId, prependJobId, createJobFileOwner, jobPicker, readJobId, type CampaignJob } from './campaignJob';
import { addJobFigures, getJobOutputFields, JOB_SUMMARY_FIELDS } from './campaignOutputFields';
import { defineResendJobOperations } from './resendJobOperations';
import { getPeriodReportNamePrefix, getSimulatorTitle, type Simulator } from './simulator';
import { createTestFilterOptions } from './testFilterOptions';

/**
 * Defines the operations for campaign jobs (contract 4.9; deployment beyond, "Campaigns"; deployment activity 6, 7).
 * @param searchJobUsersOperation the operation that lists the people of a job
 */
export const defineCampaignJobOperations = (simulator: Simulator, searchJobUsersOperation: Operation) => ({
	getMany: defineGetManyJobs(simulator),
	exportMany: defineExportJobs(simulator),
	getSummary: defineGetJobSummary(simulator),
	getReportFile: defineGetReportFile(simulator),
	stop: defineStopJob(simulator),
	...defineResendJobOperations(simulator, searchJobUsersOperation),
});

/** Builds the path parameters of a request about one job. */
const buildJobPath = ({ resourceId, instanceGroup }: CampaignJob) => ({ resourceId, instanceGroup });

function defineGetManyJobs(simulator: Simulator): Operation {
	const title = getSimulatorTitle(simulator);
	return defineOperation({
		value: 'getManyJobs',
		name: `Get Many ${title} Campaign Jobs`,
		description: `List the jobs of ${simulator} campaigns; a campaign can have several`,
		outputNote: `Drag the field jobId of an item onto 'Campaign Job' of another operation to choose that job. The totals may include bots. For figures without bots, use ${getPeriodReportNamePrefix(simulator)} in All ${title} Campaigns of Period.`,
		endpoint: getSimulatorEndpointKey(simulator, 'POST /api/SIM-simulator/SIM-campaign-job-report/search'),
		scope: 'companies',
		response: listResponse({
			identity: (json) => readJobId(simulator, json),
			outputFields: getJobOutputFields(simulator),
			sortableFields: JOB_SORTABLE_FIELDS,
			...createTestFilterOptions(simulator),
		}),
		transformOutput: (json) => prependJobId(simulator, json),
	});
}

function defineExportJobs(simulator: Simulator): Operation {
	return defineOperation({
		value: 'exportJobs',
		name: `Export ${getSimulatorTitle(simulator)} Campaign Jobs`,
		description: `Get the list of jobs of ${simulator} campaigns as a CSV or Excel file`,
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
	const noun = `${getSimulatorTitle(simulator)} Campaign Job`;
	return defineOperation({
		value: 'getJobSummary',
		name: `Get ${noun} Summary`,
		description:
			'Get the figures of one job: how many got it, opened, clicked, submitted, reported; bots may be in them',
		outputNote: `The platform may leave bots out of these figures and include them in Get Many ${noun}s. Don't combine the two in one rate.`,
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

function defineStopJob(simulator: Simulator): Operation {
	return defineOperation({
		value: 'stopJob',
		name: `Stop ${getSimulatorTitle(simulator)} Campaign Job`,
		description: 'Send nothing more of one job of a simulation',
		endpoint: getSimulatorEndpointKey(
			simulator,
			'PATCH /api/SIM-simulator/SIM-campaign-job/stop/{resourceId}/{instanceGroup}',
		),
		scope: 'company',
		fields: { job: jobPicker(simulator) },
		request: ({ job }) => ({ path: buildJobPath(job) }),
		response: recordResponse({ valueField: 'resourceId' }),
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
				description: 'Whether to leave out what mail scanners did',
				default: true,
			}),
		);
	return fields;
}

function defineGetReportFile(simulator: Simulator): Operation {
	return defineOperation({
		value: 'getReportFile',
		name: `Get ${getSimulatorTitle(simulator)} Campaign Report File`,
		description: "Get the platform's own Excel report of one job, once it is ready",
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

import type { IDataObject } from 'n8n-workflow';

import { createOutputChoice } from '../../core/response/outputFields';
import { rejectEmptyExpressions } from '../../core/fields/field';
import { choiceField, toggleField } from '../../core/fields/fieldTypes';
import { filtersBlock } from '../../core/filters/filterFields';
import { isInTimeRange, timeRangeFields, readTimeRange } from '../../core/fields/period';
import { defineComposite, type Operation, type OperationHelpers } from '../../core/operation/defineOperation';
import { readEach } from '../../core/operation/readEach';
import { isRecord, formatCount, toItemJson } from '../../core/values';
import { isTestRecord } from '../testRecords';
import { botFilterFields, createBotFilter, type BotFilter } from './botFilter';
import { formatJobId, jobPicker, readJob, readJobId, readStartTime, type CampaignJob } from './campaignJob';
import {
	addActionFields,
	ALL_PEOPLE_SEARCH_TYPE,
	JOB_PERSON_FIELDS,
	mergeRowsByPerson,
	RISKY_ACTIONS,
} from './jobPeople';
import { readCampaignName, type Simulator } from './simulator';

/** The operations that the full reports call. */
interface ReportOperations {
	getManyJobsOperation: Operation;
	getJobSummaryOperation: Operation;
	searchJobUsersOperation: Operation;
}

const outputChoice = createOutputChoice(JOB_PERSON_FIELDS);

const FIGURES_NOTE =
	"Each output item is one person in one campaign job. The output has no actions of bots (email scanners). To include them, add the filter 'Exclude Bots' and turn it off. In the output 'Raw', fields that begin with summary_ are totals of the whole campaign job.";

/** The output fields of a person, all null. The report of a job without people uses them. */
const EMPTY_PERSON: IDataObject = Object.fromEntries(JOB_PERSON_FIELDS.simplified.map((name) => [name, null]));

/**
 * Defines the operation that reports on one job. It returns one row per person. Each row also contains the figures of
 * the job, so that the rows can be used in a spreadsheet.
 */
export function defineFullReport(simulator: Simulator, operations: ReportOperations): Operation {
	const { getManyJobsOperation, getJobSummaryOperation, searchJobUsersOperation } = operations;
	return defineComposite({
		value: 'getFullReport',
		name: 'Get Full Report',
		action: `Get full ${simulator} campaign report`,
		description: 'List everyone in one campaign job and what each person did',
		outputNote: FIGURES_NOTE,
		scope: 'company',
		fields: { job: jobPicker(simulator), filters: filtersBlock(botFilterFields), ...outputChoice.fields },
		isReadOnly: true,
		dependencies: [getManyJobsOperation, getJobSummaryOperation, searchJobUsersOperation],
		run: async ({ job, filters, ...outputValues }, helpers) => {
			const botFilter = createBotFilter(filters.excludeBots, ALL_PEOPLE_SEARCH_TYPE);
			const report = await readJobReport(job, {}, operations, botFilter, helpers);
			botFilter.addHints(helpers.context);
			// The report of a job without people has one row. It contains the figures of the job and null in the fields of a
			// person.
			const rows =
				report.people.length > 0 ? report.people.map(report.createRow) : [{ ...EMPTY_PERSON, ...report.createRow({}) }];
			return rows.map(outputChoice.createItemMapper(outputValues));
		},
	});
}

/** The condition that a person's row must meet to be returned, by the value of 'Only People Who'. */
const PEOPLE_CONDITIONS: Record<string, (row: IDataObject) => boolean> = {
	all: () => true,
	clicked: ({ clicked }) => clicked === true,
	didNone: (row) => RISKY_ACTIONS.every((action) => row[action] !== true),
	didSomething: (row) => RISKY_ACTIONS.some((action) => row[action] === true),
	notReported: ({ reported }) => reported === false,
	opened: ({ opened }) => opened === true,
	reported: ({ reported }) => reported === true,
	submitted: ({ submitted }) => submitted === true,
};

/**
 * Creates the fields that select the jobs of a period, and the people of these jobs. Smishing has no option 'Opened',
 * because the platform doesn't know who opened a text message.
 */
function createPeriodReportFields(simulator: Simulator) {
	const isTextMessage = simulator === 'smishing';
	const openedOptions = isTextMessage ? [] : [{ name: 'Opened', value: 'opened' }];
	return rejectEmptyExpressions({
		...timeRangeFields,
		excludeTests: toggleField({
			displayName: 'Exclude Tests',
			default: true,
			description: 'Whether to leave out campaign jobs that are marked as a test',
		}),
		onlyPeopleWho: choiceField({
			displayName: 'Only People Who',
			description: 'Select which people to return. By default, everyone in the campaign jobs is returned.',
			default: 'all',
			options: [
				{ name: 'Clicked', value: 'clicked' },
				{
					name: 'Did None of These',
					value: 'didNone',
					description: `People who did none of these: ${isTextMessage ? 'clicked' : 'opened, clicked'}, submitted data`,
				},
				{ name: 'Did Not Report', value: 'notReported' },
				{
					name: 'Did One of These',
					value: 'didSomething',
					description: `People who did at least one of these: ${isTextMessage ? 'clicked' : 'opened, clicked'}, submitted data`,
				},
				...openedOptions,
				{ name: 'Reported', value: 'reported' },
				{ name: 'Submitted', value: 'submitted' },
				{ name: 'Were in the Job', value: 'all', description: 'Everyone in the campaign jobs of the period' },
			],
		}),
	});
}

/**
 * Defines the operation that reports on all jobs of a period, for one customer or for every customer. It returns one
 * row for each person in each job.
 */
export function defineFullReportOfPeriod(simulator: Simulator, operations: ReportOperations): Operation {
	const { getManyJobsOperation, getJobSummaryOperation, searchJobUsersOperation } = operations;
	return defineComposite({
		value: 'getManyByPeriod',
		name: 'Get Many by Period',
		action: `Get many ${simulator} results by period`,
		description: 'List everyone in all campaign jobs of a period and what each person did',
		outputNote: FIGURES_NOTE,
		scope: 'companies',
		fields: {
			...createPeriodReportFields(simulator),
			...outputChoice.fields,
			filters: filtersBlock(botFilterFields),
		},
		isReadOnly: true,
		dependencies: [getManyJobsOperation, getJobSummaryOperation, searchJobUsersOperation],
		run: async ({ excludeTests, onlyPeopleWho, filters, output, outputFields, ...period }, helpers) => {
			const botFilter = createBotFilter(filters.excludeBots, ALL_PEOPLE_SEARCH_TYPE);
			const timeRange = readTimeRange(period, helpers.context.timezone);
			const allRows = await helpers.listRecords(
				getManyJobsOperation,
				{},
				{ identity: (row) => readJobId(simulator, row) },
			);
			const jobRows = allRows.filter((row) => isInTimeRange(readStartTime(row), timeRange));
			helpers.context.reportSearch({
				noun: `${simulator} campaign job`,
				recordCount: jobRows.length,
				emptyReason: 'there is no one in them',
			});
			const undatedJobCount = jobRows.filter((row) => readStartTime(row) === undefined).length;
			if (undatedJobCount > 0)
				helpers.context.addHint(
					'Jobs without a date are in the output, although they may be outside the period.',
					formatCount(undatedJobCount, 'job'),
				);
			const reports = await readEach(
				readListedJobs(simulator, jobRows),
				{
					noun: 'job',
					describe: ({ job, row }) => `${readCampaignName(row) ?? 'No name'} (${formatJobId(job)})`,
					read: ({ job, row }) => readJobReport(job, row, operations, botFilter, helpers),
				},
				helpers.context,
			);
			botFilter.addHints(helpers.context);
			return reports
				.filter(({ summary }) => !(excludeTests && isTestRecord(summary)))
				.flatMap(({ people, createRow }) => people.map(createRow))
				.filter(PEOPLE_CONDITIONS[onlyPeopleWho] ?? (() => true))
				.map(outputChoice.createItemMapper({ output, outputFields }));
		},
	});
}

/** A job, and its row in the list of jobs. */
interface ListedJob {
	job: CampaignJob;
	row: IDataObject;
}

/** Reads which job each row describes. Rows without the ID of a job are skipped. */
function readListedJobs(simulator: Simulator, rows: IDataObject[]): ListedJob[] {
	return rows.flatMap((row) => {
		const job = readJob(simulator, row);
		return job ? [{ job, row }] : [];
	});
}

/** The data of a report on one job. */
interface JobReport {
	summary: IDataObject;
	/** The rows of the people in the job, one per person, with their actions. */
	people: IDataObject[];
	/**
	 * Creates the output row of a person, with the campaign's name and the figures of the job. For an empty object, the
	 * row contains only the data of the job.
	 */
	createRow: (person: IDataObject) => IDataObject;
}

/**
 * Reads the summary and the people of a job, for a report.
 * @param row the job's row in the list of jobs; an empty object if the list was not read
 * @throws RequestError
 */
async function readJobReport(
	job: CampaignJob,
	row: IDataObject,
	{ getJobSummaryOperation, searchJobUsersOperation }: ReportOperations,
	botFilter: BotFilter,
	helpers: OperationHelpers,
): Promise<JobReport> {
	const { resourceId, instanceGroup } = job;
	const { data } = await helpers.callOperation(getJobSummaryOperation, { path: { resourceId, instanceGroup } });
	const summary = toItemJson(data);
	const request = { path: { ...job, searchType: ALL_PEOPLE_SEARCH_TYPE }, body: botFilter.body };
	const personRows = await helpers.listRecords(searchJobUsersOperation, request, {
		identity: [],
		...botFilter.readOptions,
	});
	const figures = {
		jobResourceId: resourceId,
		instanceGroup: Number(instanceGroup),
		...flattenFigures(summary, 'summary'),
	};
	return {
		summary,
		people: mergeRowsByPerson(personRows.map(addActionFields).map(botFilter.clearBotActions)),
		createRow: (person) => ({
			campaignName: readCampaignName(row) ?? readCampaignName(summary) ?? null,
			jobId: formatJobId(job),
			jobStartTime: readStartTime(row) ?? readStartTime(toItemJson(summary.campaignInfo)) ?? null,
			...person,
			...figures,
		}),
	};
}

/**
 * Flattens a summary into one level of fields. Nested names are joined: summary_sent_total. Arrays, such as the list of
 * email templates, are left out.
 */
function flattenFigures(summary: IDataObject, prefix: string): IDataObject {
	const figures: IDataObject = {};
	for (const [name, value] of Object.entries(summary)) {
		if (isRecord(value)) Object.assign(figures, flattenFigures(toItemJson(value), `${prefix}_${name}`));
		else if (!Array.isArray(value)) figures[`${prefix}_${name}`] = value;
	}
	return figures;
}

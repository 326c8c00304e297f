import { upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { createOutputChoice } from '../../core/response/outputFields';
import { rejectEmptyExpressions } from '../../core/fields/field';
import { choiceField, toggleField } from '../../core/fields/fieldTypes';
import { filtersBlock } from '../../core/filters/filterFields';
import { isInTimeRange, timeRangeFields, readTimeRange } from '../../core/fields/period';
import { defineComposite, type Operation, type OperationTools } from '../../core/operation/defineOperation';
import { readEach } from '../../core/operation/readEach';
import { isRecord, formatCount, toItemJson } from '../../core/values';
import { isTestRecord } from '../testRecords';
import { botFields, createBotFilter, type BotFilter } from './botFilter';
import { formatJobId, jobPicker, readJob, readJobId, readStartTime, type CampaignJob } from './campaignJob';
import { addActions, ALL_PEOPLE, JOB_PERSON_FIELDS, mergeRowsByPerson, RISKY_ACTIONS } from './jobPeople';
import { getPeriodReportTitle, getSimulatorTitle, readCampaignName, type Simulator } from './simulator';

/** The operations that the full reports call. */
interface ReportOperations {
	getManyJobs: Operation;
	getJobSummary: Operation;
	searchJobUsers: Operation;
}

const peopleOutput = createOutputChoice(JOB_PERSON_FIELDS);

const FIGURES_NOTE =
	"Actions of bots are left out unless 'Exclude Bots' is off. The figures that begin with summary_ come from the platform and may include bots.";

/** The columns of a person, for the report of a job without people. All are empty. */
const EMPTY_PERSON: IDataObject = Object.fromEntries(JOB_PERSON_FIELDS.simplified.map((name) => [name, null]));

/**
 * Defines the operation that reports on one job. It returns one row per person, for use in a spreadsheet. Each row
 * contains the figures of the job.
 */
export function defineFullReport(simulator: Simulator, operations: ReportOperations): Operation {
	const { getManyJobs, getJobSummary, searchJobUsers } = operations;
	return defineComposite({
		value: 'fullReport',
		name: `Get Full ${getSimulatorTitle(simulator)} Campaign Report`,
		description:
			'Get who opened, clicked, submitted and reported in one job, a row per person; Raw has the figures of the job',
		outputNote: FIGURES_NOTE,
		scope: 'company',
		fields: { job: jobPicker(simulator), filters: filtersBlock(botFields), ...peopleOutput.fields },
		isReadOnly: true,
		dependencies: [getManyJobs, getJobSummary, searchJobUsers],
		run: async ({ job, filters, ...outputValues }, tools) => {
			const botFilter = createBotFilter(filters.excludeBots, ALL_PEOPLE);
			const report = await readJobReport(job, {}, operations, botFilter, tools);
			botFilter.addHints(tools.context);
			// A job without people has one row with its figures and the same columns as any other job.
			const rows =
				report.people.length > 0 ? report.people.map(report.createRow) : [{ ...EMPTY_PERSON, ...report.createRow({}) }];
			return rows.map(peopleOutput.createItemMapper(outputValues));
		},
	});
}

/** The condition that a person's row must meet, by the value of 'Only People Who'. */
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
 * Creates the fields that select the jobs and the people of a period. For text messages, it isn't known who opened
 * them.
 */
function createPeriodReportFields(simulator: Simulator) {
	const isTextMessage = simulator === 'smishing';
	const openedOptions = isTextMessage ? [] : [{ name: 'Opened', value: 'opened' }];
	return rejectEmptyExpressions({
		...timeRangeFields,
		excludeTests: toggleField({
			displayName: 'Exclude Tests',
			default: true,
			description: 'Whether to leave out jobs that are marked as a test',
		}),
		onlyPeopleWho: choiceField({
			displayName: 'Only People Who',
			description: 'Which people to return',
			default: 'all',
			options: [
				{ name: 'Clicked', value: 'clicked' },
				{
					name: 'Did None of These',
					value: 'didNone',
					description: `Neither ${isTextMessage ? 'clicked' : 'opened, clicked'} nor submitted`,
				},
				{ name: 'Did Not Report', value: 'notReported' },
				{
					name: 'Did One of These',
					value: 'didSomething',
					description: isTextMessage ? 'Clicked or submitted' : 'Opened, clicked or submitted',
				},
				...openedOptions,
				{ name: 'Reported', value: 'reported' },
				{ name: 'Submitted', value: 'submitted' },
				{ name: 'Were in the Job', value: 'all', description: 'Everybody' },
			],
		}),
	});
}

/**
 * Defines the operation that reports on all jobs of a period, for one customer or every customer. It returns one row
 * per person and job.
 */
export function defineFullReportOfPeriod(simulator: Simulator, operations: ReportOperations): Operation {
	const { getManyJobs, getJobSummary, searchJobUsers } = operations;
	const name = `${getPeriodReportTitle(simulator)} in All ${getSimulatorTitle(simulator)} Campaigns of Period`;
	return defineComposite({
		value: 'fullReportOfPeriod',
		name,
		// n8n's lint rules don't allow a comma in an action.
		action: upperFirst(name.replace(',', ' or').toLowerCase()),
		description: 'Get who opened, clicked, submitted and reported in all jobs of a period, a row per person and job',
		outputNote: FIGURES_NOTE,
		scope: 'companies',
		fields: {
			...createPeriodReportFields(simulator),
			...peopleOutput.fields,
			filters: filtersBlock(botFields),
		},
		isReadOnly: true,
		dependencies: [getManyJobs, getJobSummary, searchJobUsers],
		run: async ({ excludeTests, onlyPeopleWho, filters, output, outputFields, ...period }, tools) => {
			const botFilter = createBotFilter(filters.excludeBots, ALL_PEOPLE);
			const timeRange = readTimeRange(period, tools.context.timezone);
			const allRows = await tools.listRecords(getManyJobs, {}, { identity: (row) => readJobId(simulator, row) });
			const jobRows = allRows.filter((row) => isInTimeRange(readStartTime(row), timeRange));
			tools.context.reportSearch({
				noun: `${simulator} campaign job`,
				count: jobRows.length,
				emptyReason: 'nobody in them',
			});
			const undatedCount = jobRows.filter((row) => readStartTime(row) === undefined).length;
			if (undatedCount > 0)
				tools.context.addHint(
					'Jobs without a date are in the output, whatever the period is.',
					formatCount(undatedCount, 'job'),
				);
			const reports = await readEach(
				readListedJobs(simulator, jobRows),
				{
					noun: 'job',
					describe: ({ job, row }) => `${readCampaignName(row) ?? 'No name'} (${formatJobId(job)})`,
					read: ({ job, row }) => readJobReport(job, row, operations, botFilter, tools),
				},
				tools.context,
			);
			botFilter.addHints(tools.context);
			return reports
				.filter(({ summary }) => !(excludeTests && isTestRecord(summary)))
				.flatMap(({ people, createRow }) => people.map(createRow))
				.filter(PEOPLE_CONDITIONS[onlyPeopleWho] ?? (() => true))
				.map(peopleOutput.createItemMapper({ output, outputFields }));
		},
	});
}

/** A job, and its row in the list of jobs. */
interface ListedJob {
	job: CampaignJob;
	row: IDataObject;
}

/** Reads the job of each row. Rows without the ID of a job are skipped. */
function readListedJobs(simulator: Simulator, rows: IDataObject[]): ListedJob[] {
	return rows.flatMap((row) => {
		const job = readJob(simulator, row);
		return job ? [{ job, row }] : [];
	});
}

/** The data of a report on one job. */
interface JobReport {
	summary: IDataObject;
	/** The people of the job with their actions, one row per person. */
	people: IDataObject[];
	/** Creates the row of a person, with the name and the figures of the job. An empty object creates a row of the job alone. */
	createRow: (person: IDataObject) => IDataObject;
}

/**
 * Reads the summary and the people of a job.
 * @param row the job's row in the list of jobs; empty if the list was not read
 * @throws RequestError
 */
async function readJobReport(
	job: CampaignJob,
	row: IDataObject,
	{ getJobSummary, searchJobUsers }: ReportOperations,
	botFilter: BotFilter,
	tools: OperationTools,
): Promise<JobReport> {
	const { resourceId, instanceGroup } = job;
	const { data } = await tools.callOperation(getJobSummary, { path: { resourceId, instanceGroup } });
	const summary = toItemJson(data);
	const request = { path: { ...job, searchType: ALL_PEOPLE }, body: botFilter.body };
	const personRows = await tools.listRecords(searchJobUsers, request, { identity: [], ...botFilter.readOptions });
	const figures = {
		jobResourceId: resourceId,
		instanceGroup: Number(instanceGroup),
		...flattenFigures(summary, 'summary'),
	};
	return {
		summary,
		people: mergeRowsByPerson(personRows.map(addActions).map(botFilter.clearBotActions)),
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
 * Flattens a summary into one level of fields. A field's name is its path: summary_sent_total. Lists, such as those of
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

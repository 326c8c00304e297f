import { upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { recordOutput } from '../../core/response/outputFields';
import { mustHaveValues } from '../../core/fields/field';
import { choice, toggle } from '../../core/fields/fieldTypes';
import { filtersOf } from '../../core/filters/filterFields';
import { isWithin, windowFields, windowOf } from '../../core/fields/period';
import { defineComposite, type Operation, type Tools } from '../../core/operation/defineOperation';
import { readEach } from '../../core/operation/readEach';
import { botFields, botFilter, type BotFilter } from './bots';
import { ALL_PEOPLE, onePerPerson, PERSON, RISKY_ACTIONS, withActions } from './people';
import {
	campaignName,
	jobId,
	jobKey,
	jobOf,
	jobPicker,
	startTime,
	titleOf,
	whoDidInPeriod,
	type Job,
	type Simulator,
} from './simulator';
import { isRecord, plural, toJson } from '../../core/values';
import { isTest } from '../testRecords';

/** The operations whose lists a report is made of. */
type Uses = Record<'jobs' | 'summary' | 'people', Operation>;

const output = recordOutput(PERSON);

/**
 * The operation that returns one run of a campaign as rows for a spreadsheet: one per person, each with the figures of
 * the run.
 */
export function fullReport(simulator: Simulator, uses: Uses): Operation {
	return defineComposite({
		value: 'fullReport',
		name: `Get Full ${titleOf(simulator)} Campaign Report`,
		description:
			'Get who opened, clicked, submitted and reported in one job, a row per person; Raw has the figures of the job',
		outputNote: FIGURES_NOTE,
		scope: 'company',
		fields: { job: jobPicker(simulator), filters: filtersOf(botFields), ...output.fields },
		reads: true,
		uses: Object.values(uses),
		run: async ({ job, filters, ...chosen }, tools) => {
			const bots = botFilter(filters.excludeBots, ALL_PEOPLE);
			const { people, rowOf } = await reportOf(job, { ...uses, bots }, tools);
			bots.tell(tools.context);
			// A run that was sent to nobody still has a row with its figures, and the columns of any other.
			const rows = people.length > 0 ? people.map(rowOf) : [{ ...NOBODY, ...rowOf({}) }];
			return rows.map(output.of(chosen));
		},
	});
}

const FIGURES_NOTE =
	"Actions of bots are left out unless 'Exclude Bots' is off. The figures that begin with summary_ come from the platform and may include bots.";

const NOBODY = Object.fromEntries(PERSON.simplified.map((name) => [name, null]));

const WHO: Record<string, (row: IDataObject) => boolean> = {
	all: () => true,
	clicked: ({ clicked }) => clicked === true,
	didNone: (row) => RISKY_ACTIONS.every((action) => row[action] !== true),
	didSomething: (row) => RISKY_ACTIONS.some((action) => row[action] === true),
	notReported: ({ reported }) => reported === false,
	opened: ({ opened }) => opened === true,
	reported: ({ reported }) => reported === true,
	submitted: ({ submitted }) => submitted === true,
};

function periodFields(simulator: Simulator) {
	const isText = simulator === 'smishing';
	const risky = isText ? 'clicked' : 'opened, clicked';
	return mustHaveValues({
		...windowFields,
		excludeTests: toggle({
			displayName: 'Exclude Tests',
			default: true,
			description: 'Whether to leave out jobs that are marked as a test',
		}),
		onlyPeopleWho: choice({
			displayName: 'Only People Who',
			description: 'Which people to return',
			default: 'all',
			options: [
				{ name: 'Clicked', value: 'clicked' },
				{ name: 'Did None of These', value: 'didNone', description: `Neither ${risky} nor submitted` },
				{ name: 'Did Not Report', value: 'notReported' },
				{
					name: 'Did One of These',
					value: 'didSomething',
					description: isText ? 'Clicked or submitted' : 'Opened, clicked or submitted',
				},
				...(isText ? [] : [{ name: 'Opened', value: 'opened' }]),
				{ name: 'Reported', value: 'reported' },
				{ name: 'Submitted', value: 'submitted' },
				{ name: 'Were in the Job', value: 'all', description: 'Everybody' },
			],
		}),
	});
}

/** The operation that returns all runs of a period as such rows, for one customer or every customer. */
export function fullReportOfPeriod(simulator: Simulator, uses: Uses): Operation {
	const name = `${whoDidInPeriod(simulator)} in All ${titleOf(simulator)} Campaigns of Period`;
	return defineComposite({
		value: 'fullReportOfPeriod',
		name,
		// n8n's lint knows no comma in one.
		action: upperFirst(name.replace(',', ' or').toLowerCase()),
		description: 'Get who opened, clicked, submitted and reported in all jobs of a period, a row per person and job',
		outputNote: FIGURES_NOTE,
		scope: 'companies',
		fields: { ...periodFields(simulator), ...output.fields, filters: filtersOf(botFields) },
		reads: true,
		uses: Object.values(uses),
		run: async ({ excludeTests, onlyPeopleWho, filters, output: which, outputFields, ...period }, tools) => {
			const bots = botFilter(filters.excludeBots, ALL_PEOPLE);
			const window = windowOf(period, tools.context.timezone);
			const rows = await tools.list(uses.jobs, {}, { identity: (row) => jobId(simulator, row) });
			const jobs = rows.filter((row) => isWithin(startTime(row), window));
			tools.context.looked({ thing: `${simulator} campaign job`, count: jobs.length, none: 'nobody in them' });
			const undated = jobs.filter((row) => startTime(row) === undefined).length;
			if (undated > 0)
				tools.context.hint('Jobs without a date are in the output, whatever the period is.', plural(undated, 'job'));
			const knownJobs = jobs.flatMap((row) => {
				const job = jobOf(simulator, row);
				return job ? [{ job, row }] : [];
			});
			const reading = {
				thing: 'job',
				describe: ({ job, row }: (typeof knownJobs)[number]) => `${campaignName(row) ?? 'No name'} (${jobKey(job)})`,
				read: async ({ job, row }: (typeof knownJobs)[number]) => reportOf(job, { ...uses, bots }, tools, row),
			};
			const reports = await readEach(knownJobs, reading, tools.context);
			bots.tell(tools.context);
			return reports
				.filter(({ summary }) => !(excludeTests && isTest(summary)))
				.flatMap(({ people, rowOf }) => people.map(rowOf))
				.filter(WHO[onlyPeopleWho] ?? (() => true))
				.map(output.of({ output: which, outputFields }));
		},
	});
}

/** The people of a job, with what they did, and what makes a row of each, with the figures of the job. @throws ServiceError */
async function reportOf(
	job: Job,
	{ summary, people, bots }: Uses & { bots: BotFilter },
	tools: Tools,
	row: IDataObject = {},
) {
	const { resourceId, instanceGroup } = job;
	const data = toJson((await tools.ask(summary, { path: { resourceId, instanceGroup } })).data);
	const asked = { path: { ...job, searchType: ALL_PEOPLE }, body: bots.body };
	const found = await tools.list(people, asked, { identity: [], ...bots.shape });
	const figures = { jobResourceId: resourceId, instanceGroup: Number(instanceGroup), ...figuresOf(data, 'summary') };
	const rowOf = (person: IDataObject): IDataObject => ({
		campaignName: campaignName(row) ?? campaignName(data) ?? null,
		jobId: jobKey(job),
		jobStartTime: startTime(row) ?? startTime(toJson(data.campaignInfo)) ?? null,
		...person,
		...figures,
	});
	return { summary: data, people: onePerPerson(found.map(withActions).map(bots.ofPerson)), rowOf };
}

/**
 * The figures of a summary as flat fields, with the path as name: summary_sent_total. Lists, such as mail templates,
 * are left out.
 */
function figuresOf(data: IDataObject, prefix: string): IDataObject {
	const figures: IDataObject = {};
	for (const [name, value] of Object.entries(data)) {
		if (isRecord(value)) Object.assign(figures, figuresOf(toJson(value), `${prefix}_${name}`));
		else if (!Array.isArray(value)) figures[`${prefix}_${name}`] = value;
	}
	return figures;
}

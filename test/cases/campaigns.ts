import assert from 'node:assert/strict';
import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { SIMULATORS, type Simulator } from '../stand-in/personality';
import { byId, type CustomerFixture } from './customerFixture';
import {
	casesOf,
	areRecords,
	figures,
	file,
	lists,
	refusedOnce,
	the,
	type Case,
	type Item,
	type Prepare,
	type Row,
} from './case';

export const FOLDERS = {
	phishing: 'PhishingCampaign',
	smishing: 'SmishingCampaign',
	quishing: 'QuishingCampaign',
} as const satisfies Record<Simulator, string>;

/** What can be done with a simulated message, as operations are called. */
export const VERBS = ['opened', 'clicked', 'submitted', 'reported'] as const;
export type Verb = (typeof VERBS)[number];

/** The contract's rows of a simulator (4.9). */
export function keysOf(simulator: Simulator) {
	const path = `/api/${simulator}-simulator/${simulator}-campaign`;
	const job = `${path}-job-report`;
	return {
		campaigns: `POST ${path}/search`,
		campaignsExport: `POST ${path}/search/export`,
		jobs: `POST ${job}/search`,
		jobsExport: `POST ${job}/search/export`,
		summary: `GET ${job}/summary/{resourceId}/{instanceGroup}`,
		people: `POST ${job}/{searchType}/search/{resourceId}/{instanceGroup}`,
		events: (verb: Verb) => `POST ${job}/search-email-${verb}/{resourceId}`,
	};
}

const Capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const fill = (key: string, { searchType = '', id, group }: { searchType?: string; id: string; group: number }) =>
	key.replace('{searchType}', searchType).replace('{resourceId}', id).replace('{instanceGroup}', String(group));

/** The campaigns of a customer that were sent, and so have jobs. */
export const sentOf = ({ holdings }: CustomerFixture, simulator: Simulator) =>
	holdings.campaigns(simulator).filter(({ status }) => status !== 'Scheduled');

/** A campaign that was sent twice, and its second run. */
export const aJob = (
	customer: CustomerFixture,
	simulator: Simulator,
): { id: string; group: number; name: string; parameters: IDataObject } => {
	const { resourceId, name } = the(sentOf(customer, simulator).find(({ instanceGroups }) => instanceGroups.length > 1));
	return { id: resourceId, group: 2, name, parameters: { ...customer.scoped, job: byId(`${resourceId}/2`) } };
};

/** The people of a run by a search type that the platform has. */
export const peopleOf = async (
	customer: CustomerFixture,
	simulator: Simulator,
	searchType: string,
	job: { id: string; group: number },
	narrowing: object = {},
): Promise<Row[]> => customer.list(fill(keysOf(simulator).people, { searchType, ...job }), narrowing);

/** Asks a live deployment for humans only, which are what operations return. */
export const HUMANS = { activityType: 0 };

/** Those who did something, without bots; not every live deployment has a search type for who submitted, but each counts it for everybody. */
export async function whoDid(
	customer: CustomerFixture,
	simulator: Simulator,
	verb: Verb,
	job: { id: string; group: number },
): Promise<Row[]> {
	const narrowing = verb === 'reported' ? {} : HUMANS;
	if (!customer.isDeployed || verb !== 'submitted')
		return await peopleOf(customer, simulator, Capital(verb), job, narrowing);
	return (await peopleOf(customer, simulator, 'All', job, narrowing)).filter(
		({ submittedCount }) => Number(submittedCount) > 0,
	);
}

type Did = boolean | null;

/** Whether a person's row says that it was done: by a flag, or by a count; a text message's does not say who opened it. */
function didIn(row: Row, verb: Verb): Did {
	const flag = row[`is${Capital(verb)}`];
	const count = row[`${verb}Count`];
	if (flag !== undefined) return flag === true;
	return count === undefined ? null : Number(count) > 0;
}

/** Rows of people as they come out: with what each did under one name. */
const shownOf = (people: Row[]): Row[] =>
	people.map((row) => ({
		...omit(row, ['isOpened', 'isClicked', 'isSubmitted', 'isReported']),
		...Object.fromEntries(VERBS.map((verb) => [verb, didIn(row, verb)])),
	}));

const countOrDeed = z.object({ email: z.string() }).passthrough();

/** Everybody that a run was sent to, with whether each opened, clicked, submitted and reported: by flags, or by counts; not what a bot did. */
export async function everybody(
	customer: CustomerFixture,
	simulator: Simulator,
	job: { id: string; group: number },
): Promise<Array<[string, ...Did[]]>> {
	const all = z.array(countOrDeed).parse(await peopleOf(customer, simulator, 'All', job));
	const did = (row: Row, verb: Verb) =>
		verb !== 'reported' && /bot|sandbox/i.test(String(row.activityType ?? '')) && didIn(row, verb)
			? false
			: didIn(row, verb);
	return all.map((row): [string, ...Did[]] => [row.email, ...VERBS.map((verb) => did(row, verb))]).sort();
}

/** What a report's items say of it. */
export const told = (items: Item[]) => items.map(({ json }) => [json.email, ...VERBS.map((verb) => json[verb])]).sort();

function casesOfSimulator(simulator: Simulator): Case[] {
	const node = FOLDERS[simulator];
	const keys = keysOf(simulator);
	/** The people of the chosen run who did it: not those of the campaign's other runs. */
	const didIt =
		(verb: Verb): Prepare =>
		async (customer) => {
			const { parameters, ...job } = aJob(customer, simulator);
			const people = await whoDid(customer, simulator, verb, job);
			return {
				parameters: { ...parameters, returnAll: true },
				items: people.length,
				requests: [keys.people, keys.summary],
				expect: (items) =>
					areRecords(
						items.map((item) => ({ ...item, json: omit(item.json, 'campaignName') })),
						shownOf(people).map((row) => ({ ...row, [verb]: true })),
					),
			};
		};
	const records = casesOf(node, {
		getMany: async (customer) => lists(customer, keys.campaigns),
		getManyJobs: async (customer) => lists(customer, keys.jobs),
		getJobSummary: async (customer) => {
			const { parameters, ...job } = aJob(customer, simulator);
			const { name, excludeFromReports } = the(
				customer.holdings.campaigns(simulator).find((each) => each.resourceId === job.id),
			);
			return await figures(customer, fill(keys.summary, job), parameters, (all) => ({
				campaignName: name,
				jobStartTime: all.startDate ?? all.sentTime,
				isTest: excludeFromReports,
				targets: all.totalTargetUserCount ?? all.sent,
				delivered: all.emailDeliveredUserCount ?? all.delivered,
				...Object.fromEntries(
					[...VERBS, 'noResponse'].map((word) => [word, customer.isDeployed ? all[`${word}Email`] : all[word]]),
				),
			}));
		},
		searchJobUsers: async (customer) => {
			const { parameters, ...job } = aJob(customer, simulator);
			// As it was typed while it was a text, and as a live deployment knows it.
			const searchType = customer.isDeployed ? 'Reported' : 'reported';
			const people = await peopleOf(customer, simulator, searchType, job);
			return {
				parameters: {
					...parameters,
					returnAll: true,
					filters: { searchType: customer.isDeployed ? byId(searchType) : searchType },
				},
				items: people.length,
				expect: (items) => areRecords(items, shownOf(people)),
			};
		},
		opened: didIt('opened'),
		clicked: didIt('clicked'),
		submitted: didIt('submitted'),
		reported: didIt('reported'),
		fullReport: async (customer) => {
			const { parameters, ...job } = aJob(customer, simulator);
			const expected = await everybody(customer, simulator, job);
			return {
				parameters,
				items: expected.length,
				requests: [keys.summary, keys.people],
				expect: (items) => {
					assert.deepEqual(told(items), expected);
					for (const { json } of items) assert.equal(json.jobId, `${job.id}/${job.group}`);
				},
			};
		},
		fullReportOfPeriod: async (customer) => {
			const jobs = sentOf(customer, simulator).flatMap(({ resourceId: id, instanceGroups }) =>
				instanceGroups.map((group) => ({ id, group })),
			);
			const reports = await Promise.all(jobs.map(async (job) => everybody(customer, simulator, job)));
			const rows = reports.flat().sort();
			return {
				parameters: { ...customer.scoped, period: 'custom' },
				items: rows.length,
				requests: [keys.jobs, ...jobs.flatMap(() => [keys.summary, keys.people])],
				...(customer.isDeployed ? { again: [keys.jobs] } : {}),
				expect: (items) => {
					assert.deepEqual(told(items), rows);
					const ofJobs = new Set(items.map(({ json }) => String(json.jobId)));
					assert.deepEqual([...ofJobs].sort(), jobs.map(({ id, group }) => `${id}/${group}`).sort());
				},
			};
		},
	});
	const files = casesOf(
		node,
		{
			export: (customer) =>
				file(customer, {
					key: keys.campaignsExport,
					fileName: `${simulator}-campaigns.csv`,
					rows: customer.holdings.campaigns(simulator).length,
					parameters: customer.scoped,
					search: keys.campaigns,
				}),
			exportJobs: (customer) => {
				const run = file(customer, {
					key: keys.jobsExport,
					fileName: `${simulator}-jobs.csv`,
					rows: sentOf(customer, simulator).flatMap(({ instanceGroups }) => instanceGroups).length,
					parameters: customer.scoped,
					search: keys.jobs,
				});
				return refusedOnce(customer, keys.jobs, run);
			},
		},
		{ isFile: true },
	);
	return [...records, ...files];
}

/** Simulations and their reports, once for each simulator. */
export const campaignCases: Case[] = SIMULATORS.flatMap(casesOfSimulator);

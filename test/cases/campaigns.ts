import assert from 'node:assert/strict';
import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { SIMULATORS, type Simulator } from '../stand-in/personality';
import { toIdLocator, type CustomerFixture } from './customerFixture';
import {
	defineCases,
	expectRecords,
	createSummaryRun,
	createExportRun,
	createListRun,
	allowRejection,
	requireValue,
	type Case,
	type Item,
	type PrepareRun,
	type JsonObject,
} from './case';

export const NODE_FOLDERS = {
	phishing: 'PhishingCampaign',
	smishing: 'SmishingCampaign',
	quishing: 'QuishingCampaign',
} as const satisfies Record<Simulator, string>;

/** What can be done with a simulated message, as operations are called. */
export const USER_ACTIONS = ['opened', 'clicked', 'submitted', 'reported'] as const;
export type UserActionName = (typeof USER_ACTIONS)[number];

/** The contract's rows of a simulator (contract 4.9). */
export function getCampaignKeys(simulator: Simulator) {
	const path = `/api/${simulator}-simulator/${simulator}-campaign`;
	const job = `${path}-job-report`;
	return {
		campaigns: `POST ${path}/search`,
		campaignsExport: `POST ${path}/search/export`,
		jobs: `POST ${job}/search`,
		jobsExport: `POST ${job}/search/export`,
		summary: `GET ${job}/summary/{resourceId}/{instanceGroup}`,
		people: `POST ${job}/{searchType}/search/{resourceId}/{instanceGroup}`,
		events: (verb: UserActionName) => `POST ${job}/search-email-${verb}/{resourceId}`,
	};
}

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const fillPath = (key: string, { searchType = '', id, group }: { searchType?: string; id: string; group: number }) =>
	key.replace('{searchType}', searchType).replace('{resourceId}', id).replace('{instanceGroup}', String(group));

/** The campaigns of a customer that were sent, and so have jobs. */
export const listSentCampaigns = ({ companyData: holdings }: CustomerFixture, simulator: Simulator) =>
	holdings.getCampaigns(simulator).filter(({ status }) => status !== 'Scheduled');

/** A campaign that was sent twice, and its second run. */
export const findJob = (
	customer: CustomerFixture,
	simulator: Simulator,
): { id: string; group: number; name: string; parameters: IDataObject } => {
	const { resourceId, name } = requireValue(listSentCampaigns(customer, simulator).find(({ instanceGroups }) => instanceGroups.length > 1));
	return { id: resourceId, group: 2, name, parameters: { ...customer.companyParameters, job: toIdLocator(`${resourceId}/2`) } };
};

/** The people of a run by a search type that the platform has. */
export const fetchJobPeople = async (
	customer: CustomerFixture,
	simulator: Simulator,
	searchType: string,
	job: { id: string; group: number },
	narrowing: object = {},
): Promise<JsonObject[]> => customer.fetchList(fillPath(getCampaignKeys(simulator).people, { searchType, ...job }), narrowing);

/** Asks a live deployment for humans only, which are what operations return. */
export const HUMANS_ONLY = { activityType: 0 };

/** Those who did something, without bots; not every live deployment has a search type for who submitted, but each counts it for everybody. */
export async function fetchPeopleByAction(
	customer: CustomerFixture,
	simulator: Simulator,
	verb: UserActionName,
	job: { id: string; group: number },
): Promise<JsonObject[]> {
	const narrowing = verb === 'reported' ? {} : HUMANS_ONLY;
	if (!customer.isDeployed || verb !== 'submitted')
		return await fetchJobPeople(customer, simulator, capitalize(verb), job, narrowing);
	return (await fetchJobPeople(customer, simulator, 'All', job, narrowing)).filter(
		({ submittedCount }) => Number(submittedCount) > 0,
	);
}

type ActionState = boolean | null;

/** Whether a person's row says that it was done: by a flag, or by a count; a text message's does not say who opened it. */
function readActionState(row: JsonObject, verb: UserActionName): ActionState {
	const flag = row[`is${capitalize(verb)}`];
	const count = row[`${verb}Count`];
	if (flag !== undefined) return flag === true;
	return count === undefined ? null : Number(count) > 0;
}

/** Rows of people as they come out: with what each did under one name. */
const toExpectedPeople = (people: JsonObject[]): JsonObject[] =>
	people.map((row) => ({
		...omit(row, ['isOpened', 'isClicked', 'isSubmitted', 'isReported']),
		...Object.fromEntries(USER_ACTIONS.map((verb) => [verb, readActionState(row, verb)])),
	}));

const countOrDeed = z.object({ email: z.string() }).passthrough();

/** Everybody that a run was sent to, with whether each opened, clicked, submitted and reported: by flags, or by counts; not what a bot did. */
export async function fetchFullReport(
	customer: CustomerFixture,
	simulator: Simulator,
	job: { id: string; group: number },
): Promise<Array<[string, ...ActionState[]]>> {
	const all = z.array(countOrDeed).parse(await fetchJobPeople(customer, simulator, 'All', job));
	const did = (row: JsonObject, verb: UserActionName) =>
		verb !== 'reported' && /bot|sandbox/i.test(String(row.activityType ?? '')) && readActionState(row, verb)
			? false
			: readActionState(row, verb);
	return all.map((row): [string, ...ActionState[]] => [row.email, ...USER_ACTIONS.map((verb) => did(row, verb))]).sort();
}

/** What a report's items say of it. */
export const readReportItems = (items: Item[]) => items.map(({ json }) => [json.email, ...USER_ACTIONS.map((verb) => json[verb])]).sort();

function defineSimulatorCases(simulator: Simulator): Case[] {
	const node = NODE_FOLDERS[simulator];
	const keys = getCampaignKeys(simulator);
	/** The people of the chosen run who did it: not those of the campaign's other runs. */
	const didIt =
		(verb: UserActionName): PrepareRun =>
		async (customer) => {
			const { parameters, ...job } = findJob(customer, simulator);
			const people = await fetchPeopleByAction(customer, simulator, verb, job);
			return {
				parameters: { ...parameters, returnAll: true },
				itemCount: people.length,
				requiredRequests: [keys.people, keys.summary],
				checkItems: (items) =>
					expectRecords(
						items.map((item) => ({ ...item, json: omit(item.json, 'campaignName') })),
						toExpectedPeople(people).map((row) => ({ ...row, [verb]: true })),
					),
			};
		};
	const records = defineCases(node, {
		getMany: async (customer) => createListRun(customer, keys.campaigns),
		getManyJobs: async (customer) => createListRun(customer, keys.jobs),
		getJobSummary: async (customer) => {
			const { parameters, ...job } = findJob(customer, simulator);
			const { name, excludeFromReports } = requireValue(
				customer.companyData.getCampaigns(simulator).find((each) => each.resourceId === job.id),
			);
			return await createSummaryRun(customer, fillPath(keys.summary, job), parameters, (all) => ({
				campaignName: name,
				jobStartTime: all.startDate ?? all.sentTime,
				isTest: excludeFromReports,
				targets: all.totalTargetUserCount ?? all.sent,
				delivered: all.emailDeliveredUserCount ?? all.delivered,
				...Object.fromEntries(
					[...USER_ACTIONS, 'noResponse'].map((word) => [word, customer.isDeployed ? all[`${word}Email`] : all[word]]),
				),
			}));
		},
		searchJobUsers: async (customer) => {
			const { parameters, ...job } = findJob(customer, simulator);
			// As it was typed while it was a text, and as a live deployment knows it.
			const searchType = customer.isDeployed ? 'Reported' : 'reported';
			const people = await fetchJobPeople(customer, simulator, searchType, job);
			return {
				parameters: {
					...parameters,
					returnAll: true,
					filters: { searchType: customer.isDeployed ? toIdLocator(searchType) : searchType },
				},
				itemCount: people.length,
				checkItems: (items) => expectRecords(items, toExpectedPeople(people)),
			};
		},
		opened: didIt('opened'),
		clicked: didIt('clicked'),
		submitted: didIt('submitted'),
		reported: didIt('reported'),
		fullReport: async (customer) => {
			const { parameters, ...job } = findJob(customer, simulator);
			const expected = await fetchFullReport(customer, simulator, job);
			return {
				parameters,
				itemCount: expected.length,
				requiredRequests: [keys.summary, keys.people],
				checkItems: (items) => {
					assert.deepEqual(readReportItems(items), expected);
					for (const { json } of items) assert.equal(json.jobId, `${job.id}/${job.group}`);
				},
			};
		},
		fullReportOfPeriod: async (customer) => {
			const jobs = listSentCampaigns(customer, simulator).flatMap(({ resourceId: id, instanceGroups }) =>
				instanceGroups.map((group) => ({ id, group })),
			);
			const reports = await Promise.all(jobs.map(async (job) => fetchFullReport(customer, simulator, job)));
			const rows = reports.flat().sort();
			return {
				parameters: { ...customer.companyParameters, period: 'custom' },
				itemCount: rows.length,
				requiredRequests: [keys.jobs, ...jobs.flatMap(() => [keys.summary, keys.people])],
				...(customer.isDeployed ? { rejectedRequests: [keys.jobs] } : {}),
				checkItems: (items) => {
					assert.deepEqual(readReportItems(items), rows);
					const ofJobs = new Set(items.map(({ json }) => String(json.jobId)));
					assert.deepEqual([...ofJobs].sort(), jobs.map(({ id, group }) => `${id}/${group}`).sort());
				},
			};
		},
	});
	const files = defineCases(
		node,
		{
			export: (customer) =>
				createExportRun(customer, {
					key: keys.campaignsExport,
					fileName: `${simulator}-campaigns.csv`,
					rowCount: customer.companyData.getCampaigns(simulator).length,
					parameters: customer.companyParameters,
					searchRequest: keys.campaigns,
				}),
			exportJobs: (customer) => {
				const run = createExportRun(customer, {
					key: keys.jobsExport,
					fileName: `${simulator}-jobs.csv`,
					rowCount: listSentCampaigns(customer, simulator).flatMap(({ instanceGroups }) => instanceGroups).length,
					parameters: customer.companyParameters,
					searchRequest: keys.jobs,
				});
				return allowRejection(customer, keys.jobs, run);
			},
		},
		{ returnsFile: true },
	);
	return [...records, ...files];
}

/** Simulations and their reports, once for each simulator. */
export const campaignCases: Case[] = SIMULATORS.flatMap(defineSimulatorCases);

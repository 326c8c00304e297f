import assert from 'node:assert/strict';
import { mapKeys, omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { SIMULATORS, type Simulator } from '../stand-in/profile';
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
	type CaseRun,
	type JsonObject,
} from './case';

export const NODE_FOLDERS = {
	phishing: 'PhishingCampaign',
	smishing: 'SmishingCampaign',
	quishing: 'QuishingCampaign',
} as const satisfies Record<Simulator, string>;

/** The actions of users on simulated messages, as operations name them. */
export const USER_ACTIONS = ['opened', 'clicked', 'submitted', 'reported'] as const;
export type UserActionName = (typeof USER_ACTIONS)[number];

/** Returns the contract's endpoints of a simulator (contract 4.9). */
export function getCampaignKeys(simulator: Simulator) {
	const path = `/api/${simulator}-simulator/${simulator}-campaign`;
	const reportPath = `${path}-job-report`;
	return {
		campaigns: `POST ${path}/search`,
		campaignsExport: `POST ${path}/search/export`,
		jobs: `POST ${reportPath}/search`,
		jobsExport: `POST ${reportPath}/search/export`,
		summary: `GET ${reportPath}/summary/{resourceId}/{instanceGroup}`,
		people: `POST ${reportPath}/{searchType}/search/{resourceId}/{instanceGroup}`,
	};
}

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const fillPath = (key: string, { searchType = '', id, group }: { searchType?: string; id: string; group: number }) =>
	key.replace('{searchType}', searchType).replace('{resourceId}', id).replace('{instanceGroup}', String(group));

/** Lists the campaigns of a customer that were sent and therefore have jobs. */
export const listSentCampaigns = ({ companyData }: CustomerFixture, simulator: Simulator) =>
	companyData.getCampaigns(simulator).filter(({ status }) => status !== 'Scheduled');

/**
 * Finds a campaign that was sent twice.
 * @returns its second job
 */
export const findJob = (
	customer: CustomerFixture,
	simulator: Simulator,
): { id: string; group: number; name: string; parameters: IDataObject } => {
	const { resourceId, name } = requireValue(
		listSentCampaigns(customer, simulator).find(({ instanceGroups }) => instanceGroups.length > 1),
	);
	return {
		id: resourceId,
		group: 2,
		name,
		parameters: { ...customer.companyParameters, job: toIdLocator(`${resourceId}/2`) },
	};
};

/**
 * Fetches the people of a campaign job.
 * @param searchType a search type of the platform
 * @param filter further fields of the search body
 */
export const fetchJobPeople = async (
	customer: CustomerFixture,
	simulator: Simulator,
	searchType: string,
	job: { id: string; group: number },
	filter: object = {},
): Promise<JsonObject[]> =>
	customer.fetchList(fillPath(getCampaignKeys(simulator).people, { searchType, ...job }), filter);

/** The body field that limits a search to humans, as operations do. Only live deployments know it. */
export const HUMANS_ONLY = { activityType: 0 };

/**
 * Fetches the people who performed an action, without bots. Some live deployments have no search type for people who
 * submitted data, but the rows of all people contain the number of submissions.
 */
export async function fetchPeopleByAction(
	customer: CustomerFixture,
	simulator: Simulator,
	action: UserActionName,
	job: { id: string; group: number },
): Promise<JsonObject[]> {
	const filter = action === 'reported' ? {} : HUMANS_ONLY;
	if (!customer.isDeployed || action !== 'submitted')
		return await fetchJobPeople(customer, simulator, capitalize(action), job, filter);
	return (await fetchJobPeople(customer, simulator, 'All', job, filter)).filter(
		({ submittedCount }) => Number(submittedCount) > 0,
	);
}

/** True if the person performed the action, false if not, null if the row doesn't show it. */
type ActionState = boolean | null;

/**
 * Reads from a person's row if an action was performed. The row contains a boolean or a count for each action. Only
 * smishing rows contain neither for opened messages.
 */
function readActionState(row: JsonObject, action: UserActionName): ActionState {
	const actionFlag = row[`is${capitalize(action)}`];
	const actionCount = row[`${action}Count`];
	if (actionFlag !== undefined) return actionFlag === true;
	return actionCount === undefined ? null : Number(actionCount) > 0;
}

/** Converts rows of people to the expected items, which have one field for each action. */
const toExpectedPeople = (people: JsonObject[]): JsonObject[] =>
	people.map((row) => ({
		...omit(row, ['isOpened', 'isClicked', 'isSubmitted', 'isReported']),
		...Object.fromEntries(USER_ACTIONS.map((action) => [action, readActionState(row, action)])),
	}));

const personSchema = z.object({ email: z.string() }).passthrough();

/** Fetches everyone in a job with the state of each action, as a full report shows it. Actions of bots don't count. */
export async function fetchFullReport(
	customer: CustomerFixture,
	simulator: Simulator,
	job: { id: string; group: number },
): Promise<Array<[string, ...ActionState[]]>> {
	const people = z.array(personSchema).parse(await fetchJobPeople(customer, simulator, 'All', job));
	const readHumanAction = (row: JsonObject, action: UserActionName) => {
		const isBot = /bot|sandbox/i.test(String(row.activityType ?? ''));
		const state = readActionState(row, action);
		return action !== 'reported' && isBot && state ? false : state;
	};
	return people
		.map((row): [string, ...ActionState[]] => [
			row.email,
			...USER_ACTIONS.map((action) => readHumanAction(row, action)),
		])
		.sort();
}

/** The platform's names of the totals that the list of jobs returns under other names. */
const PLATFORM_TOTALS: Record<string, string> = {
	openedMayIncludeBots: 'totalOpenedCount',
	clickedMayIncludeBots: 'totalClickedCount',
	submittedMayIncludeBots: 'totalSubmittedCount',
};

/** Returns the items of a list of jobs with the platform's names of the totals. */
export const restoreTotalNames = (items: Item[]): Item[] =>
	items.map((item) => ({ ...item, json: mapKeys(item.json, (_value, name) => PLATFORM_TOTALS[name] ?? name) }));

/** Returns the email and the action states of each item in a full report, sorted. */
export const readReportItems = (items: Item[]) =>
	items.map(({ json }) => [json.email, ...USER_ACTIONS.map((action) => json[action])]).sort();

function defineSimulatorCases(simulator: Simulator): Case[] {
	const node = NODE_FOLDERS[simulator];
	const keys = getCampaignKeys(simulator);
	/** Creates the run that lists the people who performed an action in one job. People in the campaign's other jobs are not listed. */
	const createActionRun = async (customer: CustomerFixture, action: UserActionName): Promise<CaseRun> => {
		const { parameters, ...job } = findJob(customer, simulator);
		const people = await fetchPeopleByAction(customer, simulator, action, job);
		return {
			parameters: { ...parameters, returnAll: true },
			itemCount: people.length,
			requiredRequests: [keys.people, keys.summary],
			checkItems: (items) =>
				expectRecords(
					items.map((item) => ({ ...item, json: omit(item.json, ['campaignName', 'minutesToReport']) })),
					toExpectedPeople(people).map((row) => ({ ...row, [action]: true })),
				),
		};
	};
	const recordCases = defineCases(node, {
		getMany: async (customer) => createListRun(customer, keys.campaigns),
		'campaignJob.getMany': async (customer) => {
			const run = await createListRun(customer, keys.jobs);
			return { ...run, checkItems: (items) => run.checkItems(restoreTotalNames(items)) };
		},
		'campaignJob.getSummary': async (customer) => {
			const { parameters, ...job } = findJob(customer, simulator);
			const { name, excludeFromReports } = requireValue(
				customer.companyData.getCampaigns(simulator).find(({ resourceId }) => resourceId === job.id),
			);
			return await createSummaryRun(customer, fillPath(keys.summary, job), parameters, (fields) => ({
				campaignName: name,
				jobStartTime: fields.startDate ?? fields.sentTime,
				isTest: excludeFromReports,
				targets: fields.totalTargetUserCount ?? fields.sent,
				delivered: fields.emailDeliveredUserCount ?? fields.delivered,
				...Object.fromEntries(
					[...USER_ACTIONS, 'noResponse'].map((name) => [
						name,
						customer.isDeployed ? fields[`${name}Email`] : fields[name],
					]),
				),
			}));
		},
		'result.getMany': async (customer) => {
			const { parameters, ...job } = findJob(customer, simulator);
			// Live deployments accept only the search types of a list. On the contract's platform, a plain text is used,
			// because older workflows contain one.
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
		'result.getOpened': async (customer) => createActionRun(customer, 'opened'),
		'result.getClicked': async (customer) => createActionRun(customer, 'clicked'),
		'result.getSubmitted': async (customer) => createActionRun(customer, 'submitted'),
		'result.getReported': async (customer) => createActionRun(customer, 'reported'),
		'result.getFullReport': async (customer) => {
			const { parameters, ...job } = findJob(customer, simulator);
			const expectedRows = await fetchFullReport(customer, simulator, job);
			return {
				parameters,
				itemCount: expectedRows.length,
				requiredRequests: [keys.summary, keys.people],
				checkItems: (items) => {
					assert.deepEqual(readReportItems(items), expectedRows);
					for (const { json } of items) assert.equal(json.jobId, `${job.id}/${job.group}`);
				},
			};
		},
		'result.getManyByPeriod': async (customer) => {
			const jobs = listSentCampaigns(customer, simulator).flatMap(({ resourceId: id, instanceGroups }) =>
				instanceGroups.map((group) => ({ id, group })),
			);
			const reports = await Promise.all(jobs.map(async (job) => fetchFullReport(customer, simulator, job)));
			const rows = reports.flat().sort();
			return {
				parameters: { ...customer.companyParameters, period: 'custom', periodStart: '2000-01-01' },
				itemCount: rows.length,
				requiredRequests: [keys.jobs, ...jobs.flatMap(() => [keys.summary, keys.people])],
				rejectedRequests: customer.isDeployed ? [keys.jobs] : [],
				checkItems: (items) => {
					assert.deepEqual(readReportItems(items), rows);
					const jobIds = new Set(items.map(({ json }) => String(json.jobId)));
					assert.deepEqual([...jobIds].sort(), jobs.map(({ id, group }) => `${id}/${group}`).sort());
				},
			};
		},
	});
	const exportCases = defineCases(
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
			'campaignJob.export': (customer) => {
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
		{ hasFileOutput: true },
	);
	return [...recordCases, ...exportCases];
}

/** The cases for campaigns and their reports, for each simulator. */
export const campaignCases: Case[] = SIMULATORS.flatMap(defineSimulatorCases);

/** The work that n8n does during the soak test. The log and the data of the stand-in show if the results are correct. */
import { setTimeout as sleep } from 'node:timers/promises';

import { z } from 'zod';

import { cases, CustomerFixture } from '../cases';
import { runCase, shuffleCases } from '../e2e/operations';
import { PollingFixture, type RecordList } from '../trigger/pollingFixture';
import { getNodeItems, type Execution } from '../real-n8n/client';
import { startInbox } from '../real-n8n/inbox';
import { saveCredential, type Cleanups, type N8nSession } from '../real-n8n/testEnvironment';
import {
	buildNode,
	buildPackageNode,
	START_NODE,
	buildTriggerWorkflow,
	buildWorkflow,
	type CredentialReference,
} from '../real-n8n/workflow';
import { SIMULATORS } from '../stand-in/profile';
import { drawInteger, pickOne, createRandom } from '../stand-in/random';
import type { FaultRule, LoggedRequest, StandIn } from '../stand-in';

/** The counts of all runs, requests and errors of the soak test. */
export class SoakResults {
	runCount = 0;
	/** The number of runs that failed. A run may only fail because of failed requests. */
	failedRunCount = 0;
	requestCount = 0;
	faultCount = 0;
	/** The number of records that the triggers output. */
	triggeredRecordCount = 0;
	/** The number of wrong results, lost records and records that came twice. */
	readonly errorCounts = { wrong: 0, lost: 0, doubled: 0 };

	/** Counts an error. The first 20 of each type are printed. */
	reportError(type: keyof SoakResults['errorCounts'], message: string): void {
		if (++this.errorCounts[type] <= 20) console.log(`\n${type.toUpperCase()}: ${message}`);
	}
}

/** The values that all types of work share. */
export interface SoakContext {
	session: N8nSession;
	results: SoakResults;
	seed: string;
	/** The share of requests that fail, from 0 to 1. */
	faultRate: number;
	cleanups: Cleanups;
}

/** One type of work that is repeated. */
export interface Work {
	/** Does the work once and checks the result. */
	runOnce: () => Promise<void>;
	/** Checks the results that are only complete at the end. */
	checkAtEnd?: () => Promise<void>;
}

/** The separate stand-in of one type of work. Some of the requests to it fail. */
interface FaultyPlatform {
	customer: CustomerFixture;
	standIn: StandIn;
	credential: CredentialReference;
	/** Returns the next random number from 0 to below 1. */
	random: () => number;
}

/** The timeout of a node's requests, in seconds. A stalled response takes longer, so its request times out. */
const TIMEOUT_SECONDS = 6;
const FAULT_RULES: [FaultRule, ...FaultRule[]] = [
	{ kind: 'status-429' },
	{ kind: 'status-429', retryAfter: '1' },
	{ kind: 'status-500' },
	{ kind: 'html-502' },
	{ kind: 'status-503' },
	{ kind: 'reset-before' },
	{ kind: 'reset-after' },
	{ kind: 'truncate' },
	{ kind: 'truncate-chunked' },
	{ kind: 'expired-token' },
	{ kind: 'stall' },
];

/** Starts a stand-in and saves a credential for it in n8n. */
async function startFaultyPlatform(
	name: string,
	{ session, seed, cleanups }: SoakContext,
	companyCount: number,
): Promise<FaultyPlatform> {
	const customer = await CustomerFixture.start({ companyCount });
	const { standIn } = customer;
	cleanups.push(() => standIn.close());
	const { clientId, clientSecret } = standIn.clients.reseller;
	const secrets = { serverUrl: standIn.url, clientId, clientSecret };
	const credential = await saveCredential(session.client, secrets, `Soak ${name}`);
	return { customer, standIn, credential, random: createRandom(`${seed} ${name}`) };
}

/** Lets randomly selected requests among the next ones fail. Earlier faults are removed. */
function addRandomFaults({ standIn, random }: FaultyPlatform, { faultRate }: SoakContext, requestCount: number): void {
	standIn.clearFaults();
	for (let skipCount = 0; skipCount < requestCount; skipCount++)
		if (random() < faultRate) standIn.addFault({ ...pickOne(random, FAULT_RULES), skipCount });
}

/**
 * Counts a run, and reports an error if the run failed although no request did.
 * @returns true if the run succeeded
 */
function checkExecution(
	{ error }: Execution,
	{ standIn }: FaultyPlatform,
	{ results }: SoakContext,
	title: string,
): boolean {
	standIn.clearFaults();
	const faultCount = standIn.log.filter(({ fault }) => fault !== undefined).length;
	results.runCount++;
	results.requestCount += standIn.log.length;
	results.faultCount += faultCount;
	if (!error) return true;
	results.failedRunCount++;
	if (faultCount === 0)
		results.reportError('wrong', `${title} failed without a reason: ${error.message}\n${formatLog(standIn.log)}`);
	if (!error.message || !error.description) results.reportError('wrong', `${title} says too little: ${error.message}`);
	return false;
}

/** Formats the last requests of a log, one per line. */
const formatLog = (log: LoggedRequest[]): string =>
	log
		.slice(-12)
		.map(
			({ route, status, fault = '', hasChangedData }) =>
				`  ${route} ${status} ${fault} ${hasChangedData ? 'landed' : ''}`,
		)
		.join('\n');

/** Creates work that runs all operations in random order, each as its case describes it. */
async function createOperationsWork(context: SoakContext): Promise<Work> {
	const platform = await startFaultyPlatform('operations', context, 40);
	const { customer, standIn, credential, random } = platform;
	let remainingCases = shuffleCases(random);
	return {
		runOnce: async () => {
			if (remainingCases.length === 0) remainingCases = shuffleCases(random);
			const operationCase = remainingCases.pop() ?? cases[0];
			if (!operationCase) return;
			const title = `${operationCase.node}: ${operationCase.operation}`;
			standIn.reset();
			const { run, execution, problem } = await runCase(context.session, operationCase, customer, credential, {
				options: { timeout: TIMEOUT_SECONDS },
				beforeRun: () => addRandomFaults(platform, context, 40),
			});
			const log = [...standIn.log];
			const hasSucceeded = checkExecution(execution, platform, context, title);
			for (const route of run.requiredRequests ?? [])
				if (
					!/\/(search|export)$/.test(route) &&
					log.filter((request) => request.route === route && request.hasChangedData).length > 1
				)
					context.results.reportError('doubled', `${title}: ${route}\n${formatLog(log)}`);
			if (hasSucceeded && problem) context.results.reportError('wrong', `${title}: ${problem}\n${formatLog(log)}`);
			const [item] = getNodeItems(execution, 'Run');
			const fileRequest = log.findLast(({ sha256 }) => sha256 !== undefined);
			if (hasSucceeded && operationCase.hasFileOutput && item?.binary?.data?.id) {
				const outputHash = await context.session.client.hashFile(item.binary.data.id);
				if (outputHash !== fileRequest?.sha256)
					context.results.reportError('wrong', `${title}: the file is not the one that was sent`);
			}
		},
	};
}

/** Creates work that reads the target groups of every company. Each group must be returned once. */
async function createEveryCompanyWork(context: SoakContext): Promise<Work> {
	const platform = await startFaultyPlatform('every company', context, 100);
	const { standIn, credential, random } = platform;
	const groupIds = standIn.world.companies.flatMap(({ companyResourceId }) =>
		standIn.world.getCompanyData(companyResourceId).targetGroups.map(({ resourceId }) => resourceId),
	);
	return {
		runOnce: async () => {
			const options = {
				timeout: TIMEOUT_SECONDS,
				concurrency: drawInteger(random, 1, 20),
				pageSize: drawInteger(random, 2, 40),
			};
			const parameters = { operation: 'getMany', companyScope: 'every', returnAll: true, options };
			const filter = { onlyCompanies: { licenceNotExpired: false } };
			const nodes = [START_NODE, buildPackageNode('Run', 'TargetGroup', { ...parameters, ...filter }, credential)];
			const id = await context.session.client.createWorkflow(buildWorkflow('Every company', nodes));
			standIn.clearLog();
			addRandomFaults(platform, context, 400);
			const execution = await context.session.client.runWorkflow(id, START_NODE.name);
			if (!checkExecution(execution, platform, context, 'Every company')) return;
			const returnedIds = getNodeItems(execution, 'Run').map(({ json }) => String(json.resourceId));
			const uniqueIds = new Set(returnedIds);
			if (uniqueIds.size < returnedIds.length)
				context.results.reportError('doubled', `${returnedIds.length - uniqueIds.size} target groups`);
			const missingCount = groupIds.filter((groupId) => !uniqueIds.has(groupId)).length;
			if (missingCount > 0) context.results.reportError('lost', `${missingCount} of ${groupIds.length} target groups`);
		},
	};
}

/** Creates work that creates one company group for each item. No group may exist twice, and each reported group must exist. */
async function createWritesWork(context: SoakContext): Promise<Work> {
	const platform = await startFaultyPlatform('writes', context, 20);
	const { standIn, credential, random } = platform;
	let createdGroupCount = 0;
	return {
		runOnce: async () => {
			standIn.reset();
			const names = Array.from({ length: drawInteger(random, 1, 30) }, () => `Group ${++createdGroupCount}`);
			const parameters = { operation: 'create', name: '={{ $json.name }}', membersFrom: 'none' };
			const id = await context.session.client.createWorkflow(
				buildWorkflow('Writes', [
					START_NODE,
					buildNode('Names', 'set', { mode: 'raw', jsonOutput: JSON.stringify({ names }) }, { typeVersion: 3.4 }),
					buildNode('Split', 'splitOut', { fieldToSplitOut: 'names', options: { destinationFieldName: 'name' } }),
					{
						...buildPackageNode(
							'Run',
							'CompanyGroup',
							{ ...parameters, options: { timeout: TIMEOUT_SECONDS } },
							credential,
						),
						onError: 'continueRegularOutput',
					},
				]),
			);
			standIn.clearLog();
			addRandomFaults(platform, context, 100);
			const execution = await context.session.client.runWorkflow(id, START_NODE.name);
			if (!checkExecution(execution, platform, context, 'Writes')) return;
			const items = getNodeItems(execution, 'Run');
			if (items.length !== names.length)
				context.results.reportError('lost', `${items.length} items of ${names.length}`);
			const countGroups = (name: string) => standIn.world.companyGroups.filter((group) => group.name === name).length;
			for (const [index, name] of names.entries()) {
				const hasFailed = items[index]?.json.error !== undefined;
				if (countGroups(name) > 1)
					context.results.reportError('doubled', `${name} was created ${countGroups(name)} times`);
				if (!hasFailed && countGroups(name) === 0) context.results.reportError('lost', `${name} is said to be there`);
				if (hasFailed && !standIn.log.some(({ fault }) => fault))
					context.results.reportError('wrong', `${name} failed without a reason\n${formatLog(standIn.log)}`);
			}
		},
	};
}

const notificationSchema = z.object({ id: z.string() });

/** Creates work that creates records while both triggers poll. Each record must be output once. */
async function createTriggersWork(context: SoakContext): Promise<Work> {
	const platform = await startFaultyPlatform('triggers', context, 20);
	const { standIn, credential, random } = platform;
	const { client } = context.session;
	const fixture = new PollingFixture(standIn);
	const inbox = await startInbox();
	context.cleanups.push(inbox.close);
	const notification = { method: 'POST', url: `${inbox.url}/given`, sendBody: true, specifyBody: 'json' };
	const jsonBody = '={{ JSON.stringify({ id: $json.resourceId }) }}';
	const notifyNode = buildNode('End', 'httpRequest', { ...notification, jsonBody }, { typeVersion: 4.2 });
	for (const [type, parameters] of [
		['Campaign', { simulators: [...SIMULATORS] }],
		['Enrollment', {}],
	] as const) {
		const options = { timeout: TIMEOUT_SECONDS, readEachCompanyEvery: 0 };
		const workflow = buildTriggerWorkflow(type, { ...parameters, options }, credential);
		await client.activate(
			await client.createWorkflow({ ...workflow, nodes: [...workflow.nodes.slice(0, 1), notifyNode] }),
		);
	}
	const createdIds: string[] = [];
	const listTriggeredIds = () => inbox.getRequests('given').map(({ body }) => notificationSchema.parse(body).id);
	return {
		runOnce: async () => {
			const recordList = pickOne<RecordList>(random, ['enrollment', ...SIMULATORS]);
			fixture.now = Date.now();
			const delayMs = random() < 0.25 ? drawInteger(random, 1, 12 * 3_600_000) : 0;
			createdIds.push(fixture.createRecord(recordList, drawInteger(random, 0, 19), delayMs));
			context.results.requestCount += standIn.log.length;
			context.results.faultCount += standIn.log.filter(({ fault }) => fault !== undefined).length;
			standIn.clearLog();
			addRandomFaults(platform, context, 100);
			await sleep(2000);
		},
		checkAtEnd: async () => {
			standIn.clearFaults();
			// A record whose company has to be looked up may be output some polls later.
			for (let waitedSeconds = 0; waitedSeconds < 60 && listTriggeredIds().length < createdIds.length; waitedSeconds++)
				await sleep(1000);
			const triggeredIds = listTriggeredIds();
			context.results.triggeredRecordCount = triggeredIds.length;
			for (const id of createdIds.filter((createdId) => !triggeredIds.includes(createdId)))
				context.results.reportError('lost', `${id} was not given`);
			for (const id of triggeredIds.filter((triggeredId, index) => triggeredIds.indexOf(triggeredId) < index))
				context.results.reportError('doubled', `${id} was given twice`);
		},
	};
}

/** Starts the stand-ins of all work. The caller repeats each type of work, all of them at the same time. */
export const startAllWork = async (context: SoakContext): Promise<Work[]> => [
	await createOperationsWork(context),
	await createEveryCompanyWork(context),
	await createWritesWork(context),
	await createTriggersWork(context),
];

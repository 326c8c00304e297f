/** What goes on in n8n during the soak, and how the service's log and data show whether it was right. */
import { z } from 'zod';

import { cases, CustomerFixture } from '../cases';
import { runCase, shuffleCases } from '../e2e/operations';
import { PollingFixture, type RecordList } from '../trigger/pollingFixture';
import { getNodeItems, type Execution } from '../real-n8n/client';
import { startInbox } from '../real-n8n/inbox';
import { saveCredential, type Cleanups, type N8nSession } from '../real-n8n/stage';
import { buildNode, buildPackageNode, START_NODE, buildTriggerWorkflow, buildWorkflow, type CredentialReference } from '../real-n8n/workflow';
import { SIMULATORS } from '../stand-in/personality';
import { drawInteger, pickOne, createRandom } from '../stand-in/random';
import type { FaultRule, LoggedRequest, StandIn } from '../stand-in';

/** What all of it came to. */
export class Tally {
	runs = 0;
	/** Runs that failed, as they had to after what went wrong. */
	failed = 0;
	requests = 0;
	faults = 0;
	given = 0;
	readonly verdicts = { wrong: 0, lost: 0, doubled: 0 };

	blame(verdict: keyof Tally['verdicts'], what: string): void {
		if (++this.verdicts[verdict] <= 20) console.log(`\n${verdict.toUpperCase()}: ${what}`);
	}
}

export interface Scene {
	open: N8nSession;
	tally: Tally;
	seed: string;
	/** Of the requests that go wrong: 0 to 1. */
	share: number;
	cleanups: Cleanups;
}

/** One kind of work. */
export interface Work {
	/** Does it once. */
	round: () => Promise<void>;
	/** What can only be checked at the end. */
	finish?: () => Promise<void>;
}

/** A service of its own, whose requests go wrong now and then. */
interface Place {
	customer: CustomerFixture;
	service: StandIn;
	credential: CredentialReference;
	next: () => number;
}

/** How long a node waits for an answer, in seconds; what stalls does so for longer. */
const TIMEOUT = 6;
const ofKind = (kind: FaultRule['kind']): FaultRule => ({ kind });
const RULES: [FaultRule, ...FaultRule[]] = [
	{ kind: 'status-429' },
	{ kind: 'status-429', retryAfter: '1' },
	...(['status-500', 'html-502', 'status-503', 'reset-before', 'reset-after', 'truncate'] as const).map(ofKind),
	...(['truncate-chunked', 'expired-token', 'stall'] as const).map(ofKind),
];

async function placeFor(name: string, { open, seed, cleanups }: Scene, companies: number): Promise<Place> {
	const customer = await CustomerFixture.start({ companyCount: companies });
	const { standIn: service } = customer;
	cleanups.push(() => service.close());
	const { clientId, clientSecret } = service.clients.reseller;
	const secrets = { serverUrl: service.url, clientId, clientSecret };
	const credential = await saveCredential(open.client, secrets, `Soak ${name}`);
	return { customer, service, credential, next: createRandom(`${seed} ${name}`) };
}

/** Lets some of the next requests go wrong, in place of what was set before. */
function arm({ service, next }: Place, { share }: Scene, requests: number): void {
	service.clearFaults();
	for (let after = 0; after < requests; after++) if (next() < share) service.addFault({ ...pickOne(next, RULES), skipCount: after });
}

/** Counts a run. @returns whether it succeeded; if not, whether it had a reason is judged here */
function judge({ error }: Execution, { service }: Place, { tally }: Scene, what: string): boolean {
	service.clearFaults();
	const faults = service.log.filter(({ fault }) => fault !== undefined).length;
	tally.runs++;
	tally.requests += service.log.length;
	tally.faults += faults;
	if (!error) return true;
	tally.failed++;
	if (faults === 0) tally.blame('wrong', `${what} failed without a reason: ${error.message}\n${shown(service.log)}`);
	if (!error.message || !error.description) tally.blame('wrong', `${what} says too little: ${error.message}`);
	return false;
}

const shown = (log: LoggedRequest[]): string =>
	log
		.slice(-12)
		.map(({ route, status, fault = '', landed }) => `  ${route} ${status} ${fault} ${landed ? 'landed' : ''}`)
		.join('\n');

/** Each operation in turn, as its case says. */
async function operations(scene: Scene): Promise<Work> {
	const place = await placeFor('operations', scene, 40);
	const { customer, service, credential, next } = place;
	let left = shuffleCases(next);
	return {
		round: async () => {
			if (left.length === 0) left = shuffleCases(next);
			const each = left.pop() ?? cases[0];
			if (!each) return;
			const what = `${each.node}: ${each.operation}`;
			service.reset();
			const { run, execution, problem } = await runCase(scene.open, each, customer, credential, {
				options: { timeout: TIMEOUT },
				beforeRun: () => arm(place, scene, 40),
			});
			const log = [...service.log];
			const hasSucceeded = judge(execution, place, scene, what);
			for (const route of run.requiredRequests ?? [])
				if (!/\/(search|export)$/.test(route) && log.filter((one) => one.route === route && one.landed).length > 1)
					scene.tally.blame('doubled', `${what}: ${route}\n${shown(log)}`);
			if (hasSucceeded && problem) scene.tally.blame('wrong', `${what}: ${problem}\n${shown(log)}`);
			const [item] = getNodeItems(execution, 'Run');
			const sent = log.findLast(({ sha256 }) => sha256 !== undefined);
			if (hasSucceeded && each.returnsFile && item?.binary?.data?.id) {
				const digest = await scene.open.client.hashFile(item.binary.data.id);
				if (digest !== sent?.sha256) scene.tally.blame('wrong', `${what}: the file is not the one that was sent`);
			}
		},
	};
}

/** The target groups of every company: each of them, once. */
async function everyCompany(scene: Scene): Promise<Work> {
	const place = await placeFor('every company', scene, 100);
	const { service, credential, next } = place;
	const ids = service.state.companies.flatMap(({ companyResourceId }) =>
		service.state.getCompanyData(companyResourceId).targetGroups.map(({ resourceId }) => resourceId),
	);
	return {
		round: async () => {
			const options = { timeout: TIMEOUT, concurrency: drawInteger(next, 1, 20), pageSize: drawInteger(next, 2, 40) };
			const parameters = { operation: 'getMany', companyScope: 'every', returnAll: true, options };
			const filter = { onlyCompanies: { licenceNotExpired: false } };
			const nodes = [START_NODE, buildPackageNode('Run', 'TargetGroup', { ...parameters, ...filter }, credential)];
			const id = await scene.open.client.createWorkflow(buildWorkflow('Every company', nodes));
			service.clearLog();
			arm(place, scene, 400);
			const execution = await scene.open.client.run(id, START_NODE.name);
			if (!judge(execution, place, scene, 'Every company')) return;
			const given = getNodeItems(execution, 'Run').map(({ json }) => String(json.resourceId));
			const once = new Set(given);
			if (once.size < given.length) scene.tally.blame('doubled', `${given.length - once.size} target groups`);
			const missing = ids.filter((each) => !once.has(each)).length;
			if (missing > 0) scene.tally.blame('lost', `${missing} of ${ids.length} target groups`);
		},
	};
}

/** Company groups, one for each of many items: none twice, and each that is said to be there is. */
async function writes(scene: Scene): Promise<Work> {
	const place = await placeFor('writes', scene, 20);
	const { service, credential, next } = place;
	let made = 0;
	return {
		round: async () => {
			service.reset();
			const names = Array.from({ length: drawInteger(next, 1, 30) }, () => `Group ${++made}`);
			const create = { operation: 'create', name: '={{ $json.name }}', participantsFrom: 'none' };
			const id = await scene.open.client.createWorkflow(
				buildWorkflow('Writes', [
					START_NODE,
					buildNode('Names', 'set', { mode: 'raw', jsonOutput: JSON.stringify({ names }) }, { typeVersion: 3.4 }),
					buildNode('Split', 'splitOut', { fieldToSplitOut: 'names', options: { destinationFieldName: 'name' } }),
					{
						...buildPackageNode('Run', 'CompanyGroup', { ...create, options: { timeout: TIMEOUT } }, credential),
						onError: 'continueRegularOutput',
					},
				]),
			);
			service.clearLog();
			arm(place, scene, 100);
			const execution = await scene.open.client.run(id, START_NODE.name);
			if (!judge(execution, place, scene, 'Writes')) return;
			const items = getNodeItems(execution, 'Run');
			if (items.length !== names.length) scene.tally.blame('lost', `${items.length} items of ${names.length}`);
			const times = (name: string) => service.state.companyGroups.filter((group) => group.name === name).length;
			for (const [index, name] of names.entries()) {
				const hasFailed = items[index]?.json.error !== undefined;
				if (times(name) > 1) scene.tally.blame('doubled', `${name} was created ${times(name)} times`);
				if (!hasFailed && times(name) === 0) scene.tally.blame('lost', `${name} is said to be there`);
				if (hasFailed && !service.log.some(({ fault }) => fault))
					scene.tally.blame('wrong', `${name} failed without a reason\n${shown(service.log)}`);
			}
		},
	};
}

const told = z.object({ id: z.string() });

/** Both triggers, while records are created: each is given once. */
async function triggers(scene: Scene): Promise<Work> {
	const place = await placeFor('triggers', scene, 20);
	const { service, credential, next } = place;
	const { client } = scene.open;
	const fixture = new PollingFixture(service);
	const inbox = await startInbox();
	scene.cleanups.push(inbox.close);
	const tell = { method: 'POST', url: `${inbox.url}/given`, sendBody: true, specifyBody: 'json' };
	const jsonBody = '={{ JSON.stringify({ id: $json.resourceId }) }}';
	const end = buildNode('End', 'httpRequest', { ...tell, jsonBody }, { typeVersion: 4.2 });
	for (const [type, parameters] of [
		['Campaign', { simulators: [...SIMULATORS] }],
		['Enrollment', {}],
	] as const) {
		const options = { timeout: TIMEOUT, askEachEvery: 0 };
		const workflow = buildTriggerWorkflow(type, { ...parameters, options }, credential);
		await client.activate(await client.createWorkflow({ ...workflow, nodes: [...workflow.nodes.slice(0, 1), end] }));
	}
	const created: string[] = [];
	const given = () => inbox.getRequests('given').map(({ body }) => told.parse(body).id);
	return {
		round: async () => {
			const list = pickOne<RecordList>(next, ['enrollment', ...SIMULATORS]);
			fixture.now = Date.now();
			const late = next() < 0.25 ? drawInteger(next, 1, 12 * 3_600_000) : 0;
			created.push(fixture.createRecord(list, drawInteger(next, 0, 19), late));
			scene.tally.requests += service.log.length;
			scene.tally.faults += service.log.filter(({ fault }) => fault !== undefined).length;
			service.clearLog();
			arm(place, scene, 100);
			await new Promise((resolve) => setTimeout(resolve, 2000));
		},
		finish: async () => {
			service.clearFaults();
			// A record whose company is looked up may come some polls later.
			for (let waited = 0; waited < 60 && given().length < created.length; waited++)
				await new Promise((resolve) => setTimeout(resolve, 1000));
			const all = given();
			scene.tally.given = all.length;
			for (const id of created.filter((each) => !all.includes(each))) scene.tally.blame('lost', `${id} was not given`);
			for (const id of all.filter((each, at) => all.indexOf(each) < at))
				scene.tally.blame('doubled', `${id} was given twice`);
		},
	};
}

/** Everything that goes on at once. */
export const startWorks = async (scene: Scene): Promise<Work[]> => [
	await operations(scene),
	await everyCompany(scene),
	await writes(scene),
	await triggers(scene),
];

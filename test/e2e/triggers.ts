/**
 * Tests in a real n8n that the triggers return every record once: activates a workflow, creates campaigns in three
 * simulators and two companies while n8n is stopped or killed or its workflow is changed, and compares the executions
 * with the created campaigns. `tsx test/e2e/triggers.ts [word]` runs only the variants whose title contains the word.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import { NODE_VERSION } from '../../nodes/shared/form/version';
import { cleanUp, runScript, type Script } from '../real-n8n/script';
import { CREDENTIAL_TYPE, OWNER, packInto, setStage, temporaryFolder, type Stage } from '../real-n8n/stage';
import { itemsOf, pollTimes, type Execution, type N8nClient } from '../real-n8n/client';
import { triggerWorkflow } from '../real-n8n/triggerWorkflow';
import { Problem } from '../real-n8n/problem';
import { NEWEST, OLDEST, type Version } from '../real-n8n/versions';
import type { StandIn } from '../stand-in';
import { SIMULATORS } from '../stand-in/personality';

const RECORDS = 200;
const EVERY_MS = 250;
const AWAY_MS = 4000;
/** How often some more polls are waited for. */
const MOST_WAITS = 5;
const TYPE = 'n8n-nodes-security-awareness.securityAwarenessCampaignTrigger';
/** What the trigger is called, first and later. */
const NAMES = ['Trigger', 'Renamed'] as const;
const SEARCH = 'POST /api/phishing-simulator/phishing-campaign/search';

/** A workflow on a stage. */
interface Scene extends Stage {
	workflowId: string;
}

const away = () => sleep(AWAY_MS);

/** What happens to n8n, or to the workflow, while records go on coming. */
const EVENTS = {
	restart: async ({ n8n, client }: Scene) => {
		await n8n.restart(away);
		await client.login(OWNER.email, OWNER.password);
	},
	kill: async ({ n8n, client }: Scene) => {
		await n8n.restart(away, 0);
		await client.login(OWNER.email, OWNER.password);
	},
	reactivate: async ({ client, workflowId }: Scene) => {
		await client.deactivate(workflowId);
		await away();
		await client.activate(workflowId);
	},
	rename: async ({ client, workflowId }: Scene) => {
		const { versionId, name } = await client.request<{ versionId: string; name: string }>(
			'GET',
			`/rest/workflows/${workflowId}`,
		);
		const renamed = triggerWorkflow(await triggerOf(client, workflowId), NAMES[1]);
		await client.request('PATCH', `/rest/workflows/${workflowId}`, { ...renamed, name, versionId });
		await client.activate(workflowId);
	},
};

/** Under which conditions the same is done. */
export interface Variant {
	title: string;
	version: Version;
	/** Settings of n8n. */
	env?: Record<string, string>;
	/** What happens when so many records have been created. */
	events: Record<number, keyof typeof EVENTS>;
}

const DURABLE = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	// Looks for what is due as often as the test polls.
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
};

export const VARIANTS: Variant[] = [
	{ title: 'Usual poller, stopped twice', version: NEWEST, events: { 60: 'restart', 130: 'restart' } },
	{ title: 'Usual poller, killed twice', version: NEWEST, events: { 60: 'kill', 130: 'kill' } },
	{
		title: 'Usual poller, switched off, renamed, switched off',
		version: NEWEST,
		events: { 50: 'reactivate', 100: 'rename', 150: 'reactivate' },
	},
	{
		title: 'Durable poller, stopped and killed',
		version: NEWEST,
		env: { ...DURABLE, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' },
		events: { 60: 'restart', 130: 'kill' },
	},
	{
		title: 'Durable poller, switched off, renamed, switched off',
		version: NEWEST,
		env: { ...DURABLE, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' },
		events: { 50: 'reactivate', 100: 'rename', 150: 'reactivate' },
	},
	{
		title: 'Durable poller without its cursors, stopped twice',
		version: NEWEST,
		env: DURABLE,
		events: { 60: 'restart', 130: 'restart' },
	},
	{ title: 'Oldest n8n, stopped twice', version: OLDEST, events: { 60: 'restart', 130: 'restart' } },
];

/** What became of a variant. */
export interface Figures {
	title: string;
	n8n: string;
	created: number;
	emitted: number;
	missed: string[];
	repeated: string[];
	/** Emitted, but not created since the activation. */
	others: string[];
	executions: number;
	failed: number;
	polls: number;
	events: string;
}

/** Creates one campaign; every fourth shows up late, with a create time of up to twelve hours before. */
function create(service: StandIn, index: number): string {
	const simulator = SIMULATORS[index % SIMULATORS.length] ?? 'phishing';
	const company = service.state.companies[index % 2];
	if (!company) throw new Problem('There is no company.');
	const late = index % 4 === 3 ? (index % 12) * 3_600_000 : 0;
	const resourceId = `e2e-${index}`;
	service.state
		.of(company.companyResourceId)
		.campaigns(simulator)
		.push({
			...{
				resourceId,
				name: `Campaign ${index}`,
				simulator,
				scenario: 'Parcel Notice',
				difficulty: 'Easy',
				status: 'Running',
			},
			...{ companyResourceId: company.companyResourceId, companyName: company.companyName },
			createTime: new Date(Date.now() - late).toISOString(),
			...{ excludeFromReports: false, instanceGroups: [1], userResourceIds: [] },
		});
	return resourceId;
}

async function triggerOf(client: N8nClient, workflowId: string): Promise<INode> {
	const { nodes } = await client.request<{ nodes: INode[] }>('GET', `/rest/workflows/${workflowId}`);
	const trigger = nodes.find(({ type }) => type === TYPE);
	if (!trigger) throw new Problem('The workflow has lost its trigger.');
	return trigger;
}

/** Waits for so many more polls. */
async function untilPolled(service: StandIn, times: number): Promise<void> {
	// Each poll makes one that names no company.
	const polls = () => service.requests(SEARCH).filter(({ companyId }) => companyId === undefined).length;
	const wanted = polls() + times;
	for (let waited = 0; polls() < wanted; waited++) {
		if (waited > 600) throw new Problem('The trigger does not poll.');
		await sleep(200);
	}
}

/** Runs one variant on a stage of its own. */
export async function runVariant({ title, version, events }: Variant, stage: Stage): Promise<Figures> {
	const { client, service, credential } = stage;
	const trigger: INode = {
		...{ id: 'trigger', name: NAMES[0], type: TYPE, typeVersion: NODE_VERSION, position: [0, 0] },
		parameters: { companyScope: 'every', pollTimes },
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
	const workflowId = await client.createWorkflow({ name: 'New campaigns', ...triggerWorkflow(trigger, NAMES[0]) });
	const scene = { ...stage, workflowId };
	service.clearLog();
	await client.activate(workflowId);

	const created: string[] = [];
	let happening = Promise.resolve();
	for (let index = 0; index < RECORDS; index++) {
		created.push(create(service, index));
		// The records go on coming meanwhile.
		const event = events[index];
		if (event) happening = happening.then(() => EVENTS[event](scene));
		await sleep(EVERY_MS);
	}
	await happening;
	let executions: Execution[] = [];
	let given: string[] = [];
	// A record whose company is looked up may come some polls later.
	for (let times = 0; times < MOST_WAITS && given.length < created.length; times++) {
		await untilPolled(service, 3);
		await sleep(2000);
		executions = await client.executions(workflowId);
		const items = executions.flatMap((execution) => NAMES.flatMap((name) => itemsOf(execution, name)));
		given = items.map(({ json }) => String(json.resourceId));
	}
	return {
		...{ title, n8n: version, created: created.length, emitted: given.length },
		missed: created.filter((each) => !given.includes(each)),
		repeated: given.filter((each, index) => given.indexOf(each) < index),
		others: given.filter((each) => !created.includes(each)),
		executions: executions.length,
		failed: executions.filter(({ status }) => status !== 'success').length,
		polls: service.requests(SEARCH).length,
		events: Object.values(events).join(', '),
	};
}

/** The figures as a row of a table, with numbers instead of IDs. */
export const rowOf = ({ missed, repeated, others, ...figures }: Figures) => ({
	...figures,
	...{ missed: missed.length, repeated: repeated.length, others: others.length },
});

/** One sentence for each variant in which not every record was given exactly once. */
export const failuresOf = (all: Figures[]): string[] =>
	all
		.filter(({ missed, repeated, others }) => missed.length + repeated.length + others.length > 0)
		.map(
			({ title, ...each }) =>
				`${title}: missed ${each.missed.join(' ')}, repeated ${each.repeated.join(' ')}, others ${each.others.join(' ')}`,
		);

async function main({ cleanups }: Script): Promise<void> {
	const word = process.argv[2] ?? '';
	const tarball = await packInto(await temporaryFolder(cleanups));
	const figures: Figures[] = [];
	for (const variant of VARIANTS.filter(({ title }) => title.includes(word))) {
		const { version, env } = variant;
		const own: Script = { cleanups: [], isOpen: false };
		cleanups.push(() => cleanUp(own));
		figures.push(await runVariant(variant, await setStage({ version, env, tarball }, own.cleanups)));
		await cleanUp(own);
	}
	console.table(figures.map(rowOf));
	const failures = failuresOf(figures);
	for (const failure of failures) console.log(failure);
	if (failures.length > 0) throw new Problem('Not every record was given exactly once.');
}

if (require.main === module) runScript(main);

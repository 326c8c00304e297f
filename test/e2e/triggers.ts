/**
 * Tests in a real n8n that the triggers return every record once: activates three workflows, for campaigns, their jobs and
 * enrollments, creates such records in three companies while n8n is stopped or killed or its workflows are changed, and
 * compares the executions with what was created. `tsx test/e2e/triggers.ts [word]` runs only the variants whose title contains the word.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { cleanUp, runScript, type Script } from '../real-n8n/script';
import { OWNER, packInto, setStage, temporaryFolder, type Stage } from '../real-n8n/stage';
import { itemsOf, type Execution, type N8nClient } from '../real-n8n/client';
import { triggerOfAll, triggerWorkflow } from '../real-n8n/triggerWorkflow';
import { Problem } from '../real-n8n/problem';
import { NEWEST, OLDEST, type Version } from '../real-n8n/versions';
import type { StandIn } from '../stand-in';
import { SIMULATORS } from '../stand-in/personality';

const RECORDS = 200;
const EVERY_MS = 250;
const AWAY_MS = 4000;
/** How often some more polls are waited for. */
const MOST_WAITS = 5;
const COMPANIES = 3;
const NAME = 'Trigger';
/** What is watched, each in a workflow of its own. */
const WATCHED = {
	campaigns: { type: 'Campaign', parameters: {}, search: 'POST /api/phishing-simulator/phishing-campaign/search' },
	jobs: {
		type: 'Campaign',
		parameters: { watch: 'jobs' },
		search: 'POST /api/phishing-simulator/phishing-campaign-job-report/search',
	},
	enrollments: { type: 'Enrollment', parameters: {}, search: 'POST /api/enrollments/search' },
} satisfies Record<string, { type: string; parameters: IDataObject; search: string }>;
type Watched = keyof typeof WATCHED;
const ALL: Watched[] = ['campaigns', 'jobs', 'enrollments'];

/** A workflow on a stage. */
interface Scene extends Stage {
	workflowIds: string[];
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
	reactivate: async ({ client, service, workflowIds }: Scene) => {
		// An older n8n goes on polling a workflow that is switched off while n8n still starts.
		await untilPolled(service, 2);
		for (const id of workflowIds) await client.deactivate(id);
		await away();
		for (const id of workflowIds) await client.activate(id);
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

const WITH_CURSORS = { ...DURABLE, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' };
const KILLED: Variant['events'] = { 25: 'restart', 55: 'kill', 85: 'kill', 115: 'reactivate', 170: 'kill' };

export const VARIANTS: Variant[] = [
	{ title: 'Usual poller, killed three times', version: NEWEST, events: KILLED },
	{ title: 'Usual poller, stopped twice', version: NEWEST, events: { 60: 'restart', 130: 'restart' } },
	{ title: 'Durable poller, killed three times', version: NEWEST, env: WITH_CURSORS, events: KILLED },
	{ title: 'Durable poller without its cursors, killed three times', version: NEWEST, env: DURABLE, events: KILLED },
	{ title: 'Oldest n8n, killed three times', version: OLDEST, events: KILLED },
];

/** What became of a variant. */
export interface Figures {
	title: string;
	n8n: string;
	watched: Watched;
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

/**
 * Creates one campaign, which has one job, and one enrollment; every fourth shows up late, with a create time of up to twelve
 * hours before. @returns their name
 */
function create(service: StandIn, index: number): string {
	const simulator = SIMULATORS[index % SIMULATORS.length] ?? 'phishing';
	const company = service.state.companies[index % COMPANIES];
	if (!company) throw new Problem('There is no company.');
	const { companyResourceId, companyName } = company;
	const late = index % 4 === 3 ? (index % 12) * 3_600_000 : 0;
	const made = {
		...{ resourceId: `e2e-${index}`, name: `Record ${index}`, companyResourceId },
		createTime: new Date(Date.now() - late).toISOString(),
	};
	const { enrollments } = service.state.of(companyResourceId);
	const [another] = enrollments;
	if (!another) throw new Problem('There is no enrollment.');
	enrollments.push({ ...another, ...made });
	service.state
		.of(companyResourceId)
		.campaigns(simulator)
		.push({
			...{ ...made, companyName, simulator, scenario: 'Parcel Notice', difficulty: 'Easy', status: 'Running' },
			...{ excludeFromReports: false, instanceGroups: [1], userResourceIds: [] },
		});
	return made.name;
}

/** How often each trigger has polled, at least: a poll asks without a company, or each of them and once without one. */
const pollsOf = (service: StandIn) =>
	ALL.map((each) => Math.floor(service.requests(WATCHED[each].search).length / (COMPANIES + 1)));

/** Waits for so many more polls of each trigger. */
async function untilPolled(service: StandIn, times: number): Promise<void> {
	const wanted = pollsOf(service).map((polls) => polls + times);
	for (let waited = 0; pollsOf(service).some((polls, index) => polls < (wanted[index] ?? 0)); waited++) {
		if (waited > 600) throw new Problem('A trigger does not poll.');
		await sleep(200);
	}
}

/** The names of the records that a workflow was started for. */
async function givenBy(client: N8nClient, workflowId: string) {
	const executions: Execution[] = await client.executions(workflowId);
	const items = executions.flatMap((execution) => itemsOf(execution, NAME));
	return { executions, given: items.map(({ json }) => String(json.name)) };
}

/** Runs one variant on a stage of its own. */
export async function runVariant({ title, version, events }: Variant, stage: Stage): Promise<Figures[]> {
	const { client, service, credential } = stage;
	const workflowIds: string[] = [];
	for (const watched of ALL) {
		const { type, parameters } = WATCHED[watched];
		const workflow = triggerWorkflow(
			triggerOfAll(type, { ...parameters, options: { askEachEvery: 0 } }, credential),
			NAME,
		);
		workflowIds.push(await client.createWorkflow({ name: `New ${watched}`, ...workflow }));
	}
	const scene = { ...stage, workflowIds };
	service.clearLog();
	for (const id of workflowIds) await client.activate(id);

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
	let outcomes: Array<Awaited<ReturnType<typeof givenBy>>> = [];
	const isShort = () => outcomes.length === 0 || outcomes.some(({ given }) => given.length < created.length);
	// A record whose company is looked up may come some polls later.
	for (let times = 0; times < MOST_WAITS && isShort(); times++) {
		await untilPolled(service, 3);
		await sleep(2000);
		outcomes = await Promise.all(workflowIds.map(async (id) => await givenBy(client, id)));
	}
	const polls = pollsOf(service);
	return outcomes.map(({ executions, given }, index) => ({
		...{ title, n8n: version, watched: ALL[index] ?? 'campaigns', created: created.length, emitted: given.length },
		missed: created.filter((each) => !given.includes(each)),
		repeated: given.filter((each, at) => given.indexOf(each) < at),
		others: given.filter((each) => !created.includes(each)),
		executions: executions.length,
		failed: executions.filter(({ status }) => status !== 'success').length,
		polls: polls[index] ?? 0,
		events: Object.values(events).join(', '),
	}));
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
			({ title, watched, ...each }) =>
				`${title}, ${watched}: missed ${each.missed.join(' ')}, repeated ${each.repeated.join(' ')}, others ${each.others.join(' ')}`,
		);

async function main({ cleanups }: Script): Promise<void> {
	const word = process.argv[2] ?? '';
	const tarball = await packInto(await temporaryFolder(cleanups));
	const figures: Figures[] = [];
	for (const variant of VARIANTS.filter(({ title }) => title.includes(word))) {
		const { version, env } = variant;
		const own: Script = { cleanups: [], isOpen: false };
		cleanups.push(() => cleanUp(own));
		figures.push(
			...(await runVariant(variant, await setStage({ version, env, tarball, companies: COMPANIES }, own.cleanups))),
		);
		await cleanUp(own);
	}
	console.table(figures.map(rowOf));
	const failures = failuresOf(figures);
	for (const failure of failures) console.log(failure);
	if (failures.length > 0) throw new Problem('Not every record was given exactly once.');
}

if (require.main === module) runScript(main);

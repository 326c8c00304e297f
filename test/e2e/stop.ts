/**
 * Presses Stop in a real n8n while a node works, waits or downloads, and prints which requests the service saw after the
 * click. `tsx test/e2e/stop.ts [version [word]]` takes another n8n than the newest, and only the cases that hold the word.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeConnectionTypes, type INode } from 'n8n-workflow';
import { runScript } from '../real-n8n/script';
import { CREDENTIAL_TYPE, setStage } from '../real-n8n/stage';
import { Problem } from '../real-n8n/problem';
import { NEWEST, VERSIONS, type Version } from '../real-n8n/versions';
import type { LoggedRequest, StandIn } from '../stand-in';

const TOKEN = 'POST /connect/token';
const GROUPS = 'POST /api/target-groups/search/current-company';
const CREATE = 'POST /api/company-groups';
/** How long the service is watched after the click. */
const WATCHED_MS = 35_000;
const GIGABYTE = 1024 ** 3;

interface Case {
	title: string;
	node: string;
	parameters: INode['parameters'];
	/** How many items come in. */
	items?: number;
	/** Whether the credential has no token yet. */
	cold?: boolean;
	set: (service: StandIn) => void;
	/** Whether it is time to press Stop. */
	isTime: (log: LoggedRequest[]) => boolean;
}

const everyCompany = {
	node: 'TargetGroup',
	parameters: { operation: 'getMany', companyScope: 'every', returnAll: true },
};
const create = {
	node: 'CompanyGroup',
	parameters: { operation: 'create', name: '={{ "Group " + $itemIndex }}', participantsFrom: 'none' },
};
const asked = (log: LoggedRequest[], route: string, times: number) =>
	log.filter((entry) => entry.route === route).length >= times;

/** A token request is sent by n8n itself: it is not cancelled, and its token is for the next run. */
const sent = (log: LoggedRequest[]) =>
	log.filter(({ route }) => route !== TOKEN).reduce((sum, { bytesSent }) => sum + bytesSent, 0);

const CASES: Case[] = [
	{
		...{ title: 'every company (500)', ...everyCompany },
		set: () => {},
		isTime: (log) => asked(log, GROUPS, 100),
	},
	{
		...{
			title: 'every company, 20 at once',
			...everyCompany,
			parameters: { ...everyCompany.parameters, options: { concurrency: 20 } },
		},
		set: () => {},
		isTime: (log) => asked(log, GROUPS, 100),
	},
	{
		...{ title: 'waiting as the service asked (Retry-After 30)', ...everyCompany },
		set: (service) => service.fault({ route: GROUPS, kind: 'status-429', retryAfter: '30', times: Infinity }),
		isTime: (log) => log.filter(({ route, status }) => route === GROUPS && status === 429).length >= 5,
	},
	{
		...{ title: 'an export of 4 GB', node: 'Leaderboard', parameters: { operation: 'export', companyScope: 'own' } },
		set: (service) => service.setOptions({ exportBytes: 4 * GIGABYTE }),
		isTime: (log) => log.some(({ bytesSent }) => bytesSent > GIGABYTE / 10),
	},
	{
		...{ title: 'waiting for the first token', ...everyCompany, cold: true },
		set: (service) => service.fault({ route: TOKEN, kind: 'slow', ms: 10_000 }),
		isTime: (log) => asked(log, TOKEN, 1),
	},
	{
		...{ title: 'writes, 100 items', ...create, items: 100 },
		set: () => {},
		isTime: (log) => asked(log, CREATE, 20),
	},
];

runScript(async ({ cleanups }) => {
	const [chosen = NEWEST, word = ''] = process.argv.slice(2);
	const version = Object.keys(VERSIONS).find((each): each is Version => each === chosen);
	if (!version) throw new Problem(`There is no n8n ${chosen} here: ${Object.keys(VERSIONS).join(', ')}.`);
	const { client, service, credential: warm, secrets } = await setStage({ version }, cleanups);

	const rows = [];
	for (const { title, node: folder, parameters, items = 1, cold, set, isTime } of CASES.filter((each) =>
		each.title.includes(word),
	)) {
		service.reset();
		service.setOptions({ latencyMs: 100 });
		const credential = cold ? await client.createCredential(title, CREDENTIAL_TYPE, secrets) : warm;
		const node = (name: string, type: string, more: Partial<INode>): INode => ({
			id: name,
			name,
			type,
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
			...more,
		});
		const to = (name: string) => ({ main: [[{ node: name, type: NodeConnectionTypes.Main, index: 0 }]] });
		const id = await client.createWorkflow({
			name: title,
			nodes: [
				node('Start', 'n8n-nodes-base.manualTrigger', {}),
				node('Items', 'n8n-nodes-base.code', {
					typeVersion: 2,
					parameters: { jsCode: `return Array.from({ length: ${items} }, () => ({ json: {} }))` },
				}),
				node('Run', `n8n-nodes-security-awareness.securityAwareness${folder}`, {
					typeVersion: 1,
					parameters,
					credentials: { [CREDENTIAL_TYPE]: credential },
				}),
			],
			connections: { Start: to('Items'), Items: to('Run') },
		});
		service.clearLog();
		set(service);
		const execution = await client.start(id, 'Start');
		for (let waited = 0; !isTime(service.log); waited++) {
			if (waited > 6000) throw new Problem(`${title}: nothing came that could be stopped.`);
			await sleep(10);
		}
		const before = service.log.length;
		const click = Date.now();
		await client.stop(execution);
		const answered = Date.now();
		const { status } = await client.ended(execution);
		const { stoppedAt } = await client.request<{ stoppedAt: string }>('GET', `/rest/executions/${execution}`);
		const sentAtEnd = sent(service.log);
		await sleep(WATCHED_MS - (Date.now() - click));
		const after = (ms: number) => service.log.filter(({ at }) => at > click + ms).length;
		rows.push({
			'stopped while': title,
			'requests before': before,
			'after the click': after(0),
			'after n8n answered': after(answered - click),
			'after 1 s': after(1000),
			// What was on its way when Stop took effect may still arrive, but nobody is there any more to be answered.
			'of them answered': service.log.filter(({ at, status }) => at > answered && status !== 0).length,
			'the last (ms)': Math.max(0, (service.log.at(-1)?.at ?? 0) - click),
			'n8n answered (ms)': answered - click,
			'execution ended (ms)': Date.parse(stoppedAt) - click,
			status,
			'sent after the end (bytes)': sent(service.log) - sentAtEnd,
		});
	}
	console.log(`\nn8n ${version}; watched for ${WATCHED_MS / 1000} s after each click`);
	console.table(rows);
	const late = rows.filter(
		(row) => row['after 1 s'] > 0 || row['execution ended (ms)'] > 1000 || row['sent after the end (bytes)'] > 0,
	);
	if (late.length > 0) throw new Problem(`Stop came late: ${late.map((row) => row['stopped while']).join(', ')}.`);
});

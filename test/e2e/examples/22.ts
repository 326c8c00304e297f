import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { checkExample, failureOf, sorted, until } from './check';

const EXPORTS = [
	'POST /api/leaderboard/get-all/export',
	'POST /api/phishing-simulator/phishing-campaign/search/export',
	'POST /api/enrollments/search/export',
];
const [, CAMPAIGNS = ''] = EXPORTS;
const tables = z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) });
const rows = z.object({ data: z.array(z.record(z.unknown())) });

checkExample(22, async ({ stage, client, service, folder, workflow, runActive, refuse, same }) => {
	const settings = { workerUrl: `${stage.n8n.url}/webhook/night-part`, partSize: 3, partsAtOnce: 2, quietMinutes: 0 };
	if (!(await (await client.file('/types/nodes.json')).text()).includes('createIfNotExists')) {
		await client.createWorkflow(await workflow());
		same('an n8n that knows no tables by name imports it, and nothing is sent', service.requests().length, 0);
		return;
	}
	await client.createCredential('Header Auth account', 'httpHeaderAuth', { name: 'X-Night', value: 'a secret' });
	const { id: project } = await client.request<{ id: string }>('GET', '/rest/projects/personal');
	const path = `/rest/projects/${project}/data-tables`;
	const rowsOf = async (name: string) => {
		const there = tables.parse(await client.request('GET', path)).data.find((each) => each.name === name);
		return there ? rows.parse(await client.request('GET', `${path}/${there.id}/rows?take=250`)).data : [];
	};
	const start = async (more: Record<string, string>, happen: (id: string) => Promise<unknown>) =>
		runActive(happen, { settings: { ...settings, ...more }, count: 0 });
	/** What a start says that fails. */
	const saidBy = async (more: Record<string, string>) => {
		const hasFailed = async (id: string) => (await client.executions(id)).some(({ status }) => status === 'error');
		return await failureOf(start(more, (id) => until('a failure', () => hasFailed(id))));
	};
	const areDone = async () => {
		const states = (await rowsOf('Night Parts')).map(({ state }) => state);
		return states.length > 0 && states.every((state) => state === 'done');
	};
	const reports = async () => sorted((await rowsOf('Night Reports')).map(({ file }) => String(file)));

	const customers = service.state.companies.filter(({ companyName }) => /bakery/i.test(companyName ?? ''));
	const wanted = (night: string) =>
		sorted(
			customers.flatMap(({ companyResourceId: id }) =>
				['leaderboard', 'campaigns', 'enrollments'].map((report) => `${night} ${id} ${report}.csv`),
			),
		);
	const sent = () => service.log.filter(({ route }) => EXPORTS.includes(route));
	const first = { onlyCustomers: 'Bakery', night: '2026-01-01' };
	await start(first, () => until('all parts', areDone));
	same('each customer and report has one line', await reports(), wanted(first.night));
	same('and one file', sorted(await readdir(folder)), wanted(first.night));
	const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('hex');
	const digests = await Promise.all(
		(await readdir(folder)).map(async (file) => digestOf(await readFile(join(folder, file)))),
	);
	const whole = sent().flatMap(({ sha256 }) => sha256 ?? []);
	same('each file is what was sent, and was sent once', sorted(digests), sorted(whole));

	const [unlucky] = customers;
	refuse(unlucky, CAMPAIGNS);
	service.clearLog();
	const second = { onlyCustomers: 'Bakery', night: '2026-01-02' };
	const refused = await saidBy(second);
	same('a start that leaves a part open fails, and says why', refused.includes('access was refused (403)'), true);
	const missing = `${second.night} ${unlucky?.companyResourceId} campaigns.csv`;
	same(
		'a report that fails has no line',
		await reports(),
		wanted(second.night).filter((file) => file !== missing),
	);
	service.clearFaults();
	service.clearLog();
	const id = await client.createWorkflow(await workflow({ ...settings, ...second }));
	await client.activate(id);
	await client.start(id, 'Every Ten Minutes at Night');
	await until('all parts', areDone);
	await client.deactivate(id);
	same('and is made by a start by hand', await reports(), wanted(second.night));
	same(
		'which asks for nothing of the other customers',
		new Set(sent().map(({ companyId }) => companyId)),
		new Set([unlucky?.companyResourceId]),
	);

	const nowhere = { onlyCustomers: 'Bakery', night: '2026-01-03', workerUrl: `${stage.n8n.url}/webhook/nobody` };
	await saidBy(nowhere);
	const problems = (await rowsOf('Night Parts')).map(({ problem }) => String(problem).split('.')[0]);
	same('a part that no worker took says so', new Set(problems), new Set(['Sent to a worker, and none has ended it']));
});

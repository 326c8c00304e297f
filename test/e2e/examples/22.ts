import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { registerCheck, getFailure, sortForComparison, waitInN8n } from './check';

const EXPORTS = [
	'POST /api/leaderboard/get-all/export',
	'POST /api/phishing-simulator/phishing-campaign/search/export',
	'POST /api/enrollments/search/export',
];
const [, CAMPAIGNS = ''] = EXPORTS;
const tablesSchema = z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) });
const rowsSchema = z.object({ data: z.array(z.record(z.unknown())) });

registerCheck(
	22,
	async ({ environment, client, service, folder, prepareWorkflow, runActivated, refuseCompany, expectEqual }) => {
		const settings = {
			workerUrl: `${environment.n8n.url}/webhook/night-part`,
			partSize: 3,
			partsAtOnce: 2,
			quietMinutes: 0,
		};
		if (!(await (await client.fetchFile('/types/nodes.json')).text()).includes('createIfNotExists')) {
			await client.createWorkflow(await prepareWorkflow());
			expectEqual(
				'an n8n that knows no tables by name imports it, and nothing is sent',
				service.getRequests().length,
				0,
			);
			return;
		}
		await client.createCredential('Header Auth account', 'httpHeaderAuth', { name: 'X-Night', value: 'a secret' });
		const { id: project } = await client.request<{ id: string }>('GET', '/rest/projects/personal');
		const path = `/rest/projects/${project}/data-tables`;
		const readTable = async (name: string) => {
			const there = tablesSchema.parse(await client.request('GET', path)).data.find((each) => each.name === name);
			return there ? rowsSchema.parse(await client.request('GET', `${path}/${there.id}/rows?take=250`)).data : [];
		};
		const startNight = async (more: Record<string, string>, happen: (id: string) => Promise<unknown>) =>
			runActivated(happen, { settings: { ...settings, ...more }, count: 0 });
		/** What a start says that fails. */
		const getStartFailure = async (more: Record<string, string>) => {
			const hasFailed = async (id: string) =>
				(await client.readExecutions(id)).some(({ status }) => status === 'error');
			return await getFailure(startNight(more, (id) => waitInN8n('a failure', () => hasFailed(id))));
		};
		const areAllPartsDone = async () => {
			const states = (await readTable('Night Parts')).map(({ state }) => state);
			return states.length > 0 && states.every((state) => state === 'done');
		};
		const listReportFiles = async () =>
			sortForComparison((await readTable('Night Reports')).map(({ file }) => String(file)));

		const customers = service.world.companies.filter(({ companyName }) => /bakery/i.test(companyName ?? ''));
		const buildExpectedFiles = (night: string) =>
			sortForComparison(
				customers.flatMap(({ companyResourceId: id }) =>
					['leaderboard', 'campaigns', 'enrollments'].map((report) => `${night} ${id} ${report}.csv`),
				),
			);
		const listExportRequests = () => service.log.filter(({ route }) => EXPORTS.includes(route));
		const first = { onlyCustomers: 'Bakery', night: '2026-01-01' };
		await startNight(first, () => waitInN8n('all parts', areAllPartsDone));
		expectEqual('each customer and report has one line', await listReportFiles(), buildExpectedFiles(first.night));
		expectEqual('and one file', sortForComparison(await readdir(folder)), buildExpectedFiles(first.night));
		const hashContent = (content: Buffer) => createHash('sha256').update(content).digest('hex');
		const digests = await Promise.all(
			(await readdir(folder)).map(async (file) => hashContent(await readFile(join(folder, file)))),
		);
		const whole = listExportRequests().flatMap(({ sha256 }) => sha256 ?? []);
		expectEqual('each file is what was sent, and was sent once', sortForComparison(digests), sortForComparison(whole));

		const [unlucky] = customers;
		refuseCompany(unlucky, CAMPAIGNS);
		service.clearLog();
		const second = { onlyCustomers: 'Bakery', night: '2026-01-02' };
		const refused = await getStartFailure(second);
		expectEqual(
			'a start that leaves a part open fails, and says why',
			refused.includes('access was refused (403)'),
			true,
		);
		const missing = `${second.night} ${unlucky?.companyResourceId} campaigns.csv`;
		expectEqual(
			'a report that fails has no line',
			await listReportFiles(),
			buildExpectedFiles(second.night).filter((file) => file !== missing),
		);
		service.clearFaults();
		service.clearLog();
		const id = await client.createWorkflow(await prepareWorkflow({ ...settings, ...second }));
		await client.activate(id);
		await client.start(id, 'Every Ten Minutes at Night');
		await waitInN8n('all parts', areAllPartsDone);
		await client.deactivate(id);
		expectEqual('and is made by a start by hand', await listReportFiles(), buildExpectedFiles(second.night));
		expectEqual(
			'which asks for nothing of the other customers',
			new Set(listExportRequests().map(({ companyId }) => companyId)),
			new Set([unlucky?.companyResourceId]),
		);

		const nowhere = {
			onlyCustomers: 'Bakery',
			night: '2026-01-03',
			workerUrl: `${environment.n8n.url}/webhook/nobody`,
		};
		await getStartFailure(nowhere);
		const problems = (await readTable('Night Parts')).map(({ problem }) => String(problem).split('.')[0]);
		expectEqual(
			'a part that no worker took says so',
			new Set(problems),
			new Set(['Sent to a worker, and none has ended it']),
		);
	},
);

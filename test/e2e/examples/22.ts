import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { registerCheck, getErrorMessage, sortForComparison, waitInN8n } from './registerCheck';

const EXPORT_ROUTES = [
	'POST /api/leaderboard/get-all/export',
	'POST /api/phishing-simulator/phishing-campaign/search/export',
	'POST /api/enrollments/search/export',
];
const [, CAMPAIGN_EXPORT_ROUTE = ''] = EXPORT_ROUTES;
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
				'an n8n that cannot find tables by name imports the example, and no request is sent',
				service.getRequests().length,
				0,
			);
			return;
		}
		await client.createCredential('Header Auth account', 'httpHeaderAuth', { name: 'X-Night', value: 'a secret' });
		const { id: projectId } = await client.request<{ id: string }>('GET', '/rest/projects/personal');
		const tablesPath = `/rest/projects/${projectId}/data-tables`;
		const readTable = async (name: string) => {
			const table = tablesSchema
				.parse(await client.request('GET', tablesPath))
				.data.find((candidate) => candidate.name === name);
			return table ? rowsSchema.parse(await client.request('GET', `${tablesPath}/${table.id}/rows?take=250`)).data : [];
		};
		const startNight = async (nightSettings: Record<string, string>, waitForEvent: (id: string) => Promise<unknown>) =>
			runActivated(waitForEvent, { settings: { ...settings, ...nightSettings }, count: 0 });
		/** Returns the error message of a start that must fail. */
		const getStartFailure = async (nightSettings: Record<string, string>) => {
			const hasFailed = async (id: string) =>
				(await client.readExecutions(id)).some(({ status }) => status === 'error');
			return await getErrorMessage(startNight(nightSettings, (id) => waitInN8n('a failure', () => hasFailed(id))));
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
		const listExportRequests = () => service.log.filter(({ route }) => EXPORT_ROUTES.includes(route));
		const firstNight = { onlyCustomers: 'Bakery', night: '2026-01-01' };
		await startNight(firstNight, () => waitInN8n('all parts', areAllPartsDone));
		expectEqual(
			'the manifest has one line for each customer and report',
			await listReportFiles(),
			buildExpectedFiles(firstNight.night),
		);
		expectEqual(
			'there is one file for each customer and report',
			sortForComparison(await readdir(folder)),
			buildExpectedFiles(firstNight.night),
		);
		const hashContent = (content: Buffer) => createHash('sha256').update(content).digest('hex');
		const fileHashes = await Promise.all(
			(await readdir(folder)).map(async (file) => hashContent(await readFile(join(folder, file)))),
		);
		const sentHashes = listExportRequests().flatMap(({ sha256 }) => sha256 ?? []);
		expectEqual(
			'each file is the same as the sent report, and was sent once',
			sortForComparison(fileHashes),
			sortForComparison(sentHashes),
		);

		const [refusedCustomer] = customers;
		refuseCompany(refusedCustomer, CAMPAIGN_EXPORT_ROUTE);
		service.clearLog();
		const secondNight = { onlyCustomers: 'Bakery', night: '2026-01-02' };
		const failureMessage = await getStartFailure(secondNight);
		expectEqual(
			'a start that leaves a part open fails with the reason',
			failureMessage.includes('the platform refused access (403)'),
			true,
		);
		const missingFile = `${secondNight.night} ${refusedCustomer?.companyResourceId} campaigns.csv`;
		expectEqual(
			'a failed report has no line',
			await listReportFiles(),
			buildExpectedFiles(secondNight.night).filter((file) => file !== missingFile),
		);
		service.clearFaults();
		service.clearLog();
		const id = await client.createWorkflow(await prepareWorkflow({ ...settings, ...secondNight }));
		await client.activate(id);
		await client.startWorkflow(id, 'Every Ten Minutes at Night');
		await waitInN8n('all parts', areAllPartsDone);
		await client.deactivate(id);
		expectEqual(
			'a start by hand creates the failed report',
			await listReportFiles(),
			buildExpectedFiles(secondNight.night),
		);
		expectEqual(
			'a start by hand sends no requests for the other customers',
			new Set(listExportRequests().map(({ companyId }) => companyId)),
			new Set([refusedCustomer?.companyResourceId]),
		);

		const missingWorkerSettings = {
			onlyCustomers: 'Bakery',
			night: '2026-01-03',
			workerUrl: `${environment.n8n.url}/webhook/nobody`,
		};
		await getStartFailure(missingWorkerSettings);
		const problems = (await readTable('Night Parts')).map(({ problem }) => String(problem).split('.')[0]);
		expectEqual(
			'a part that no worker has accepted has this problem',
			new Set(problems),
			new Set(['Sent to a worker, and none has ended it']),
		);
	},
);

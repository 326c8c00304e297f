/** Tests the output items of the operations for campaign jobs and their people, on each platform profile. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { SIMULATORS } from '../stand-in/profile';
import { fetchJobPeople, findJob, NODE_FOLDERS, getCampaignKeys } from '../cases/campaigns';
import { createOperationFixture, TESTED_PROFILES } from '../cases/operationFixture';
import { parseOperationKey } from '../contract/operationKeys';
import { runNode } from '../n8n-core';
import { startFakeServer, closeFakeServers, getHintMessages } from '../n8n-core/nodeFixture';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const fixture = createOperationFixture(profile);
	const run = async (simulator: keyof typeof NODE_FOLDERS, parameters: IDataObject) =>
		runNode({
			node: fixture.getNode(NODE_FOLDERS[simulator]),
			parameters: { ...fixture.customer.companyParameters, ...parameters },
			credential: fixture.credential,
		});
	const runForJson = async (simulator: keyof typeof NODE_FOLDERS, parameters: IDataObject) =>
		(await run(simulator, parameters)).items.map(({ json }) => json);

	test('jobs are sorted by name, or all are read, sorted newest first and then limited', async () => {
		const allJobs = await runForJson('phishing', { resource: 'campaignJob', operation: 'getMany', returnAll: true });
		const newestFirstParameters = { sort: { fields: { by: 'newestFirst', direction: 'ascending' } } };
		const newestFirstRun = await run('phishing', {
			resource: 'campaignJob',
			operation: 'getMany',
			limit: 1,
			...newestFirstParameters,
		});
		const newestJobs = newestFirstRun.items.map(({ json }) => json);
		const times = allJobs.map(({ createdDate }) => String(createdDate ?? '')).sort();
		expect(newestJobs).toHaveLength(1);
		expect(String(newestJobs[0]?.createdDate ?? '')).toBe(times.at(-1));
		fixture.standIn.clearLog();
		const limitedRun = await run('phishing', { resource: 'campaignJob', operation: 'getMany', limit: 1 });
		for (const result of [newestFirstRun, limitedRun])
			expect(getHintMessages(result).join()).toContain("There are more results than 'Limit'.");
		expect(fixture.standIn.getRequests(getCampaignKeys('phishing').jobs)).toHaveLength(1);
	});

	test.each(['phishing', 'smishing'] as const)(
		'%s: the report of a period returns the people who match "Only People Who"',
		async (simulator) => {
			const fetchPeriodReport = (onlyPeopleWho: string) =>
				runForJson(simulator, {
					resource: 'result',
					operation: 'getManyByPeriod',
					period: 'custom',
					periodStart: '2000-01-01',
					onlyPeopleWho,
				});
			const allRows = await fetchPeriodReport('all');
			const clickedRows = await fetchPeriodReport('clicked');
			const inactiveRows = await fetchPeriodReport('didNone');
			expect(clickedRows.length).toBeGreaterThan(0);
			expect(clickedRows).toEqual(allRows.filter((row) => row.clicked === true));
			expect(inactiveRows).toEqual(
				allRows.filter((row) => row.opened !== true && row.clicked !== true && row.submitted !== true),
			);
			const notReportedRows = await fetchPeriodReport('notReported');
			expect(notReportedRows).toEqual(allRows.filter(({ reported }) => reported === false));
			expect((await fetchPeriodReport('reported')).length + notReportedRows.length).toBeLessThanOrEqual(allRows.length);
			expect((await fetchPeriodReport('didSomething')).length).toBe(allRows.length - inactiveRows.length);
			expect(allRows[0]).toMatchObject({ campaignName: expect.any(String), jobId: expect.stringContaining('/') });
		},
	);

	test('the report of a job without people has one row with the usual columns', async () => {
		const [job] = await runForJson('phishing', { resource: 'campaignJob', operation: 'getMany', limit: 1 });
		const fetchReport = () =>
			runForJson('phishing', { resource: 'result', operation: 'getFullReport', job: job?.jobId });
		const [usualRow = {}] = await fetchReport();
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) =>
				route === getCampaignKeys('phishing').people ? { data: { results: [] } } : envelope,
		});
		const rows = await fetchReport().finally(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));
		expect(rows).toHaveLength(1);
		expect(Object.keys(usualRow).filter((name) => !(name in (rows[0] ?? {})))).toEqual([]);
		expect(rows[0]).toMatchObject({ campaignName: usualRow.campaignName, jobId: job?.jobId, email: null });
	});

	test('the people who clicked are listed with the campaign name, and with the same field names as in the report', async () => {
		const [job] = await runForJson('phishing', { resource: 'campaignJob', operation: 'getMany', limit: 1 });
		const rows = await runForJson('phishing', {
			resource: 'result',
			operation: 'getClicked',
			job: job?.jobId,
			returnAll: true,
		});
		for (const row of rows) {
			expect(row).toMatchObject({ campaignName: job?.name, jobId: job?.jobId, clicked: true });
			expect(row).not.toHaveProperty('isClicked');
		}
	});
});

describe('a live deployment', () => {
	const fixture = createOperationFixture('deployed');
	const runForJson = async (simulator: keyof typeof NODE_FOLDERS, operation: string, parameters: IDataObject) => {
		const { items } = await runNode({
			node: fixture.getNode(NODE_FOLDERS[simulator]),
			parameters: {
				...parseOperationKey(NODE_FOLDERS[simulator], operation),
				...fixture.customer.companyParameters,
				...parameters,
			},
			credential: fixture.credential,
		});
		return items.map(({ json }) => json);
	};

	test.each(SIMULATORS)(
		'%s: figures of the list of jobs and of the summary have different names, because only one leaves bots out',
		async (simulator) => {
			const jobs = await runForJson(simulator, 'campaignJob.getMany', { returnAll: true });
			for (const job of jobs) {
				const [summary = {}] = await runForJson(simulator, 'campaignJob.getSummary', { job: job.jobId, output: 'raw' });
				const clickers = await fetchJobPeople(fixture.customer, simulator, 'Clicked', splitJobId(job.jobId));
				expect(job.clickedMayIncludeBots).toBe(clickers.length);
				expect(Number(summary.clicked)).toBeLessThanOrEqual(clickers.length);
			}
			const [summary = {}] = await runForJson(simulator, 'campaignJob.getSummary', { job: jobs[0]?.jobId });
			const commonNames = Object.keys(summary).filter((name) => name in (jobs[0] ?? {}));
			expect(commonNames.sort()).toEqual(['companyName', 'companyResourceId', 'jobId']);
		},
	);

	test.each(['phishing', 'quishing'] as const)(
		'%s: shows how long people took to report the message',
		async (simulator) => {
			const { parameters, ...job } = findJob(fixture.customer, simulator);
			const reporters = await fetchJobPeople(fixture.customer, simulator, 'Reported', job);
			expect(reporters.length).toBeGreaterThan(1);
			const [resentRow, ...otherReporters] = reporters;
			fixture.standIn.setOptions({
				transformEnvelope: (envelope, { route }) =>
					route === getCampaignKeys(simulator).people
						? changePersonRow(envelope, resentRow?.resourceId, { lastSendingTime: new Date().toISOString() })
						: envelope,
			});
			const rows = await runForJson(simulator, 'result.getReported', { ...parameters, returnAll: true }).finally(() =>
				fixture.standIn.setOptions({ transformEnvelope: undefined }),
			);
			const minutesByEmail = Object.fromEntries(rows.map(({ email, minutesToReport }) => [email, minutesToReport]));
			const expectedMinutes = otherReporters.map(({ email, lastReportedTime, lastSendingTime }) => [
				email,
				(Date.parse(String(lastReportedTime)) - Date.parse(String(lastSendingTime))) / 60_000,
			]);
			// A message that was sent again after the report says nothing about the time to report.
			expect(minutesByEmail).toEqual({ ...Object.fromEntries(expectedMinutes), [String(resentRow?.email)]: null });
		},
	);
});

const pageSchema = z
	.object({ data: z.object({ results: z.array(z.record(z.unknown())) }).passthrough() })
	.passthrough();

/** Changes the row of one person in a page of a job's people. */
function changePersonRow(envelope: unknown, resourceId: unknown, changes: IDataObject) {
	const page = pageSchema.parse(envelope);
	const results = page.data.results.map((row) => (row.resourceId === resourceId ? { ...row, ...changes } : row));
	return { ...page, data: { ...page.data, results } };
}

/** Splits the ID of a job into the ID of its campaign and its number. */
function splitJobId(jobId: unknown): { id: string; group: number } {
	const [id = '', group] = String(jobId).split('/');
	return { id, group: Number(group) };
}

describe('two jobs, one without a date in its row', () => {
	afterEach(closeFakeServers);
	const REPORT_PATH = '/api/phishing-simulator/phishing-campaign-job-report';
	const START_DATE = '2026-03-02T08:00:00Z';
	const createJobRow = (id: string, name: string) => ({ phishingCampaignResourceId: id, instanceGroup: 1, name });
	const run = async (parameters: IDataObject, people: IDataObject[] = [{ email: 'a@example.com' }]) => {
		const { credentialStore: store } = await startFakeServer({
			[`POST ${REPORT_PATH}/search`]: {
				data: [createJobRow('x', 'Autumn'), { ...createJobRow('y', 'Spring'), createdDate: '2026-04-09T10:00:00Z' }],
			},
			[`GET ${REPORT_PATH}/summary/x/1`]: { data: { name: 'Autumn', campaignInfo: { startDate: START_DATE } } },
			[`POST ${REPORT_PATH}/All/search/x/1`]: { data: people },
		});
		const node = new SecurityAwarenessPhishingCampaign();
		return await runNode({ node, parameters: { companyScope: 'own', ...parameters }, credential: store });
	};

	test('the start time is read from the summary', async () => {
		const { items } = await run({ resource: 'result', operation: 'getFullReport', job: 'x/1' });
		expect(items.map(({ json }) => [json.email, json.jobStartTime])).toEqual([['a@example.com', START_DATE]]);
	});

	test('the newest job is found even if it is beyond the limit', async () => {
		const sort = { fields: { by: 'newestFirst' } };
		const { items } = await run({ resource: 'campaignJob', operation: 'getMany', returnAll: false, limit: 1, sort });
		expect(items.map(({ json }) => json.name)).toEqual(['Spring']);
	});

	test.each([
		['notReported', ['silent@example.com']],
		['reported', ['reporter@example.com']],
		['all', ['unknown@example.com', 'silent@example.com', 'reporter@example.com']],
	])('a row that does not show if its person reported: Only People Who (%s)', async (onlyPeopleWho, expectedEmails) => {
		const people = [
			{ email: 'unknown@example.com' },
			{ email: 'silent@example.com', reportedCount: 0 },
			{ email: 'reporter@example.com', reportedCount: 1 },
		];
		const result = await run(
			{ resource: 'result', operation: 'getManyByPeriod', period: 'today', onlyPeopleWho },
			people,
		);
		expect(result.items.map(({ json }) => json.email)).toEqual(expectedEmails);
	});

	test('the report of a period includes the job without a date, and a hint says so', async () => {
		const result = await run({ resource: 'result', operation: 'getManyByPeriod', period: 'today' });
		expect(result.items.map(({ json }) => json.campaignName)).toEqual(['Autumn']);
		expect(getHintMessages(result)).toEqual([
			'Jobs without a date are in the output, although they may be outside the period. This applies to 1 job.',
		]);
	});
});

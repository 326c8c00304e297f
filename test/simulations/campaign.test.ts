/** Tests the output items of the operations for campaign jobs and their people, on each platform profile. */
import type { IDataObject } from 'n8n-workflow';
import { NODE_FOLDERS, getCampaignKeys } from '../cases/campaigns';
import { createOperationFixture, TESTED_PROFILES } from '../cases/operationFixture';
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
		const allJobs = await runForJson('phishing', { operation: 'getManyJobs', returnAll: true });
		const newestFirstParameters = { sort: { fields: { by: 'newestFirst', direction: 'ascending' } } };
		const newestJobs = await runForJson('phishing', { operation: 'getManyJobs', limit: 1, ...newestFirstParameters });
		const times = allJobs.map(({ createdDate }) => String(createdDate ?? '')).sort();
		expect(newestJobs).toHaveLength(1);
		expect(String(newestJobs[0]?.createdDate ?? '')).toBe(times.at(-1));
		fixture.standIn.clearLog();
		const limitedRun = await run('phishing', { operation: 'getManyJobs', limit: 1 });
		expect(getHintMessages(limitedRun).join()).toContain("There was more than 'Limit'.");
		expect(fixture.standIn.getRequests(getCampaignKeys('phishing').jobs)).toHaveLength(1);
	});

	test.each(['phishing', 'smishing'] as const)(
		'%s: the report of a period returns the people who match "Only People Who"',
		async (simulator) => {
			const fetchPeriodReport = (onlyPeopleWho: string) =>
				runForJson(simulator, { operation: 'fullReportOfPeriod', period: 'custom', onlyPeopleWho });
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
		const [job] = await runForJson('phishing', { operation: 'getManyJobs', limit: 1 });
		const fetchReport = () => runForJson('phishing', { operation: 'fullReport', job: job?.jobId });
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
		const [job] = await runForJson('phishing', { operation: 'getManyJobs', limit: 1 });
		const rows = await runForJson('phishing', { operation: 'clicked', job: job?.jobId, returnAll: true });
		for (const row of rows) {
			expect(row).toMatchObject({ campaignName: job?.name, jobId: job?.jobId, clicked: true });
			expect(row).not.toHaveProperty('isClicked');
		}
	});
});

describe('two jobs, one without a date in its row', () => {
	afterEach(closeFakeServers);
	const REPORT_PATH = '/api/phishing-simulator/phishing-campaign-job-report';
	const START_DATE = '2026-03-02T08:00:00Z';
	const createJobRow = (id: string, name: string) => ({ phishingCampaignResourceId: id, instanceGroup: 1, name });
	const run = async (parameters: IDataObject) => {
		const { credentialStore: store } = await startFakeServer({
			[`POST ${REPORT_PATH}/search`]: {
				data: [createJobRow('x', 'Autumn'), { ...createJobRow('y', 'Spring'), createdDate: '2026-04-09T10:00:00Z' }],
			},
			[`GET ${REPORT_PATH}/summary/x/1`]: { data: { name: 'Autumn', campaignInfo: { startDate: START_DATE } } },
			[`POST ${REPORT_PATH}/All/search/x/1`]: { data: [{ email: 'a@example.com' }] },
		});
		const node = new SecurityAwarenessPhishingCampaign();
		return await runNode({ node, parameters: { companyScope: 'own', ...parameters }, credential: store });
	};

	test('the start time is read from the summary', async () => {
		const { items } = await run({ operation: 'fullReport', job: 'x/1' });
		expect(items.map(({ json }) => [json.email, json.jobStartTime])).toEqual([['a@example.com', START_DATE]]);
	});

	test('the newest job is found even if it is beyond the limit', async () => {
		const sort = { fields: { by: 'newestFirst' } };
		const { items } = await run({ operation: 'getManyJobs', returnAll: false, limit: 1, sort });
		expect(items.map(({ json }) => json.name)).toEqual(['Spring']);
	});

	test('the report of a period includes the job without a date, and a hint says so', async () => {
		const result = await run({ operation: 'fullReportOfPeriod', period: 'today' });
		expect(result.items.map(({ json }) => json.campaignName)).toEqual(['Autumn']);
		expect(getHintMessages(result)).toEqual([
			'Jobs without a date are in the output, whatever the period is. This is so for 1 job.',
		]);
	});
});

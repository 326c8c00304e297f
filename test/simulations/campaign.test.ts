/** What a person sees of campaigns' jobs and their people, with either way that a platform behaves. */
import type { IDataObject } from 'n8n-workflow';
import { NODE_FOLDERS, getCampaignKeys } from '../cases/campaigns';
import { createOperationFixture, TESTED_PROFILES } from '../cases/operationFixture';
import { runNode } from '../n8n-core';
import { startFakeServer, closeFakeServers, getHintMessages } from '../n8n-core/nodeFixture';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const g = createOperationFixture(profile);
	const run = async (simulator: keyof typeof NODE_FOLDERS, parameters: IDataObject) =>
		runNode({
			node: g.getNode(NODE_FOLDERS[simulator]),
			parameters: { ...g.customer.companyParameters, ...parameters },
			credential: g.credential,
		});
	const jsonOf = async (simulator: keyof typeof NODE_FOLDERS, parameters: IDataObject) =>
		(await run(simulator, parameters)).items.map(({ json }) => json);

	test('jobs: by name, or the newest first of all of them, then cut at the limit', async () => {
		const all = await jsonOf('phishing', { operation: 'getManyJobs', returnAll: true });
		const newestFirst = { sort: { fields: { by: 'newestFirst', direction: 'ascending' } } };
		const newest = await jsonOf('phishing', { operation: 'getManyJobs', limit: 1, ...newestFirst });
		const times = all.map(({ createdDate }) => String(createdDate ?? '')).sort();
		expect(newest).toHaveLength(1);
		expect(String(newest[0]?.createdDate ?? '')).toBe(times.at(-1));
		g.standIn.clearLog();
		const cut = await run('phishing', { operation: 'getManyJobs', limit: 1 });
		expect(getHintMessages(cut).join()).toContain("There was more than 'Limit'.");
		expect(g.standIn.getRequests(getCampaignKeys('phishing').jobs)).toHaveLength(1);
	});

	test.each(['phishing', 'smishing'] as const)(
		'%s: the report of a period has the people who did something, or nothing',
		async (simulator) => {
			const report = async (onlyPeopleWho: string) =>
				jsonOf(simulator, { operation: 'fullReportOfPeriod', period: 'custom', onlyPeopleWho });
			const all = await report('all');
			const clicked = await report('clicked');
			const none = await report('didNone');
			expect(clicked.length).toBeGreaterThan(0);
			expect(clicked).toEqual(all.filter((row) => row.clicked === true));
			expect(none).toEqual(
				all.filter(({ opened, clicked: did, submitted }) => ![opened, did, submitted].includes(true)),
			);
			const notReported = await report('notReported');
			expect(notReported).toEqual(all.filter(({ reported }) => reported === false));
			expect((await report('reported')).length + notReported.length).toBeLessThanOrEqual(all.length);
			expect((await report('didSomething')).length).toBe(all.length - none.length);
			expect(all[0]).toMatchObject({ campaignName: expect.any(String), jobId: expect.stringContaining('/') });
		},
	);

	test('a job without people has one row, with the columns of any other', async () => {
		const [job] = await jsonOf('phishing', { operation: 'getManyJobs', limit: 1 });
		const report = async () => jsonOf('phishing', { operation: 'fullReport', job: job?.jobId });
		const [full = {}] = await report();
		g.standIn.setOptions({
			transformEnvelope: (envelope, { route }) => (route === getCampaignKeys('phishing').people ? { data: { results: [] } } : envelope),
		});
		const none = await report().finally(() => g.standIn.setOptions({ transformEnvelope: undefined }));
		expect(none).toHaveLength(1);
		expect(Object.keys(full).filter((name) => !(name in (none[0] ?? {})))).toEqual([]);
		expect(none[0]).toMatchObject({ campaignName: full.campaignName, jobId: job?.jobId, email: null });
	});

	test('who clicked: with the name of the campaign, and under the same name as in the report', async () => {
		const [job] = await jsonOf('phishing', { operation: 'getManyJobs', limit: 1 });
		const rows = await jsonOf('phishing', { operation: 'clicked', job: job?.jobId, returnAll: true });
		for (const row of rows) {
			expect(row).toMatchObject({ campaignName: job?.name, jobId: job?.jobId, clicked: true });
			expect(row).not.toHaveProperty('isClicked');
		}
	});
});

describe('two jobs, of which one does not say when it was', () => {
	afterEach(closeFakeServers);
	const REPORT = '/api/phishing-simulator/phishing-campaign-job-report';
	const START = '2026-03-02T08:00:00Z';
	const job = (id: string, name: string) => ({ phishingCampaignResourceId: id, instanceGroup: 1, name });
	const run = async (parameters: IDataObject) => {
		const { store } = await startFakeServer({
			[`POST ${REPORT}/search`]: {
				data: [job('x', 'Autumn'), { ...job('y', 'Spring'), createdDate: '2026-04-09T10:00:00Z' }],
			},
			[`GET ${REPORT}/summary/x/1`]: { data: { name: 'Autumn', campaignInfo: { startDate: START } } },
			[`POST ${REPORT}/All/search/x/1`]: { data: [{ email: 'a@example.com' }] },
		});
		const node = new SecurityAwarenessPhishingCampaign();
		return await runNode({ node, parameters: { companyScope: 'own', ...parameters }, credential: store });
	};

	test('the summary says when it was started', async () => {
		const { items } = await run({ operation: 'fullReport', job: 'x/1' });
		expect(items.map(({ json }) => [json.email, json.jobStartTime])).toEqual([['a@example.com', START]]);
	});

	test('the newest is found behind the limit', async () => {
		const sort = { fields: { by: 'newestFirst' } };
		const { items } = await run({ operation: 'getManyJobs', returnAll: false, limit: 1, sort });
		expect(items.map(({ json }) => json.name)).toEqual(['Spring']);
	});

	test('the report of a period has the other, and says so', async () => {
		const result = await run({ operation: 'fullReportOfPeriod', period: 'today' });
		expect(result.items.map(({ json }) => json.campaignName)).toEqual(['Autumn']);
		expect(getHintMessages(result)).toEqual([
			'Jobs without a date are in the output, whatever the period is. This is so for 1 job.',
		]);
	});
});

import type { Row } from '../http';
import { SIMULATORS, type Simulator } from '../personality';
import { startService } from '../index';
import { ApiClient } from '../apiClient';
import { body, dataOf, Deployed, refusalOf, rowsOf } from './testing';

let d: Deployed;
beforeAll(async () => {
	d = await Deployed.start();
});
afterAll(async () => await d.service.close());
beforeEach(() => d.service.setOptions({ eventLists: undefined }));

const base = (simulator: Simulator) => `/api/${simulator}-simulator/${simulator}-campaign-job-report`;
const everyone = body('Email', { pageSize: 1000 });

async function people(simulator: Simulator, type: string, more: Row = {}): Promise<Row[]> {
	const { resourceId, instanceGroup } = d.service.state.fullReportJob(simulator);
	return await d.customer.results(`POST ${base(simulator)}/${type}/search/${resourceId}/${instanceGroup}`, {
		...everyone,
		...more,
	});
}

const emails = (rows: Row[]): Set<unknown> => new Set(rows.map(({ email }) => email));

/** The events of a person, in any of the forms in which they are listed. */
async function events(simulator: Simulator, deed: string, person: Row, more: Row = {}): Promise<Row[]> {
	const path = `POST ${base(simulator)}/search-${simulator === 'smishing' ? 'sms' : 'email'}-${deed}/${String(person.resourceId)}`;
	return rowsOf(dataOf(await d.customer.ask(path, { ...everyone, ...more })));
}

describe.each(SIMULATORS)('the job of 500 people: %s', (simulator) => {
	test('has exactly its figures, in the lists, the row and the summary', async () => {
		const [all, opened, clicked, silent] = [
			await people(simulator, 'All'),
			await people(simulator, 'Opened'),
			await people(simulator, 'Clicked'),
			await people(simulator, 'NoResponse'),
		];
		const submitted = all.filter(({ submittedCount }) => Number(submittedCount) > 0);
		expect([all, opened, clicked, submitted, silent].map((list) => emails(list).size)).toEqual([500, 100, 50, 20, 395]);
		const onlyClicked = [...emails(clicked)].filter((email) => !emails(opened).has(email));
		expect(onlyClicked).toHaveLength(5);
		for (const email of emails(submitted))
			expect([emails(opened).has(email), emails(clicked).has(email)]).toEqual([true, true]);

		const jobs = await d.customer.results(`POST ${base(simulator)}/search`, body('Name'));
		const job = jobs.find(({ name }) => name === 'Full Report');
		expect(job).toMatchObject({
			totalTargetUserCount: 500,
			totalOpenedCount: 100,
			totalClickedCount: 50,
			totalSubmittedCount: 20,
			totalNoResponseCount: 395,
		});
		expect(job).not.toHaveProperty('resourceId');
		expect(job).not.toHaveProperty('createTime');
		const id = String(job?.[`${simulator}CampaignResourceId`]);
		const summary = await d.customer.record(`GET ${base(simulator)}/summary/${id}/${String(job?.instanceGroup)}`);
		expect(summary).toMatchObject({
			scenarioStats: { openedEmail: 100, clickedEmail: 50, submittedEmail: 20, noResponseEmail: 395 },
			settings: { excludeFromReports: false },
		});
		expect(d.service.state.fullReportJob(simulator)).toMatchObject({
			resourceId: id,
			name: 'Full Report',
			companyResourceId: d.companyId,
		});
		expect(emails(opened)).toEqual(
			new Set(
				d.service.state
					.fullReportJob(simulator)
					.people.filter((person) => person.opened)
					.map(({ user }) => user.email),
			),
		);
	});

	test('lists as many events of a person as its row counts, the last at the time of the row', async () => {
		const deeds =
			simulator === 'smishing' ? (['clicked', 'submitted'] as const) : (['opened', 'clicked', 'submitted'] as const);
		const rows = (await people(simulator, 'Clicked')).slice(0, 12);
		const counts = new Set<unknown>();
		for (const row of rows) {
			for (const deed of deeds) {
				const listed = await events(simulator, deed, row);
				const times = listed.map((event) => String(event[`${deed}Time`])).sort();
				expect(listed).toHaveLength(Number(row[`${deed}Count`]));
				expect(times.at(-1) ?? null).toBe(row[`last${deed.charAt(0).toUpperCase()}${deed.slice(1)}Time`]);
				for (const event of listed)
					expect(event).toMatchObject({
						browserName: expect.any(String),
						userIpAddressList: expect.any(String),
						isExcluded: false,
					});
				counts.add(row[`${deed}Count`]);
			}
		}
		expect(counts.size).toBeGreaterThan(2);
	});

	test("takes the row's identifier of a person, and no other", async () => {
		const [row] = await people(simulator, 'Clicked');
		const { resourceId, people: known } = d.service.state.fullReportJob(simulator);
		const user = known.find((person) => person.user.email === row?.email)?.user.resourceId ?? '';
		const path = `POST ${base(simulator)}/search-${simulator === 'smishing' ? 'sms' : 'email'}-clicked`;
		for (const id of [resourceId, user, 'nobody']) {
			const refused = refusalOf(await d.customer.ask(`${path}/${id}`, everyone));
			expect(refused).toEqual({
				http: 404,
				status: null,
				message: `${simulator.charAt(0).toUpperCase()}${simulator.slice(1)} campaign instance user not found`,
			});
		}
		expect((await d.customer.ask(`${path}/${String(row?.resourceId)}`, everyone)).status).toBe(200);
	});

	test('tells programs from people', async () => {
		const opened = await people(simulator, 'Opened');
		const [human, bot] = [
			await people(simulator, 'Opened', { activityType: 'Human' }),
			await people(simulator, 'Opened', { activityType: 'Bot' }),
		];
		expect(bot.length).toBeGreaterThan(0);
		expect(human.length + bot.length).toBe(opened.length);
		const mixed = [...(await people(simulator, 'Clicked'))];
		const types = new Set<unknown>();
		for (const row of mixed) for (const event of await events(simulator, 'clicked', row)) types.add(event.activityType);
		expect(types).toEqual(new Set(['Human', 'Bot']));
	});
});

describe('a list of events', () => {
	test('is a page, and with quishing a bare list each row of which counts all', async () => {
		for (const simulator of SIMULATORS) {
			const row = await d.rowOf(simulator, 'Clicked');
			const path = `POST ${base(simulator)}/search-${simulator === 'smishing' ? 'sms' : 'email'}-clicked/${String(row.resourceId)}`;
			const data = dataOf(await d.customer.ask(path, everyone));
			expect(Array.isArray(data)).toBe(simulator === 'quishing');
			if (Array.isArray(data)) expect(data[0]).toMatchObject({ totalRowCount: row.clickedCount });
			d.service.setOptions({ eventLists: 'object' });
			expect(dataOf(await d.customer.ask(path, everyone))).toHaveProperty('clickedTime');
			d.service.setOptions({ eventLists: 'array' });
			expect(dataOf(await d.customer.ask(path, everyone))).toHaveLength(Number(row.clickedCount));
			d.service.setOptions({ eventLists: undefined });
		}
	});

	test('hides what was typed', async () => {
		const submitter = (await people('phishing', 'All')).find(({ submittedCount }) => submittedCount === 1);
		const [event] = await events('phishing', 'submitted', submitter ?? {});
		expect(event?.submittedData).toMatch(/\*{3,}/);
	});
});

describe('other jobs', () => {
	test('belong to a campaign that was sent, once for each of its runs, with people of their own in each', async () => {
		const jobs = await d.customer.results(`POST ${base('phishing')}/search`, body('Name'));
		const campaigns = await d.customer.results(
			'POST /api/phishing-simulator/phishing-campaign/search',
			body('CreateTime'),
		);
		expect(campaigns).toHaveLength(4);
		expect(jobs).toHaveLength(4);
		const twice = jobs.filter(
			(job) =>
				job.phishingCampaignResourceId ===
				jobs.find(({ instanceGroup }) => instanceGroup === 2)?.phishingCampaignResourceId,
		);
		expect(twice.map(({ instanceGroup }) => instanceGroup)).toEqual([1, 2]);
		const [one, two] = await Promise.all(
			twice.map(
				async (job) =>
					await d.customer.results(
						`POST ${base('phishing')}/All/search/${String(job.phishingCampaignResourceId)}/${String(job.instanceGroup)}`,
						everyone,
					),
			),
		);
		expect(emails(one ?? [])).toEqual(emails(two ?? []));
		expect(one?.[0]?.resourceId).not.toBe(two?.[0]?.resourceId);
		expect(
			(await d.customer.ask(`GET ${base('phishing')}/summary/${String(twice[0]?.phishingCampaignResourceId)}/9`))
				.status,
		).toBe(404);
	});

	test('say in the summary whether they are left out of reports, and never in a list', async () => {
		const test = d.holdings.campaigns('phishing').find(({ excludeFromReports }) => excludeFromReports);
		const campaigns = await d.customer.results(
			'POST /api/phishing-simulator/phishing-campaign/search',
			body('CreateTime'),
		);
		expect(campaigns.map(({ resourceId }) => resourceId)).toContain(test?.resourceId);
		for (const row of campaigns) expect(row).not.toHaveProperty('excludeFromReports');
	});
});

describe.each(['contract', 'renamed'] as const)('the same job as the personality %s has it', (personality) => {
	test('lists the same people, by the campaign', async () => {
		const service = await startService({ personality, companies: 40, bigJob: true });
		const apiClient = new ApiClient(service, service.clients.reseller);
		for (const simulator of SIMULATORS) {
			const job = service.state.fullReportJob(simulator);
			const count = async (path: string) =>
				(await apiClient.record(`POST ${base(simulator)}/${path}`, everyone)).totalNumberOfRecords;
			expect(await count(`All/search/${job.resourceId}/${job.instanceGroup}`)).toBe(500);
			for (const [deed, expected] of [
				['opened', 100],
				['clicked', 50],
				['submitted', 20],
			] as const) {
				expect([simulator, deed, await count(`search-email-${deed}/${job.resourceId}`)]).toEqual([
					simulator,
					deed,
					expected,
				]);
			}
			const opened = new Set(job.people.filter((person) => person.opened).map(({ user }) => user.email));
			expect(job.people.filter((person) => person.clicked && !opened.has(person.user.email))).toHaveLength(5);
		}
		const admin = service.clients.companyAdmin.companyResourceId ?? '';
		expect(service.state.fullReportJob('phishing', admin).companyResourceId).toBe(admin);
		await service.close();
	});

	test('is only there when asked for', async () => {
		const service = await startService({ personality, companies: 40 });
		expect(() => service.state.fullReportJob('phishing')).toThrow('bigJob');
		expect(service.state.campaigns.filter(({ name }) => name === 'Full Report')).toEqual([]);
		await service.close();
	});
});

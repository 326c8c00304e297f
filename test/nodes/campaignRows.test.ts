/** What rows of campaigns and of their people say, whatever a deployment sends (deployment shapes), one rule at a time. */
import type { IDataObject } from 'n8n-workflow';
import { belongsTo, hasDone, isOfGroup } from '../../nodes/shared/campaign/jobUsers';
import { jobOf, parseJob } from '../../nodes/shared/campaign/simulator';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { SecurityAwarenessSmishingCampaign } from '../../nodes/SmishingCampaign/SecurityAwarenessSmishingCampaign.node';
import { refusalOf } from '../form/refusal';
import { hintsOf, nodeFixture, jsonOf } from '../n8n-core/nodeFixture';
import { deployment } from '../stand-in/deployment';

const b = nodeFixture();

describe('whether a person did something', () => {
	test.each<[IDataObject, boolean]>([
		[{ clickedCount: 1 }, true],
		[{ clickedCount: '2' }, true],
		[{ clickedCount: 0 }, false],
		[{ clickedCount: null }, false],
		[{ lastClickedTime: '2026-01-01' }, true],
		[{ lastClickedTime: '' }, false],
		[{ clickedTime: '2026-01-01' }, true],
		[{ clickedTime: null }, false],
		[{ isClicked: true }, true],
		[{ isClicked: 'true' }, false],
		[{ clicked: true }, true],
		[{ clicked: false }, false],
		[{ clickedCount: 0, isClicked: false, lastClickedTime: 'x' }, true],
	])('%j: %s', (row, done) => {
		expect(hasDone(row, 'clicked')).toBe(done);
	});

	test('is not known from a row that does not say', () => {
		for (const row of [{}, { openedCount: 1 }, { clickedcount: 1 }]) expect(hasDone(row, 'clicked')).toBeUndefined();
	});

	test('decides which list a row belongs in: who clicked has opened, and not the other way round', () => {
		const rows: IDataObject[] = [
			{ opened: true, clicked: false, submitted: false },
			{ opened: false, clicked: true, submitted: false },
			{ opened: false, clicked: false, submitted: true },
			{ opened: false, clicked: false, submitted: false },
		];
		const listed = (action: 'opened' | 'clicked' | 'submitted') => rows.map((row) => belongsTo(row, action));
		expect(listed('opened')).toEqual([true, true, true, false]);
		expect(listed('clicked')).toEqual([false, true, true, false]);
		expect(listed('submitted')).toEqual([false, false, true, false]);
		expect(belongsTo({ opened: false }, 'clicked')).toBe(true);
	});
});

test('a row is of the group that it names, or of whichever is asked for', () => {
	const job = { resourceId: 'a', instanceGroup: '2' };
	expect(
		[{ instanceGroup: 2 }, { instanceGroup: '2' }, {}, { instanceGroup: 3 }].map((row) => isOfGroup(row, job)),
	).toEqual([...[true, true, true, false]]);
});

test('a job is an ID and an instance group', async () => {
	expect(jobOf('phishing', { phishingCampaignResourceId: 'a', instanceGroup: 2 })).toEqual({
		resourceId: 'a',
		instanceGroup: '2',
	});
	expect(jobOf('phishing', { resourceId: 'a' })).toBeUndefined();
	expect(jobOf('phishing', { instanceGroup: 1 })).toBeUndefined();
	expect(parseJob({ value: ' a/2 ' })).toEqual({ resourceId: 'a', instanceGroup: '2' });
	for (const raw of ['', 'a', 'a/', '/2', 'a/x', 'a b/2/3'])
		expect((await refusalOf(() => parseJob(raw))).complaint).toMatch(/./);
});

const SEARCH = 'POST /api/phishing-simulator/phishing-campaign-job-report/search';
const PEOPLE = 'POST /api/phishing-simulator/phishing-campaign-job-report/All/search/a/1';
const SUMMARY = 'GET /api/phishing-simulator/phishing-campaign-job-report/summary/a/1';
const page = (results: IDataObject[]) => ({
	data: { results, totalNumberOfPages: 1, totalNumberOfRecords: results.length },
});
const person = { email: 'a@x.example', opened: true, clicked: false, submitted: false };
const job = (startDate: string | null) => ({ resourceId: 'a', instanceGroup: 1, name: 'Spring', startDate });

test("a full report has the run's figures by their paths, those inside others too, and no lists", async () => {
	const summary = { sent: { total: 5, byKind: { mail: 4 } }, clicked: 1, templates: [{ name: 'x' }], nothing: null };
	const { store } = await deployment({ [PEOPLE]: page([person]), [SUMMARY]: { data: summary } });
	const parameters = { operation: 'fullReport', companyScope: 'own', job: { __rl: true, mode: 'id', value: 'a/1' } };
	const { items } = await b.run(SecurityAwarenessPhishingCampaign, parameters, { store });
	expect(jsonOf(items)).toEqual([
		{
			...{ ...person, jobId: 'a/1', jobResourceId: 'a', instanceGroup: 1 },
			...{ summary_sent_total: 5, summary_sent_byKind_mail: 4, summary_clicked: 1, summary_nothing: null },
		},
	]);
});

test.each<[string | null, boolean]>([
	['2026-01-01T00:00:00Z', true],
	['2026-01-31T23:59:59Z', true],
	['2026-02-01T00:00:00Z', false],
	['2025-12-31T23:59:59Z', false],
	[null, true],
	['soon', true],
])('a run of %s is in January: %s', async (startDate, isIn) => {
	const { store } = await deployment({
		[SEARCH]: page([job(startDate)]),
		[PEOPLE]: page([person]),
		[SUMMARY]: { data: {} },
	});
	const parameters = {
		...{ operation: 'fullReportOfPeriod', companyScope: 'own', period: 'custom', excludeTests: false },
		...{ periodStart: '2026-01-01T00:00:00Z', periodEnd: '2026-02-01T00:00:00Z' },
	};
	const result = await b.run(SecurityAwarenessPhishingCampaign, parameters, { store });
	const { items } = result;
	expect(jsonOf(items)).toHaveLength(isIn ? 1 : 0);
	const isUnread = Number.isNaN(Date.parse(startDate ?? ''));
	expect(hintsOf(result)).toEqual(
		isUnread ? ['1 job has no date that can be read. It is in the output, whatever the period is.'] : [],
	);
	for (const { jobName, jobStartTime } of jsonOf(items)) expect([jobName, jobStartTime]).toEqual(['Spring', startDate]);
});

describe('people whose rows do not say what they did', () => {
	const list = (action: string) => `POST /api/phishing-simulator/phishing-campaign-job-report/search-email-${action}/a`;
	const [ann, bob, cat] = ['ann', 'bob', 'cat'].map((name) => ({ email: `${name}@x.example` }));
	const report = async (lists: Record<string, IDataObject[]>) => {
		const routes = Object.entries(lists).map(([action, rows]) => [list(action), page(rows)] as const);
		const everybody = page([{ ...ann }, { ...bob }]);
		const { store } = await deployment({ [PEOPLE]: everybody, [SUMMARY]: { data: {} }, ...Object.fromEntries(routes) });
		const parameters = { operation: 'fullReport', companyScope: 'own', job: { __rl: true, mode: 'id', value: 'a/1' } };
		const { items } = await b.run(SecurityAwarenessPhishingCampaign, parameters, { store });
		return jsonOf(items).map(({ email, opened, clicked, submitted }) => [email, opened, clicked, submitted]);
	};

	test('are looked up in the lists of the whole campaign, without those of other groups', async () => {
		const opened = [{ ...ann, instanceGroup: 1 }, { ...bob, instanceGroup: 2 }, { ...cat }];
		expect(await report({ opened, clicked: [{ ...ann }], submitted: [] })).toEqual([
			['ann@x.example', true, true, false],
			['bob@x.example', false, false, false],
			['cat@x.example', true, false, false],
		]);
	});

	test('are given without it where there are no such lists', async () => {
		expect(await report({})).toEqual([
			['ann@x.example', null, null, null],
			['bob@x.example', null, null, null],
		]);
	});
});

test.each(['phoneNumber', 'email'])(
	'people who are known by their %s only: who opened is found by that',
	async (name) => {
		const path = '/api/smishing-simulator/smishing-campaign-job-report';
		const people = ['one', 'two'].map((value) => ({ [name]: value, clickedCount: 0, submittedCount: 0 }));
		const { store } = await deployment({
			[`POST ${path}/All/search/a/1`]: page(people),
			[`POST ${path}/Opened/search/a/1`]: page(people.slice(1)),
			[`GET ${path}/summary/a/1`]: { data: {} },
		});
		const parameters = { operation: 'fullReport', companyScope: 'own', job: { __rl: true, mode: 'id', value: 'a/1' } };
		const { items } = await b.run(SecurityAwarenessSmishingCampaign, parameters, { store });
		expect(jsonOf(items).map((row) => [row[name], row.opened])).toEqual([
			['one', false],
			['two', true],
		]);
	},
);

test('what one row leaves open is not asked for again where other rows say it', async () => {
	const rows = [{ email: 'a@x.example', openedCount: 1, clickedCount: 1, submittedCount: 0 }, { email: 'b@x.example' }];
	const { store, asked } = await deployment({ [PEOPLE]: page(rows), [SUMMARY]: { data: {} } });
	const parameters = { operation: 'fullReport', companyScope: 'own', job: { __rl: true, mode: 'id', value: 'a/1' } };
	const { items } = await b.run(SecurityAwarenessPhishingCampaign, parameters, { store });
	expect(jsonOf(items).map(({ opened, clicked, submitted }) => [opened, clicked, submitted])).toEqual([
		[true, true, false],
		[null, null, null],
	]);
	expect(asked.map(({ route }) => route).sort()).toEqual([SUMMARY, PEOPLE].sort());
});

describe('what is chosen is what comes', () => {
	const JOB = '/api/phishing-simulator/phishing-campaign-job-report';
	const inGroup = (email: string, instanceGroup?: number): IDataObject => ({
		...{ email, isOpened: true, isClicked: true, isSubmitted: false },
		...(instanceGroup === undefined ? {} : { instanceGroup }),
	});
	const clicked = async (routes: Parameters<typeof deployment>[0], more: Parameters<typeof b.run>[2] = {}) => {
		const { store } = await deployment(routes);
		const parameters = { operation: 'clicked', companyScope: 'own', job: { __rl: true, mode: 'id', value: 'a/1' } };
		const result = await b.run(SecurityAwarenessPhishingCampaign, parameters, { store, ...more });
		return { emails: jsonOf(result.items).map(({ email }) => email), hints: hintsOf(result).join(' ') };
	};

	test('a list of the run that has people of other runs', async () => {
		const rows = page([inGroup('one@x.example', 1), inGroup('two@x.example', 2)]);
		expect((await clicked({ [`POST ${JOB}/Clicked/search/a/1`]: rows })).emails).toEqual(['one@x.example']);
	});

	test('a list of the whole campaign', async () => {
		const rows = page([inGroup('one@x.example', 1), inGroup('two@x.example', 2)]);
		const { emails, hints } = await clicked({ [`POST ${JOB}/search-email-clicked/a`]: rows });
		expect(emails).toEqual(['one@x.example']);
		expect(hints).toBe('');
	});

	test('a list of the whole campaign that does not name the run: a hint says so', async () => {
		const rows = page([inGroup('one@x.example'), inGroup('two@x.example')]);
		const { emails, hints } = await clicked({ [`POST ${JOB}/search-email-clicked/a`]: rows });
		expect(emails).toHaveLength(2);
		expect(hints).toContain('does not say in which job they did it');
	});
});

describe('a full report', () => {
	const JOB = '/api/phishing-simulator/phishing-campaign-job-report';
	const flags = { isOpened: true, isClicked: false, isSubmitted: false, isReported: true };
	const reportOf = async (routes: Parameters<typeof deployment>[0], typeVersion?: number) => {
		const { store, asked } = await deployment({ [SUMMARY]: { data: {} }, ...routes });
		const parameters = { operation: 'fullReport', companyScope: 'own', job: { __rl: true, mode: 'id', value: 'a/1' } };
		const more = { store, ...(typeVersion === undefined ? {} : { typeVersion }) };
		const result = await b.run(SecurityAwarenessPhishingCampaign, parameters, more);
		return { rows: jsonOf(result.items), hints: hintsOf(result).join(' '), asked };
	};

	test("says each action once, and keeps the service's other flags", async () => {
		const { rows } = await reportOf({ [PEOPLE]: page([{ email: 'a@x.example', ...flags }]) });
		expect(rows).toEqual([
			{
				...{ email: 'a@x.example', opened: true, clicked: false, submitted: false, isReported: true },
				...{ jobId: 'a/1', jobResourceId: 'a', instanceGroup: 1 },
			},
		]);
	});

	test('has them all in workflows that were saved before', async () => {
		const { rows } = await reportOf({ [PEOPLE]: page([{ email: 'a@x.example', ...flags }]) }, 1);
		expect(rows).toEqual([
			{
				...{ email: 'a@x.example', ...flags, opened: true, clicked: false, submitted: false },
				...{ jobResourceId: 'a', instanceGroup: 1 },
			},
		]);
	});

	const DID = {
		[`POST ${JOB}/search-email-opened/a`]: page([{ email: 'a@x.example', instanceGroup: 1 }]),
		[`POST ${JOB}/search-email-clicked/a`]: page([]),
		[`POST ${JOB}/search-email-submitted/a`]: page([]),
	};
	const did = (rows: IDataObject[]) => rows.map(({ email, opened }) => [email, opened]);

	test('has those who did nothing also where the list of everybody is refused', async () => {
		const silent = page([{ email: 'b@x.example' }]);
		const { rows, hints } = await reportOf({ ...DID, [`POST ${JOB}/NoResponse/search/a/1`]: silent });
		expect(did(rows)).toEqual([
			['b@x.example', false],
			['a@x.example', true],
		]);
		expect(hints).toBe('');
	});

	test('says where they are missing', async () => {
		const { rows, hints } = await reportOf(DID);
		expect(did(rows)).toEqual([['a@x.example', true]]);
		expect(hints).toContain('no rows of those who did nothing');
	});
});

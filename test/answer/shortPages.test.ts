/** Lists whose pages are not what they are counted as, and exports that are asked for by the size of a list, through the nodes. */
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { callListSearch, readBinary } from '../n8n-core';
import { failureOf, hintsOf, jsonOf, the } from '../n8n-core/nodeFixture';
import { DAY } from '../polling/pollingFixture';
import { capped, type Passing } from '../stand-in/between';
import { searchRuns } from './searchRuns';

const f = searchRuns();
const { front, run, one, askedOf } = f;

const COMPANIES = '/api/companies/search';
const GROUPS = '/target-groups/search/current-company';

describe('lists whose pages are smaller than they are counted', () => {
	const roots = () => f.service.state.tree.length;

	test('Return All gives all', async () => {
		front.rules = capped(COMPANIES, 9);
		const result = await run(SecurityAwarenessCompany, { operation: 'getMany', returnAll: true });
		expect(new Set(jsonOf(result.items).map(({ companyResourceId }) => companyResourceId)).size).toBe(
			f.service.state.companies.length,
		);
		expect(askedOf(COMPANIES)).toHaveLength(Math.ceil(roots() / 9));
		expect(hintsOf(result)).toEqual([]);
	});

	test('Every Company skips no customer', async () => {
		front.rules = capped(COMPANIES, 9);
		await run(SecurityAwarenessTargetGroup, {
			operation: 'getMany',
			companyScope: 'every',
			companyFilter: { licenceNotExpired: false },
		});
		expect(new Set(askedOf(GROUPS).map(({ company }) => company)).size).toBe(f.service.state.companies.length);
	});

	test('Every Company says of how many customers it does not know', async () => {
		front.rules = {
			change: (data, { path }) => (path.endsWith(COMPANIES) ? { ...data, totalNumberOfRecords: roots() + 4 } : data),
		};
		const result = await run(SecurityAwarenessTargetGroup, {
			operation: 'getMany',
			companyScope: 'every',
			companyFilter: { licenceNotExpired: false },
		});
		expect(new Set(askedOf(GROUPS).map(({ company }) => company)).size).toBe(f.service.state.companies.length);
		expect(hintsOf(result).join()).toMatch(
			new RegExp(
				`The list of companies is not complete: the service counts ${roots() + 4} records, but 4 of them are on none of its pages.* Nothing was done for companies that are not listed\\.`,
			),
		);
	});

	test('a service that counts child companies too is not said to lack any', async () => {
		const all = f.service.state.companies.length;
		front.rules = {
			change: (data, { path }) => (path.endsWith(COMPANIES) ? { ...data, totalNumberOfRecords: all } : data),
		};
		const result = await run(SecurityAwarenessCompany, { operation: 'getMany', returnAll: true });
		expect([result.items.length, hintsOf(result)]).toEqual([all, []]);
		// The second one makes sure that it is not the count of the listed ones, reached too early.
		expect(askedOf(COMPANIES)).toHaveLength(2);
	});

	test('what a customer lacks is said with its name', async () => {
		front.rules = {
			change: (data, { path }) =>
				path.endsWith(GROUPS) ? { ...data, totalNumberOfRecords: Number(data.totalNumberOfRecords) + 2 } : data,
		};
		const company = { __rl: true, mode: 'list', value: f.fixture.company(3).id, cachedResultName: 'Blue Mill' };
		const result = await run(SecurityAwarenessTargetGroup, {
			operation: 'getMany',
			returnAll: true,
			companyScope: 'one',
			company,
		});
		expect(hintsOf(result)).toEqual([
			expect.stringMatching(/^The list of Blue Mill is not complete: .* 2 of them are on none/),
		]);
	});

	test('a picker lists all, without a second page', async () => {
		front.rules = capped(COMPANIES, 9);
		const { results, paginationToken } = await callListSearch({
			node: new SecurityAwarenessCompany(),
			parameters: {},
			credential: f.store,
			method: 'searchCompanies',
		});
		expect(new Set(results.map(({ value }) => value)).size).toBe(f.service.state.companies.length);
		expect(paginationToken).toBeUndefined();
	});
});

describe('All Pages of an export that is asked for by its size', () => {
	const REMINDERS = 'sending-report/search';
	/** Whatever the search says of its list, the file must have all. */
	const exported = async (change: (data: Record<string, unknown>, passing: Passing) => unknown) => {
		f.fixture.clear();
		for (let made = 0; made < 130; made++) f.fixture.create('phishing', 0, DAY);
		front.rules = {
			change: (data, passing) => (passing.path.endsWith('phishing-campaign/search') ? change(data, passing) : data),
		};
		const result = await run(SecurityAwarenessPhishingCampaign, { operation: 'export', ...one(0) });
		const [asked] = askedOf('/search/export');
		return {
			rows: (await readBinary(result.items?.[0])).toString().trim().split('\n').length - 1,
			pageSize: Number(asked?.body.pageSize),
			all: asked?.body.reportAllPages,
			hints: hintsOf(result),
			counted: askedOf('phishing-campaign/search').length,
		};
	};

	test.each<[string, (data: Record<string, unknown>) => unknown, number]>([
		['counts right', (data) => data, 1],
		['answers with a plain list', (data) => data.results, 3],
		['counts no records', ({ results, totalNumberOfPages }) => ({ results, totalNumberOfPages }), 4],
		['counts nothing', ({ results }) => ({ results }), 4],
		['counts 0', (data) => ({ ...data, totalNumberOfRecords: 0, totalNumberOfPages: 0 }), 4],
	])('a search that %s', async (_name, change, requests) => {
		const { rows, pageSize, all, hints, counted } = await exported(change);
		expect({ rows, all, hints }).toEqual({ rows: 130, all: true, hints: [] });
		expect(pageSize).toBeGreaterThanOrEqual(130);
		expect(counted).toBeLessThanOrEqual(requests);
	});

	test('where the count cannot be had, it is said that the file may be incomplete', async () => {
		const { rows, pageSize, hints } = await exported((data) => ({
			...data,
			totalNumberOfRecords: 200,
			totalNumberOfPages: 1,
		}));
		// The export may have those that the list does not give.
		expect({ rows, pageSize }).toEqual({ rows: 130, pageSize: 200 });
		expect(hints).toEqual([
			expect.stringMatching(
				/^The file may be incomplete\. The list is not complete: the service counts 200 records, but 70 of them/,
			),
		]);
	});

	test('a count that no list can have is not taken for the size of a page', async () => {
		const most = 5_000_000_000;
		const { rows, pageSize } = await exported((data) => ({
			...data,
			totalNumberOfRecords: most,
			totalNumberOfPages: 1,
		}));
		expect({ rows, pageSize }).toEqual({ rows: 130, pageSize: 130 });
	});

	test('of a list without records: a page of one, because a service may refuse a page of none', async () => {
		f.fixture.clear();
		await run(SecurityAwarenessPhishingCampaign, { operation: 'export', ...one(0) });
		expect(askedOf('/search/export').map(({ body }) => body.pageSize)).toEqual([1]);
	});

	test('a platform that refuses a page of that size is asked for all pages instead, and that is said', async () => {
		f.fixture.clear();
		for (let made = 0; made < 101; made++) f.fixture.create('phishing', 0, DAY);
		const isLarge = ({ path, body }: Passing) => path.endsWith('/search/export') && Number(body.pageSize) > 100;
		front.rules = { refuse: (passing) => (isLarge(passing) ? 'The page is too large' : undefined) };
		const result = await run(SecurityAwarenessPhishingCampaign, { operation: 'export', ...one(0) });
		expect(askedOf('/search/export').at(-1)?.body).toMatchObject({
			pageNumber: 1,
			pageSize: 100,
			reportAllPages: true,
		});
		expect(hintsOf(result)).toEqual([
			expect.stringMatching(/a page of 101 records, .* Check that the file has all of them/),
		]);
	});

	test('that fit on a page of the usual size: an export that is refused is not asked for in another size', async () => {
		f.fixture.clear();
		for (let made = 0; made < 100; made++) f.fixture.create('phishing', 0, DAY);
		front.rules = { refuse: ({ path }) => (path.endsWith('/search/export') ? 'No' : undefined) };
		await failureOf(run(SecurityAwarenessPhishingCampaign, { operation: 'export', ...one(0) }));
		expect(askedOf('/search/export').map(({ body }) => body.pageSize)).toEqual([100]);
	});

	test('the sending report as well', async () => {
		const { resourceId } = the(
			f.service.state.of(f.fixture.company(0).id).enrollments[0] ?? {
				resourceId: f.fixture.create('enrollment', 0, DAY),
			},
		);
		front.rules = { change: (data, { path }) => (path.endsWith(REMINDERS) ? data.results : data) };
		const more = {
			operation: 'exportSendingReport',
			...one(0),
			enrollment: { __rl: true, mode: 'id', value: resourceId },
		};
		const rows = async () =>
			(await readBinary((await run(SecurityAwarenessTrainingReport, more)).items?.[0])).toString();
		const cut = await rows();
		front.rules = {};
		expect(cut).toBe(await rows());
		expect(cut.trim().split('\n').length).toBeGreaterThan(2);
	});
});

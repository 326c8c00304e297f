/** Searches that a deployment refuses as we put them, and lists whose pages are not what they are counted as, through the nodes. */
import type { IDataObject, INodeType } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { callListSearch, readBinary, runNode, type CredentialStore } from '../n8n-core';
import { failureOf, hintsOf, jsonOf, the } from '../n8n-core/nodeFixture';
import { DAY, Ground } from '../polling/ground';
import { startService, type StandIn } from '../stand-in';
import { between, capped, orderOf, resultsOf, type Passing } from '../stand-in/between';

const JOBS = 'phishing-campaign-job-report/search';
const COMPANIES = '/api/companies/search';
const GROUPS = '/target-groups/search/current-company';
const ENROLLMENTS = '/api/enrollments/search';

let service: StandIn;
let ground: Ground;
let store: CredentialStore;
beforeAll(async () => {
	service = await startService({ companies: 60 });
	ground = new Ground(service);
});
const front = between(() => service);
beforeEach(() => {
	service.reset();
	store = front.store;
	jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => await service.close());

const run = async (node: new () => INodeType, parameters: IDataObject) =>
	await runNode({ node: new node(), parameters, credential: store });
const one = (index: number) => ({
	companyScope: 'one',
	company: { __rl: true, mode: 'id', value: ground.company(index).id },
});
const askedOf = (end: string) => front.asked.filter(({ path }) => path.endsWith(end));
const refusesCreateTime = ({ path, body }: Passing) =>
	/job-report\/search(\/export)?$/.test(path) && body.orderBy === 'CreateTime' ? 'Invalid request' : undefined;
/** Job rows say when they were created, as on the live deployment. */
const dated = (data: Record<string, unknown>) => {
	const campaigns = service.state.companies.flatMap(({ companyResourceId }) =>
		service.state.of(companyResourceId).campaigns('phishing'),
	);
	return {
		...data,
		results: resultsOf(data).map((row) => ({
			...row,
			createdDate: campaigns.find(({ resourceId }) => resourceId === row.resourceId)?.createTime,
			startDate: '2030-01-01T00:00:00Z',
		})),
	};
};

describe('a sort of ours that is refused', () => {
	const jobs = async (more: IDataObject = {}) =>
		await run(SecurityAwarenessPhishingCampaign, { operation: 'getManyJobs', returnAll: true, ...one(0), ...more });
	const idsOf = (items: IDataObject[]) => items.map(({ resourceId }) => resourceId);
	let newestFirst: string[] = [];
	beforeEach(() => {
		ground.clear();
		// By name they are in the order in which they were made.
		newestFirst = [3, 1, 5, 2]
			.map((days) => ({ days, id: ground.create('phishing', 0, days * DAY) }))
			.sort((a, b) => a.days - b.days)
			.map(({ id }) => id);
		front.rules = { refuse: refusesCreateTime, change: (data, { path }) => (path.endsWith(JOBS) ? dated(data) : data) };
	});

	test('is replaced by one that is known good, and said; all records are sorted here, the newest first', async () => {
		const result = await jobs();
		expect(askedOf(JOBS).map(orderOf)).toEqual([
			{ orderBy: 'CreateTime', ascending: false },
			{ orderBy: 'Name', ascending: true },
		]);
		expect(idsOf(jsonOf(result.items))).toEqual(newestFirst);
		expect(hintsOf(result)).toEqual([
			"The service does not sort this list by 'CreateTime', so it was sorted by 'Name', ascending. As it was read whole, its records were put in order here, the newest first.",
		]);
	});

	test('is remembered for the run: one refusal, however many pages and customers', async () => {
		for (const index of [1, 2, 3]) ground.create('phishing', index, DAY);
		const result = await jobs({
			companyScope: 'every',
			company: undefined,
			companyFilter: { licenceNotExpired: false },
			options: { pageSize: 1, concurrency: 1 },
		});
		expect(result.items).toHaveLength(7);
		expect(askedOf(JOBS).filter((each) => orderOf(each).orderBy === 'CreateTime')).toHaveLength(1);
		expect(hintsOf(result).filter((hint) => hint.includes('does not sort'))).toHaveLength(1);
	});

	test('a list that is not read whole stays in the order of the service', async () => {
		const { items } = await jobs({ returnAll: false, limit: 3 });
		expect(idsOf(jsonOf(items))).toHaveLength(3);
		expect(idsOf(jsonOf(items))).not.toEqual(newestFirst.slice(0, 3));
	});

	test.each([{ by: 'CreateTime' }, { fieldName: 'CreateTime' }])(
		'a sort that a person chose (%j) stays their error',
		async (sort) => {
			const error = await failureOf(jobs({ sort }));
			expect(error.description).toContain('Invalid request');
			expect(new Set(askedOf(JOBS).map((each) => orderOf(each).orderBy))).toEqual(new Set(['CreateTime']));
			expect(askedOf(JOBS).length).toBeLessThanOrEqual(2);
		},
	);

	test('nor is one replaced that a person sends beside', async () => {
		await failureOf(jobs({ options: { moreFields: '{ "orderBy": "CreateTime" }' } }));
		expect(askedOf(JOBS)).toHaveLength(2);
		expect(new Set(askedOf(JOBS).map((each) => orderOf(each).orderBy))).toEqual(new Set(['CreateTime']));
	});

	test('the picker lists the newest first', async () => {
		const node = new SecurityAwarenessPhishingCampaign();
		const { results } = await callListSearch({
			node,
			parameters: one(0),
			credential: store,
			method: 'searchPhishingJobs',
		});
		expect(results.map(({ value }) => value)).toEqual(newestFirst.map((id) => `${id}/1`));
	});

	test('exports are asked for in the order that every deployment has', async () => {
		const { items } = await run(SecurityAwarenessPhishingCampaign, { operation: 'exportJobs', ...one(0) });
		expect((await readBinary(items?.[0])).toString().trim().split('\n')).toHaveLength(1 + 4);
		expect(new Set(front.asked.map((each) => orderOf(each).orderBy))).toEqual(new Set(['Name']));
	});

	test('what a search has shown counts for its export', async () => {
		front.rules = {
			refuse: ({ path, body }) =>
				path.includes('phishing-campaign/search') && body.orderBy === 'CreateTime' ? 'Invalid request' : undefined,
		};
		const result = await run(SecurityAwarenessPhishingCampaign, { operation: 'export', ...one(0) });
		expect((await readBinary(result.items?.[0])).toString().trim().split('\n')).toHaveLength(1 + 4);
		// Campaigns can be sorted by CreateTime where it is known, so the filter is suspected first.
		expect(front.asked.map((each) => orderOf(each).orderBy)).toEqual(['CreateTime', 'CreateTime', 'Name', 'Name']);
		expect(hintsOf(result)).toHaveLength(1);
	});

	test('every request of a deployment that refuses all: three, and the first error', async () => {
		let refused = 0;
		front.rules = { refuse: ({ path }) => (path.endsWith(JOBS) ? `No. ${++refused}` : undefined) };
		const error = await failureOf(jobs());
		expect(error.description).toContain('No. 1');
		expect(askedOf(JOBS)).toHaveLength(3);
	});

	test('a failure of a further try that is no refusal is told itself', async () => {
		service.fault({
			route: 'POST /api/phishing-simulator/phishing-campaign-job-report/search',
			kind: 'status-503',
			times: Infinity,
		});
		const error = await failureOf(jobs());
		expect(error.message).toContain('503');
	});

	test('certificates are sorted by userEmail where Email is not known', async () => {
		const enrollment = the(
			service.state.of(ground.company(0).id).enrollments[0] ?? { resourceId: ground.create('enrollment', 0, DAY) },
		);
		front.rules = {
			refuse: ({ path, body }) =>
				path.includes('certificates') && body.orderBy === 'Email' ? 'Invalid request' : undefined,
		};
		await run(SecurityAwarenessTrainingReport, {
			operation: 'getCertificates',
			returnAll: true,
			...one(0),
			enrollment: { __rl: true, mode: 'id', value: enrollment.resourceId },
		});
		expect(askedOf('certificates/search').map((each) => orderOf(each).orderBy)).toEqual(['Email', 'userEmail']);
	});
});

describe('a filter that is refused because it has no groups', () => {
	const groupsIn = ({ body }: Passing) =>
		typeof body.filter === 'object' && body.filter !== null && 'FilterGroups' in body.filter
			? body.filter.FilterGroups
			: undefined;
	const isEmpty = (passing: Passing) => JSON.stringify(groupsIn(passing)) === '[]';
	const enrollments = async (more: IDataObject = {}) =>
		await run(SecurityAwarenessEnrollment, { operation: 'getMany', returnAll: true, ...one(0), ...more });
	beforeEach(() => {
		front.rules = {
			refuse: (passing) => (passing.path.endsWith(ENROLLMENTS) && isEmpty(passing) ? 'Invalid request' : undefined),
		};
	});

	test('is sent with two empty groups; the order stays, and nothing is to be said', async () => {
		const result = await enrollments({ options: { pageSize: 1 } });
		expect(result.items.length).toBeGreaterThan(1);
		expect(hintsOf(result)).toEqual([]);
		const [first, ...others] = askedOf(ENROLLMENTS);
		expect(first && isEmpty(first)).toBe(true);
		expect(others.map(groupsIn)).toEqual(
			others.map(() => [
				{ Condition: 'AND', FilterItems: [], FilterGroups: [] },
				{ Condition: 'OR', FilterItems: [], FilterGroups: [] },
			]),
		);
		expect(new Set(askedOf(ENROLLMENTS).map((each) => orderOf(each).orderBy))).toEqual(new Set(['CreateTime']));
	});

	test('with a sort that is refused as well: both, in two further tries', async () => {
		front.rules = {
			refuse: (passing) =>
				passing.path.endsWith(JOBS) && (isEmpty(passing) || passing.body.orderBy === 'CreateTime')
					? 'Invalid request'
					: undefined,
		};
		const { items } = await run(SecurityAwarenessPhishingCampaign, {
			operation: 'getManyJobs',
			returnAll: true,
			...one(0),
		});
		expect(items.length).toBeGreaterThan(0);
		expect(askedOf(JOBS)).toHaveLength(3);
	});

	test('groups of a person stay as they are', async () => {
		front.rules = { refuse: ({ path }) => (path.endsWith(ENROLLMENTS) ? 'Invalid request' : undefined) };
		await failureOf(enrollments({ filters: { filterGroups: '[{ "Condition": "AND", "FilterItems": [] }]' } }));
		expect(askedOf(ENROLLMENTS).map(groupsIn)).toEqual(
			askedOf(ENROLLMENTS).map(() => [{ Condition: 'AND', FilterItems: [] }]),
		);
	});
});

describe('lists whose pages are smaller than they are counted', () => {
	const roots = () => service.state.tree.length;

	test('Return All gives all', async () => {
		front.rules = capped(COMPANIES, 9);
		const result = await run(SecurityAwarenessCompany, { operation: 'getMany', returnAll: true });
		expect(new Set(jsonOf(result.items).map(({ companyResourceId }) => companyResourceId)).size).toBe(
			service.state.companies.length,
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
		expect(new Set(askedOf(GROUPS).map(({ company }) => company)).size).toBe(service.state.companies.length);
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
		expect(new Set(askedOf(GROUPS).map(({ company }) => company)).size).toBe(service.state.companies.length);
		expect(hintsOf(result).join()).toMatch(
			new RegExp(
				`The list of companies is not complete: the service counts ${roots() + 4} records, but gave 4 of them on none of its pages.* Nothing was done for companies that are not listed\\.`,
			),
		);
	});

	test('a service that counts child companies too is not said to lack any', async () => {
		const all = service.state.companies.length;
		front.rules = {
			change: (data, { path }) => (path.endsWith(COMPANIES) ? { ...data, totalNumberOfRecords: all } : data),
		};
		const result = await run(SecurityAwarenessCompany, { operation: 'getMany', returnAll: true });
		expect([result.items.length, hintsOf(result)]).toEqual([all, []]);
		expect(askedOf(COMPANIES)).toHaveLength(1);
	});

	test('what a customer lacks is said with its name', async () => {
		front.rules = {
			change: (data, { path }) =>
				path.endsWith(GROUPS) ? { ...data, totalNumberOfRecords: Number(data.totalNumberOfRecords) + 2 } : data,
		};
		const company = { __rl: true, mode: 'list', value: ground.company(3).id, cachedResultName: 'Blue Mill' };
		const result = await run(SecurityAwarenessTargetGroup, {
			operation: 'getMany',
			returnAll: true,
			companyScope: 'one',
			company,
		});
		expect(hintsOf(result)).toEqual([
			expect.stringMatching(/^The list of Blue Mill is not complete: .* gave 2 of them on none/),
		]);
	});

	test('a picker lists all, without a second page', async () => {
		front.rules = capped(COMPANIES, 9);
		const { results, paginationToken } = await callListSearch({
			node: new SecurityAwarenessCompany(),
			parameters: {},
			credential: store,
			method: 'searchCompanies',
		});
		expect(new Set(results.map(({ value }) => value)).size).toBe(service.state.companies.length);
		expect(paginationToken).toBeUndefined();
	});
});

describe('All Pages of an export that is asked for by its size', () => {
	const REMINDERS = 'sending-report/search';
	/** Whatever the search says of its list, the file must have all. */
	const exported = async (change: (data: Record<string, unknown>, passing: Passing) => unknown) => {
		ground.clear();
		for (let made = 0; made < 130; made++) ground.create('phishing', 0, DAY);
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
		const { rows, hints } = await exported((data) => ({ ...data, totalNumberOfRecords: 200, totalNumberOfPages: 1 }));
		expect(rows).toBe(130);
		expect(hints).toEqual([
			expect.stringMatching(
				/^The file may be incomplete\. The list is not complete: the service counts 200 records, but gave 70/,
			),
		]);
	});

	test('the sending report as well', async () => {
		const { resourceId } = the(
			service.state.of(ground.company(0).id).enrollments[0] ?? { resourceId: ground.create('enrollment', 0, DAY) },
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

/** Searches that a deployment refuses in the form in which this package sends them, through the nodes. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { callListSearch, readBinary } from '../n8n-core';
import { failureOf, hintsOf, jsonOf, the } from '../n8n-core/nodeFixture';
import { DAY } from '../polling/pollingFixture';
import { orderOf, resultsOf, type Passing } from '../stand-in/between';
import { searchRuns } from './searchRuns';

const f = searchRuns();
const { front, run, one, askedOf } = f;

const JOBS = 'phishing-campaign-job-report/search';
const ENROLLMENTS = '/api/enrollments/search';

const refusesCreateTime = ({ path, body }: Passing) =>
	/job-report\/search(\/export)?$/.test(path) && body.orderBy === 'CreateTime' ? 'Invalid request' : undefined;
/** Job rows say when they were created, as on the live deployment. */
const dated = (data: Record<string, unknown>) => {
	const campaigns = f.service.state.companies.flatMap(({ companyResourceId }) =>
		f.service.state.of(companyResourceId).campaigns('phishing'),
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
		f.fixture.clear();
		// By name they are in the order in which they were made.
		newestFirst = [3, 1, 5, 2]
			.map((days) => ({ days, id: f.fixture.create('phishing', 0, days * DAY) }))
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
			"The service does not sort this list by 'CreateTime', so it was sorted by 'Name', ascending. Because the whole list was read, the node then sorted it by create time, the newest first.",
		]);
	});

	test('is remembered for the run: one refusal, however many pages and customers', async () => {
		for (const index of [1, 2, 3]) f.fixture.create('phishing', index, DAY);
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

	test.each([{ by: 'CreateTime' }, { by: 'other', fieldName: 'CreateTime' }])(
		'a sort that a person chose (%j) stays their error',
		async (sort) => {
			const error = await failureOf(jobs({ sort: { fields: sort } }));
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
			credential: f.store,
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
		// Where it is known that campaigns can be sorted by CreateTime, the filter is changed first.
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
		f.service.fault({
			route: 'POST /api/phishing-simulator/phishing-campaign-job-report/search',
			kind: 'status-503',
			times: Infinity,
		});
		const error = await failureOf(jobs());
		expect(error.message).toContain('503');
	});

	test('certificates are sorted by userEmail where Email is not known', async () => {
		const enrollment = the(
			f.service.state.of(f.fixture.company(0).id).enrollments[0] ?? {
				resourceId: f.fixture.create('enrollment', 0, DAY),
			},
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

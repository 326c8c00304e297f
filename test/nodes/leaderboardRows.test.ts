/** The leaderboard as items, which live deployments have besides its exports. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { toIdLocator } from '../cases';
import { callListSearch } from '../n8n-core';
import { EVENTS_PER_USER } from '../stand-in/deployed/leaderboard';
import { getInstance } from '../n8n-core/package';
import { createDeployedFixture, getFailureMessage } from './deployed';

const { fixture, run } = createDeployedFixture();
afterEach(() => fixture.standIn.setOptions({ maxPageSize: Infinity }));

const GET_ALL = 'POST /api/leaderboard/get-all';
const page = z.object({ pageNumber: z.number(), pageSize: z.number(), orderBy: z.string(), ascending: z.boolean() });
const bodies = (route: string) =>
	fixture.standIn.getRequests(route).map(({ body }) => z.object({ pagination: page }).passthrough().parse(body));
const rows = async (operation: string, parameters: IDataObject) =>
	(await run('Leaderboard', operation, parameters)).items.map(({ json }) => json);
const everybody = (index: number) =>
	fixture.customer.world.getCompanyData(fixture.customer.world.companies[index]?.companyResourceId ?? '').users;

describe('rows', () => {
	// A platform that returns smaller pages than it is asked for, and no count but the one that every row has.
	test('over several pages: everybody once, the best first', async () => {
		fixture.standIn.setOptions({ maxPageSize: 3 });
		const listed = await rows('getMany', { ...fixture.customer.companyParameters, returnAll: true });
		const { users } = fixture.customer.companyData;
		expect(users.length).toBeGreaterThan(6);
		expect(listed.map(({ rank }) => rank)).toEqual(users.map((_user, at) => at + 1));
		expect(listed.map(({ targetUserResourceId }) => targetUserResourceId).sort()).toEqual(
			users.map(({ resourceId }) => resourceId).sort(),
		);
		const asked = bodies(GET_ALL);
		expect(asked.map(({ pagination }) => pagination.pageNumber)).toEqual(
			Array.from({ length: Math.ceil(users.length / 3) }, (_, at) => at + 1),
		);
		for (const { pagination: _page, ...body } of asked)
			expect(Object.keys(body).sort()).toEqual(['endDate', 'filter', 'startDate']);
	});

	test('of every company: each has its own, with its name', async () => {
		const listed = await rows('getMany', { companyScope: 'every', returnAll: true });
		const { companies } = fixture.customer.world;
		for (const [at, { companyResourceId }] of companies.entries())
			expect(
				listed
					.filter((row) => row.companyResourceId === companyResourceId)
					.map(({ email }) => email)
					.sort(),
			).toEqual(
				everybody(at)
					.map(({ email }) => email)
					.sort(),
			);
		expect(listed).toHaveLength(companies.flatMap((_company, at) => everybody(at)).length);
	});

	test('Limit: the best ones, in one request of that size', async () => {
		const listed = await rows('getMany', { ...fixture.customer.companyParameters, limit: 2 });
		expect(listed.map(({ rank }) => rank)).toEqual([1, 2]);
		expect(bodies(GET_ALL).map(({ pagination }) => pagination)).toEqual([
			{ pageNumber: 1, pageSize: 2, orderBy: 'Rank', ascending: true },
		]);
	});

	test('what a person sorts and searches by reaches the service; a field that it does not know is named', async () => {
		const [user] = fixture.customer.companyData.users;
		const found = await rows('getMany', {
			...fixture.customer.companyParameters,
			filters: { searchText: user?.email },
			sort: { fields: { by: 'Points', direction: 'descending' } },
		});
		expect(found.map(({ email }) => email)).toEqual([user?.email]);
		const sort = { fields: { by: 'other', fieldName: 'Shoe Size' } };
		expect(
			await getFailureMessage(run('Leaderboard', 'getMany', { ...fixture.customer.companyParameters, sort })),
		).toMatch(/The OrderBy field is not valid: Shoe Size.*what you chose in 'Sort': /);
	});
});

describe('one user', () => {
	const chosen = () => ({
		...fixture.customer.companyParameters,
		targetUser: toIdLocator(fixture.customer.companyData.users[1]?.resourceId ?? ''),
	});
	const TIMELINE = 'POST /api/leaderboard/get-user-timeline';

	// Several events have the same resourceId, that of their campaign.
	test('timeline: every event, also over several pages', async () => {
		const options = { pageSize: EVENTS_PER_USER / 2 };
		const listed = await rows('getUserTimeline', { ...chosen(), returnAll: true, options });
		const times = listed.map(({ ActionTime }) => String(ActionTime));
		expect(new Set(times).size).toBe(EVENTS_PER_USER);
		expect(times).toEqual([...times].sort().reverse());
		for (const body of bodies(TIMELINE)) {
			expect(body).toMatchObject({ targetUserResourceId: fixture.customer.companyData.users[1]?.resourceId });
			expect(body).not.toHaveProperty('filter');
		}
	});

	test('timeline: only what was failed, and only of chosen kinds', async () => {
		const options = { showOnlyFailedEvents: true, actionTypes: ['LinkClicked'] };
		const listed = await rows('getUserTimeline', { ...chosen(), returnAll: true, output: 'raw', options });
		expect(new Set(listed.map(({ ActionType, result }) => `${String(ActionType)} ${String(result)}`))).toEqual(
			new Set(['LinkClicked Failed']),
		);
	});

	test('somebody whom the platform does not know is refused', async () => {
		const targetUser = toIdLocator('nobody');
		expect(await getFailureMessage(run('Leaderboard', 'getUserPerformance', { ...chosen(), targetUser }))).toContain(
			'(404)',
		);
	});

	test('is chosen from the leaderboard, all of it; where the platform has none, the list says so', async () => {
		const users = fixture.customer.world.getCompanyData(fixture.customer.companyId).users;
		const [first] = users;
		while (first && users.length < 130)
			users.push({ ...first, resourceId: `user-${users.length}`, email: `user-${users.length}@harbour.example` });
		const open = async (more: { paginationToken?: string } = {}) =>
			callListSearch({
				node: getInstance(SecurityAwarenessLeaderboard),
				parameters: { resource: 'leaderboard', operation: 'getUserTimeline', ...fixture.customer.companyParameters },
				credential: fixture.credential,
				method: 'searchRankedUsers',
				...more,
			});
		const { results, paginationToken } = await open();
		const rest = await open({ paginationToken: String(paginationToken) });
		expect([...results, ...rest.results].map(({ value }) => value).sort()).toEqual(
			users.map(({ resourceId }) => resourceId).sort(),
		);
		fixture.standIn.setOptions({ hasExtraRoutes: false });
		await expect(open()).rejects.toThrow('There is no target user to choose');
	});
});

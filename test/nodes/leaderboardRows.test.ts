/** Tests the operations that return the leaderboard as items. Only live deployments offer them. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { toIdLocator } from '../cases';
import { callListSearch } from '../n8n-core';
import { EVENTS_PER_USER } from '../stand-in/deployed/leaderboard';
import { getInstance } from '../n8n-core/package';
import { createDeployedFixture, getFailureMessage } from './deployedFixture';

const { fixture, run } = createDeployedFixture();
afterEach(() => fixture.standIn.setOptions({ maxPageSize: Infinity }));

const GET_ALL_ROUTE = 'POST /api/leaderboard/get-all';
const paginationSchema = z.object({
	pageNumber: z.number(),
	pageSize: z.number(),
	orderBy: z.string(),
	ascending: z.boolean(),
});
const listRequestBodies = (route: string) =>
	fixture.standIn
		.getRequests(route)
		.map(({ body }) => z.object({ pagination: paginationSchema }).passthrough().parse(body));
const getRows = async (operation: string, parameters: IDataObject) =>
	(await run('Leaderboard', operation, parameters)).items.map(({ json }) => json);
const listUsers = (index: number) =>
	fixture.customer.world.getCompanyData(fixture.customer.world.companies[index]?.companyResourceId ?? '').users;

describe('rows', () => {
	// The platform returns smaller pages than requested, and it sends the total number of users only as a field of every row.
	test('several pages: each user comes once, the best first', async () => {
		fixture.standIn.setOptions({ maxPageSize: 3 });
		const rows = await getRows('getMany', { ...fixture.customer.companyParameters, returnAll: true });
		const { users } = fixture.customer.companyData;
		expect(users.length).toBeGreaterThan(6);
		expect(rows.map(({ rank }) => rank)).toEqual(users.map((_user, index) => index + 1));
		expect(rows.map(({ targetUserResourceId }) => targetUserResourceId).sort()).toEqual(
			users.map(({ resourceId }) => resourceId).sort(),
		);
		const requestBodies = listRequestBodies(GET_ALL_ROUTE);
		expect(requestBodies.map(({ pagination }) => pagination.pageNumber)).toEqual(
			Array.from({ length: Math.ceil(users.length / 3) }, (_, index) => index + 1),
		);
		for (const { pagination: _page, ...body } of requestBodies)
			expect(Object.keys(body).sort()).toEqual(['endDate', 'filter', 'startDate']);
	});

	test('every company: each company has its own rows', async () => {
		const rows = await getRows('getMany', { companyScope: 'every', returnAll: true });
		const { companies } = fixture.customer.world;
		for (const [index, { companyResourceId }] of companies.entries())
			expect(
				rows
					.filter((row) => row.companyResourceId === companyResourceId)
					.map(({ email }) => email)
					.sort(),
			).toEqual(
				listUsers(index)
					.map(({ email }) => email)
					.sort(),
			);
		expect(rows).toHaveLength(companies.flatMap((_company, index) => listUsers(index)).length);
	});

	test('Limit: the best rows are read in one request with that page size', async () => {
		const rows = await getRows('getMany', { ...fixture.customer.companyParameters, limit: 2 });
		expect(rows.map(({ rank }) => rank)).toEqual([1, 2]);
		expect(listRequestBodies(GET_ALL_ROUTE).map(({ pagination }) => pagination)).toEqual([
			{ pageNumber: 1, pageSize: 2, orderBy: 'Rank', ascending: true },
		]);
	});

	test('the sort order and the search text are sent, and the error names an unknown sort field', async () => {
		const [user] = fixture.customer.companyData.users;
		const rows = await getRows('getMany', {
			...fixture.customer.companyParameters,
			filters: { searchText: user?.email },
			sort: { fields: { by: 'Points', direction: 'descending' } },
		});
		expect(rows.map(({ email }) => email)).toEqual([user?.email]);
		const sort = { fields: { by: 'other', fieldName: 'Shoe Size' } };
		expect(
			await getFailureMessage(run('Leaderboard', 'getMany', { ...fixture.customer.companyParameters, sort })),
		).toMatch(/The OrderBy field is not valid: Shoe Size.*what you chose in 'Sort': /);
	});
});

describe('one user', () => {
	const buildUserParameters = () => ({
		...fixture.customer.companyParameters,
		targetUser: toIdLocator(fixture.customer.companyData.users[1]?.resourceId ?? ''),
	});
	const TIMELINE_ROUTE = 'POST /api/leaderboard/get-user-timeline';

	// Several events have the same resourceId, because it is the ID of their campaign.
	test('timeline: returns every event, also from several pages', async () => {
		const options = { pageSize: EVENTS_PER_USER / 2 };
		const rows = await getRows('user.getTimeline', { ...buildUserParameters(), returnAll: true, options });
		const times = rows.map(({ ActionTime }) => String(ActionTime));
		expect(new Set(times).size).toBe(EVENTS_PER_USER);
		expect(times).toEqual([...times].sort().reverse());
		for (const body of listRequestBodies(TIMELINE_ROUTE)) {
			expect(body).toMatchObject({ targetUserResourceId: fixture.customer.companyData.users[1]?.resourceId });
			expect(body).not.toHaveProperty('filter');
		}
	});

	test('timeline: can be limited to failed events and to some action types', async () => {
		const options = { showOnlyFailedEvents: true, actionTypes: ['LinkClicked'] };
		const rows = await getRows('user.getTimeline', {
			...buildUserParameters(),
			returnAll: true,
			output: 'raw',
			options,
		});
		expect(new Set(rows.map(({ ActionType, result }) => `${String(ActionType)} ${String(result)}`))).toEqual(
			new Set(['LinkClicked Failed']),
		);
	});

	test('an unknown user is an error', async () => {
		const targetUser = toIdLocator('nobody');
		expect(
			await getFailureMessage(run('Leaderboard', 'user.getPerformance', { ...buildUserParameters(), targetUser })),
		).toContain('(404)');
	});

	test('the user list contains the complete leaderboard; if the platform has none, the list says so', async () => {
		const { users } = fixture.customer.world.getCompanyData(fixture.customer.companyId);
		const [firstUser] = users;
		while (firstUser && users.length < 130)
			users.push({ ...firstUser, resourceId: `user-${users.length}`, email: `user-${users.length}@harbour.example` });
		const openList = async (options: { paginationToken?: string } = {}) =>
			callListSearch({
				node: getInstance(SecurityAwarenessLeaderboard),
				parameters: {
					resource: 'user',
					operation: 'getTimeline',
					...fixture.customer.companyParameters,
				},
				credential: fixture.credential,
				method: 'searchRankedUsers',
				...options,
			});
		const { results, paginationToken } = await openList();
		const nextPage = await openList({ paginationToken: String(paginationToken) });
		expect([...results, ...nextPage.results].map(({ value }) => value).sort()).toEqual(
			users.map(({ resourceId }) => resourceId).sort(),
		);
		fixture.standIn.setOptions({ hasExtraRoutes: false });
		await expect(openList()).rejects.toThrow('There is no target user to select');
	});
});

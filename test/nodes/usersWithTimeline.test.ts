/** Tests the operation that lists the events of many users in one call. */
import type { IDataObject } from 'n8n-workflow';
import type { JsonObject } from '../stand-in/http';
import { createDeployedFixture } from './deployedFixture';

const { fixture, run } = createDeployedFixture();
const ROUTE = 'POST /api/leaderboard/search-with-timeline';
const YEAR = { startDate: '2025-01-01', endDate: '2027-12-31' };

const getRun = async (parameters: IDataObject) =>
	run('Leaderboard', 'user.getManyWithTimeline', { ...fixture.customer.companyParameters, ...parameters });
const getRows = async (parameters: IDataObject) => (await getRun(parameters)).items.map(({ json }) => json);
const getFields = (row: JsonObject, names: string[]) => names.map((name) => String(row[name])).join(' ');

/** Adds events of one user at one-minute intervals. */
function addEvents(userIndex: number, count: number, time = Date.parse('2026-04-01T10:00:00.000Z')): string {
	const { users, personEvents } = fixture.customer.companyData;
	const { resourceId: targetUserResourceId = '', email = '' } = users[userIndex] ?? {};
	for (let index = 0; index < count; index++)
		personEvents.push({
			targetUserResourceId,
			resourceId: 'game-1',
			name: 'Quiz',
			actionType: 'QuizAnswered',
			actionTime: new Date(time + index * 60_000).toISOString(),
			productType: 'Game',
			difficultyType: null,
		});
	return email;
}
afterEach(() => {
	fixture.customer.companyData.personEvents.length = 0;
	fixture.standIn.setOptions({ maxPageSize: Infinity });
});

test('a user with more events than a page: every event is one item with the fields of its user', async () => {
	const email = addEvents(1, 250);
	const rows = await getRows({ returnAll: true, options: YEAR });
	const ownRows = rows.filter((row) => row.name === 'Quiz');
	expect(ownRows).toHaveLength(250);
	expect(new Set(ownRows.map((row) => row.ActionTime)).size).toBe(250);
	expect(new Set(ownRows.map((row) => getFields(row, ['email', 'ActionType', 'resourceId'])))).toEqual(
		new Set([`${email} QuizAnswered game-1`]),
	);
	// The users fit on one page, and the longest timeline has three pages.
	expect(fixture.standIn.getRequests(ROUTE)).toHaveLength(3);
});

test('several pages of users: each event comes once', async () => {
	addEvents(0, 5);
	addEvents(7, 5);
	const names = ['email', 'ActionType', 'ActionTime', 'name'];
	const allRows = await getRows({ returnAll: true, options: YEAR });
	fixture.standIn.setOptions({ maxPageSize: 4 });
	fixture.standIn.clearLog();
	const rows = await getRows({ returnAll: true, options: { ...YEAR, pageSize: 4 } });
	expect(rows.map((row) => getFields(row, names)).sort()).toEqual(allRows.map((row) => getFields(row, names)).sort());
	expect(allRows.length).toBeGreaterThan(20);
});

test('Limit counts events; users without events come only with the option', async () => {
	addEvents(2, 3);
	const period = { startDate: '2026-04-01', endDate: '2026-04-01' };
	expect(await getRows({ limit: 2, options: period })).toHaveLength(2);
	const withoutEvents = await getRows({ returnAll: true, options: { ...period, includeUsersWithoutEvents: true } });
	const { users } = fixture.customer.companyData;
	expect(new Set(withoutEvents.map(({ email }) => email))).toEqual(new Set(users.map(({ email }) => email)));
	expect(withoutEvents.filter(({ ActionType }) => ActionType === undefined)).toHaveLength(users.length - 1);
});

test('raw output: the points of the user and of the event are two fields', async () => {
	addEvents(2, 1);
	const [row] = await getRows({ limit: 1, output: 'raw', options: { startDate: '2026-04-01', endDate: '2026-04-01' } });
	expect(row).toMatchObject({ points: 100, userPoints: expect.any(Number), userPerformance: expect.any(Number) });
	expect(row).not.toHaveProperty('timeline');
});

test('events that change while they are read: a hint says so', async () => {
	addEvents(3, 150);
	let hasChanged = false;
	fixture.standIn.setOptions({
		beforeResponse: () => {
			const isSecondPage = fixture.standIn.getRequests(ROUTE).length === 2;
			if (isSecondPage && !hasChanged) addEvents(3, 1, Date.parse('2026-05-01T10:00:00.000Z'));
			hasChanged ||= isSecondPage;
		},
	});
	const { hints } = await getRun({ returnAll: true, options: YEAR });
	fixture.standIn.setOptions({ beforeResponse: undefined });
	expect(JSON.stringify(hints)).toContain('Some events may be missing or appear twice');
});

/** Many people at once: a table whose rows are created, changed or left as they are, and what that costs. */
import type { IDataObject } from 'n8n-workflow';
import { toIdLocator } from '../cases';
import { runCase } from '../cases/operationFixture';
import type { TargetUser } from '../stand-in/seed';
import { createDeployedFixture } from './deployed';

const { fixture } = createDeployedFixture();

const SEARCH = 'POST /api/target-users/search';
const READ = 'GET /api/target-users/{resourceId}';
const WRITE = 'PUT /api/target-users/{resourceId}';
const GROUPS = 'POST /api/target-groups/search/current-company';
const MEMBERS = 'POST /api/target-groups/{resourceId}/users';

const holdings = () => fixture.customer.companyData;

/** The first people of the customer; more are added where it has too few. */
function some(count: number): TargetUser[] {
	const { users, company } = holdings();
	for (let index = users.length; index < count; index++)
		users.push({
			resourceId: `person${index}`,
			email: `person${index}@harbour.example`,
			language: 'en',
			firstName: 'Ada',
			lastName: `Berg ${index}`,
			department: 'Sales',
			companyResourceId: company.companyResourceId,
			companyName: company.companyName,
		});
	return users.slice(0, count);
}
const asked = () => fixture.requests.map(({ route }) => route);
const groupsOf = (id: string) =>
	holdings()
		.targetGroups.filter(({ userResourceIds }) => userResourceIds.includes(id))
		.map(({ resourceId }) => resourceId)
		.sort();

/** Saves a table with the columns of `mapped`, one person in each row. */
async function save(rows: IDataObject[], mapped: IDataObject, onError?: 'continueRegularOutput') {
	fixture.standIn.clearLog();
	const parameters = { ...fixture.customer.companyParameters, email: '={{ $json.email }}', additionalFields: mapped };
	const items = rows.map((json) => ({ json }));
	const ran = runCase(
		fixture,
		{ node: 'TargetUser', operation: 'createOrUpdate' },
		{ parameters },
		{ items, ...(onError ? { onError } : {}) },
	);
	return (await ran).items.map(({ json }) => json);
}

const NAMES = {
	firstName: '={{ $json.firstName }}',
	lastName: '={{ $json.lastName }}',
	department: '={{ $json.department }}',
	isActive: '={{ $json.isActive }}',
};
const rowOf = ({ email, firstName, lastName, department }: TargetUser) => ({
	email: email.toUpperCase(),
	firstName,
	lastName,
	department,
	isActive: true,
});

test('20 rows that are so already: one request each, and nothing is written', async () => {
	const items = await save(some(20).map(rowOf), NAMES);
	expect(items.map(({ action }) => action)).toEqual(Array(20).fill('unchanged'));
	expect(items.map(({ resourceId }) => resourceId)).toEqual(some(20).map(({ resourceId }) => resourceId));
	expect(asked()).toEqual(Array(20).fill(SEARCH));
});

test('5 rows of 20 that have changed: four requests each, and the groups once for all', async () => {
	const groups = some(5).map(({ resourceId }) => groupsOf(resourceId));
	const rows = some(20).map((user, index) => ({ ...rowOf(user), ...(index < 5 ? { department: 'Bakery' } : {}) }));
	const items = await save(rows, NAMES);
	expect(items.map(({ action }) => action)).toEqual([...Array(5).fill('updated'), ...Array(15).fill('unchanged')]);
	const shared = [GROUPS, ...holdings().targetGroups.map(() => MEMBERS)];
	const changed = [SEARCH, READ, WRITE, READ];
	const expected = [SEARCH, READ, ...shared, WRITE, READ, ...Array(4).fill(changed).flat(), ...Array(15).fill(SEARCH)];
	expect(asked().sort()).toEqual(expected.sort());
	expect(asked()).toHaveLength(4 * 5 + 15 + shared.length);
	expect(some(5).map(({ department }) => department)).toEqual(Array(5).fill('Bakery'));
	expect(some(5).map(({ resourceId }) => groupsOf(resourceId))).toEqual(groups);
});

test('what the list does not show is compared with the record', async () => {
	const rows = some(2).map(({ email }) => ({ email }));
	const mapped = { managerEmail: 'boss@harbour.example' };
	expect((await save(rows, mapped)).map(({ action }) => action)).toEqual(['updated', 'updated']);
	expect((await save(rows, mapped)).map(({ action }) => action)).toEqual(['unchanged', 'unchanged']);
	expect(asked()).toEqual([SEARCH, READ, SEARCH, READ]);
});

test('groups and custom fields are compared, too', async () => {
	const [field] = await fixture.customer.fetchList('GET /api/custom-fields/company');
	const [one, other] = holdings()
		.targetGroups.map(({ resourceId }) => resourceId)
		.slice(0, 2);
	const mapped = {
		targetGroupResourceIds: [other, one],
		customFields: { rows: [{ customField: toIdLocator(String(field?.resourceId)), value: 'Kiel' }] },
	};
	const rows = some(3).map(({ email }) => ({ email }));
	expect((await save(rows, mapped)).map(({ action }) => action)).toEqual(['updated', 'updated', 'updated']);
	expect(some(3).map(({ resourceId }) => groupsOf(resourceId))).toEqual(Array(3).fill([one, other].sort()));
	expect((await save(rows, mapped)).map(({ action }) => action)).toEqual(['unchanged', 'unchanged', 'unchanged']);
	const changed = await save(rows, { ...mapped, targetGroupResourceIds: [one] });
	expect(changed.map(({ action }) => action)).toEqual(['updated', 'updated', 'updated']);
});

test('the same person in two rows: the second one builds on the first', async () => {
	const [user] = some(1);
	const [group = ''] = holdings().targetGroups.map(({ resourceId }) => resourceId);
	const row = { email: user?.email ?? '' };
	const mapped = { department: '={{ $json.department }}', targetGroupResourceIds: '={{ $json.groups }}' };
	await save([{ ...row, department: 'A', groups: [group] }], mapped);
	const others = { department: '={{ $json.department }}', additionalFieldsJson: '={{ $json.more }}' };
	await save(
		[
			{ ...row, department: 'B', more: { targetGroupResourceIds: [] } },
			{ ...row, department: 'C', more: {} },
		],
		others,
	);
	expect(groupsOf(user?.resourceId ?? '')).toEqual([]);
	expect(user?.department).toBe('C');
});

test('a row whose groups may not have arrived is no proof for the next one', async () => {
	const [user] = some(1);
	const [group = ''] = holdings().targetGroups.map(({ resourceId }) => resourceId);
	const row = { email: user?.email ?? '' };
	await save([row], { targetGroupResourceIds: [] });
	fixture.standIn.addFault({ route: WRITE, kind: 'status-500', times: 1 });
	const items = await save([row, row], { targetGroupResourceIds: [group] }, 'continueRegularOutput');
	expect(items.map(({ action }) => action)).toEqual([undefined, 'updated']);
	expect(groupsOf(user?.resourceId ?? '')).toEqual([group]);
});

test('an address with another accent is somebody else', async () => {
	const [user] = some(1);
	if (!user) throw new Error('The customer has nobody');
	user.email = 'jürgen@harbour.example';
	const rows = [{ email: 'jurgen@harbour.example' }];
	const parameters = { ...fixture.customer.companyParameters, email: '={{ $json.email }}', phoneNumber: '+49 30 1' };
	await runCase(
		fixture,
		{ node: 'TargetUser', operation: 'createOrUpdate' },
		{ parameters },
		{ items: rows.map((json) => ({ json })) },
	);
	expect(holdings().users.at(-1)?.email).toBe('jurgen@harbour.example');
});

test('an empty cell leaves what is there', async () => {
	const users = some(3);
	const before = users.map(({ firstName, lastName, department }) => ({ firstName, lastName, department }));
	const groups = users.map(({ resourceId }) => groupsOf(resourceId));
	const rows = users.map(({ email }, index) => ({ email, ...(index === 0 ? { department: 'Bakery' } : {}) }));
	const items = await save(rows, NAMES);
	expect(items.map(({ action }) => action)).toEqual(['updated', 'unchanged', 'unchanged']);
	expect(users.map(({ firstName, lastName, department }) => ({ firstName, lastName, department }))).toEqual([
		{ ...before[0], department: 'Bakery' },
		...before.slice(1),
	]);
	expect(users.map(({ resourceId }) => groupsOf(resourceId))).toEqual(groups);
	const states = await Promise.all(
		users.map(async ({ resourceId }) => fixture.customer.fetchData(`GET /api/target-users/${resourceId}`)),
	);
	expect(states).toMatchObject(Array(3).fill({ isActive: true }));
});

test('somebody without a number: it is asked for, by its name in the form', async () => {
	const [user] = some(1);
	fixture.customer.world.addNote(user?.resourceId ?? '', { phoneNumber: null });
	const [item] = await save([{ email: user?.email ?? '' }], { department: 'Bakery' }, 'continueRegularOutput');
	expect(JSON.stringify(item)).toContain('Phone Number');
	expect(asked()).not.toContain(WRITE);
});

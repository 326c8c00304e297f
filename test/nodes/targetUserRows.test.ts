/** Tests Create or Update with many items: rows that are created, updated or unchanged, and the number of requests. */
import type { IDataObject } from 'n8n-workflow';
import { toIdLocator } from '../cases';
import { runCase } from '../cases/operationFixture';
import { requireValue } from '../n8n-core/nodeFixture';
import type { TargetUser } from '../stand-in/seed';
import { createDeployedFixture } from './deployedFixture';

const { fixture } = createDeployedFixture();

const SEARCH_USERS = 'POST /api/target-users/search';
const READ_USER = 'GET /api/target-users/{resourceId}';
const UPDATE_USER = 'PUT /api/target-users/{resourceId}';
const LIST_GROUPS = 'POST /api/target-groups/search/current-company';
const LIST_MEMBERS = 'POST /api/target-groups/{resourceId}/users';

const getCompanyData = () => fixture.customer.companyData;

/** Returns the first users of the customer. Adds users if the customer has too few. */
function getUsers(count: number): TargetUser[] {
	const { users, company } = getCompanyData();
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
const listRequestedRoutes = () => fixture.requests.map(({ route }) => route);
/** Lists the IDs of a user's groups, sorted. */
const listGroupIds = (id: string) =>
	getCompanyData()
		.targetGroups.filter(({ userResourceIds }) => userResourceIds.includes(id))
		.map(({ resourceId }) => resourceId)
		.sort();

/**
 * Runs Create or Update with one item for each row.
 * @param additionalFields the additional fields of the form, with expressions that read the row
 * @returns one record for each row
 */
async function createOrUpdate(rows: IDataObject[], additionalFields: IDataObject, onError?: 'continueRegularOutput') {
	fixture.standIn.clearLog();
	const parameters = { ...fixture.customer.companyParameters, email: '={{ $json.email }}', additionalFields };
	const items = rows.map((json) => ({ json }));
	const result = await runCase(
		fixture,
		{ node: 'TargetUser', operation: 'createOrUpdate' },
		{ parameters },
		onError ? { items, onError } : { items },
	);
	return result.items.map(({ json }) => json);
}

const PERSON_FIELDS = {
	firstName: '={{ $json.firstName }}',
	lastName: '={{ $json.lastName }}',
	department: '={{ $json.department }}',
	isActive: '={{ $json.isActive }}',
};
/** Creates a row that contains a user's current values, so that it changes nothing. */
const createRow = ({ email, firstName, lastName, department }: TargetUser) => ({
	email: email.toUpperCase(),
	firstName,
	lastName,
	department,
	isActive: true,
});

test('20 unchanged rows cause one request each, and nothing is written', async () => {
	const items = await createOrUpdate(getUsers(20).map(createRow), PERSON_FIELDS);
	expect(items.map(({ result }) => result)).toEqual(Array(20).fill('unchanged'));
	expect(items.map(({ resourceId }) => resourceId)).toEqual(getUsers(20).map(({ resourceId }) => resourceId));
	expect(listRequestedRoutes()).toEqual(Array(20).fill(SEARCH_USERS));
});

test('5 changed rows of 20 cause four requests each, and the groups are read once for all rows', async () => {
	const groupIds = getUsers(5).map(({ resourceId }) => listGroupIds(resourceId));
	const rows = getUsers(20).map((user, index) =>
		index < 5 ? { ...createRow(user), department: 'Bakery' } : createRow(user),
	);
	const items = await createOrUpdate(rows, PERSON_FIELDS);
	expect(items.map(({ result }) => result)).toEqual([...Array(5).fill('updated'), ...Array(15).fill('unchanged')]);
	const groupRequests = [LIST_GROUPS, ...getCompanyData().targetGroups.map(() => LIST_MEMBERS)];
	const updateRequests = [SEARCH_USERS, READ_USER, UPDATE_USER, READ_USER];
	const expectedRoutes = [
		SEARCH_USERS,
		READ_USER,
		...groupRequests,
		UPDATE_USER,
		READ_USER,
		...Array(4).fill(updateRequests).flat(),
		...Array(15).fill(SEARCH_USERS),
	];
	expect(listRequestedRoutes().sort()).toEqual(expectedRoutes.sort());
	expect(listRequestedRoutes()).toHaveLength(4 * 5 + 15 + groupRequests.length);
	expect(getUsers(5).map(({ department }) => department)).toEqual(Array(5).fill('Bakery'));
	expect(getUsers(5).map(({ resourceId }) => listGroupIds(resourceId))).toEqual(groupIds);
});

test('a field that is not in the list is compared with the record', async () => {
	const rows = getUsers(2).map(({ email }) => ({ email }));
	const additionalFields = { managerEmail: 'boss@harbour.example' };
	expect((await createOrUpdate(rows, additionalFields)).map(({ result }) => result)).toEqual(['updated', 'updated']);
	expect((await createOrUpdate(rows, additionalFields)).map(({ result }) => result)).toEqual([
		'unchanged',
		'unchanged',
	]);
	expect(listRequestedRoutes()).toEqual([SEARCH_USERS, READ_USER, SEARCH_USERS, READ_USER]);
});

test('groups and custom fields are compared, too', async () => {
	const [field] = await fixture.customer.fetchList('GET /api/custom-fields/company');
	const [firstGroupId, secondGroupId] = getCompanyData()
		.targetGroups.map(({ resourceId }) => resourceId)
		.slice(0, 2);
	const additionalFields = {
		targetGroupResourceIds: [secondGroupId, firstGroupId],
		customFields: { rows: [{ customField: toIdLocator(String(field?.resourceId)), value: 'Kiel' }] },
	};
	const rows = getUsers(3).map(({ email }) => ({ email }));
	expect((await createOrUpdate(rows, additionalFields)).map(({ result }) => result)).toEqual([
		'updated',
		'updated',
		'updated',
	]);
	expect(getUsers(3).map(({ resourceId }) => listGroupIds(resourceId))).toEqual(
		Array(3).fill([firstGroupId, secondGroupId].sort()),
	);
	expect((await createOrUpdate(rows, additionalFields)).map(({ result }) => result)).toEqual([
		'unchanged',
		'unchanged',
		'unchanged',
	]);
	const items = await createOrUpdate(rows, { ...additionalFields, targetGroupResourceIds: [firstGroupId] });
	expect(items.map(({ result }) => result)).toEqual(['updated', 'updated', 'updated']);
});

test('if the platform does not list the members of groups, the entered groups are written even if nothing else changes', async () => {
	fixture.standIn.addFault({ route: LIST_MEMBERS, kind: 'status', status: 404, times: Infinity });
	const [user] = getUsers(1);
	const [group = ''] = getCompanyData().targetGroups.map(({ resourceId }) => resourceId);
	const row = createRow(requireValue(user));
	const items = await createOrUpdate([row], { ...PERSON_FIELDS, targetGroupResourceIds: [group] });
	expect(items.map(({ result }) => result)).toEqual(['updated']);
	expect(listGroupIds(requireValue(user).resourceId)).toEqual([group]);
});

test('if two rows have the same person, the second row starts from the result of the first', async () => {
	const [user] = getUsers(1);
	const [group = ''] = getCompanyData().targetGroups.map(({ resourceId }) => resourceId);
	const row = { email: user?.email ?? '' };
	const additionalFields = { department: '={{ $json.department }}', targetGroupResourceIds: '={{ $json.groups }}' };
	await createOrUpdate([{ ...row, department: 'A', groups: [group] }], additionalFields);
	const fieldsWithJson = { department: '={{ $json.department }}', additionalFieldsJson: '={{ $json.more }}' };
	await createOrUpdate(
		[
			{ ...row, department: 'B', more: { targetGroupResourceIds: [] } },
			{ ...row, department: 'C', more: {} },
		],
		fieldsWithJson,
	);
	expect(listGroupIds(user?.resourceId ?? '')).toEqual([]);
	expect(user?.department).toBe('C');
});

test('after a failed write, the next row with the same person does not rely on the groups of the failed row', async () => {
	const [user] = getUsers(1);
	const [group = ''] = getCompanyData().targetGroups.map(({ resourceId }) => resourceId);
	const row = { email: user?.email ?? '' };
	await createOrUpdate([row], { targetGroupResourceIds: [] });
	fixture.standIn.addFault({ route: UPDATE_USER, kind: 'status-500', times: 1 });
	const items = await createOrUpdate([row, row], { targetGroupResourceIds: [group] }, 'continueRegularOutput');
	expect(items.map(({ result }) => result)).toEqual([undefined, 'updated']);
	expect(listGroupIds(user?.resourceId ?? '')).toEqual([group]);
});

test.each([
	{ response: 'arrives', times: 0, results: ['updated', 'updated'], readCount: 1 },
	{ response: 'is lost', times: 1, results: [undefined, 'updated'], readCount: 2 },
])(
	'the next row with the same person keeps the groups that a row has set, if the response of that write $response',
	async ({ times, results, readCount }) => {
		const [user] = getUsers(1);
		const [group = ''] = getCompanyData().targetGroups.map(({ resourceId }) => resourceId);
		const row = { email: user?.email ?? '' };
		await createOrUpdate([row], { targetGroupResourceIds: [] });
		fixture.standIn.addFault({ route: UPDATE_USER, kind: 'reset-after', times });
		const rows = [
			{ ...row, more: { targetGroupResourceIds: [group] } },
			{ ...row, department: 'C', more: {} },
		];
		const additionalFields = { department: '={{ $json.department }}', additionalFieldsJson: '={{ $json.more }}' };
		const items = await createOrUpdate(rows, additionalFields, 'continueRegularOutput');
		expect(items.map(({ result }) => result)).toEqual(results);
		expect(user?.department).toBe('C');
		expect(listGroupIds(user?.resourceId ?? '')).toEqual([group]);
		expect(fixture.standIn.getRequests(LIST_GROUPS)).toHaveLength(readCount);
	},
);

test('if the groups cannot be read for a row, they are read again for the next row', async () => {
	fixture.standIn.addFault({ route: LIST_GROUPS, kind: 'status', status: 403, times: 1 });
	const rows = getUsers(2).map(({ email }) => ({ email }));
	const items = await createOrUpdate(rows, { department: 'Bakery' }, 'continueRegularOutput');
	expect(items.map(({ result }) => result)).toEqual([undefined, 'updated']);
});

test('an address with a different accent belongs to a different person', async () => {
	const [user] = getUsers(1);
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
	expect(getCompanyData().users.at(-1)?.email).toBe('jurgen@harbour.example');
});

test('an empty cell keeps the current value', async () => {
	const users = getUsers(3);
	const valuesBefore = users.map(({ firstName, lastName, department }) => ({ firstName, lastName, department }));
	const groupIds = users.map(({ resourceId }) => listGroupIds(resourceId));
	const rows = users.map(({ email }, index) => (index === 0 ? { email, department: 'Bakery' } : { email }));
	const items = await createOrUpdate(rows, PERSON_FIELDS);
	expect(items.map(({ result }) => result)).toEqual(['updated', 'unchanged', 'unchanged']);
	expect(users.map(({ firstName, lastName, department }) => ({ firstName, lastName, department }))).toEqual([
		{ ...valuesBefore[0], department: 'Bakery' },
		...valuesBefore.slice(1),
	]);
	expect(users.map(({ resourceId }) => listGroupIds(resourceId))).toEqual(groupIds);
	const records = await Promise.all(
		users.map(async ({ resourceId }) => fixture.customer.fetchData(`GET /api/target-users/${resourceId}`)),
	);
	expect(records).toMatchObject(Array(3).fill({ isActive: true }));
});

test('if a person has no phone number, the error asks for the field by its label', async () => {
	const [user] = getUsers(1);
	fixture.customer.world.addNote(user?.resourceId ?? '', { phoneNumber: null });
	const [item] = await createOrUpdate(
		[{ email: user?.email ?? '' }],
		{ department: 'Bakery' },
		'continueRegularOutput',
	);
	expect(JSON.stringify(item)).toContain('Phone Number');
	expect(listRequestedRoutes()).not.toContain(UPDATE_USER);
});

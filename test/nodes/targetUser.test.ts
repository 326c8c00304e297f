/** Target users: what a person notices beyond the cases. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { toIdLocator } from '../cases';
import { runCase } from '../cases/operationFixture';
import { startFakeServer, closeFakeServers } from '../n8n-core/nodeFixture';
import type { TargetUser } from '../stand-in/seed';
import { createDeployedFixture, getFailureMessage } from './deployed';

const { fixture, run } = createDeployedFixture();
afterEach(closeFakeServers);
const PUT = 'PUT /api/target-users/{resourceId}';
const POST = 'POST /api/target-users';
const MEMBERS = 'POST /api/target-groups/{resourceId}/users';

const holdings = () => fixture.customer.companyData;
const groupsOf = ({ resourceId }: TargetUser) =>
	holdings().targetGroups.flatMap((group) => (group.userResourceIds.includes(resourceId) ? [group.resourceId] : []));
const whole = z.record(z.unknown());
const recordOf = async ({ resourceId }: TargetUser) =>
	whole.parse(await fixture.customer.fetchData(`GET /api/target-users/${resourceId}`));

/** Somebody who is in two groups or more. */
function somebody(): TargetUser {
	const found = holdings().users.find((user) => groupsOf(user).length > 1);
	if (!found) throw new Error('Nobody is in two groups');
	return found;
}

describe('update', () => {
	const update = async (user: TargetUser, additionalFields: IDataObject) =>
		run('TargetUser', 'update', {
			...fixture.customer.companyParameters,
			targetUser: toIdLocator(user.resourceId),
			additionalFields,
		});

	test('only what was given changes, and the groups stay', async () => {
		const user = somebody();
		const before = await recordOf(user);
		const groups = groupsOf(user);
		const { hints } = await update(user, { isActive: false, managerEmail: 'boss@harbour.example' });
		expect(await recordOf(user)).toEqual({ ...before, isActive: false, managerEmail: 'boss@harbour.example' });
		expect(groupsOf(user)).toEqual(groups);
		expect(hints).toEqual([]);
	});

	test('one custom field: the others stay', async () => {
		const user = somebody();
		const before = z.array(whole).parse((await recordOf(user)).customFieldValues);
		const rows = [{ customField: toIdLocator(String(before[1]?.resourceId)), value: 'Kiel' }];
		await update(user, { customFields: { rows } });
		expect((await recordOf(user)).customFieldValues).toEqual([before[0], { ...before[1], value: 'Kiel' }]);
	});

	test('a custom field of a date: the time of its old value goes with it, and that of the others stays', async () => {
		const user = somebody();
		const dates = ['2026-01-31', '2026-02-28'].map((value, index) => ({
			resourceId: `date${index}`,
			name: 'Since',
			dataType: 'Date',
			value,
			timestampValue: `${value}T00:00:00Z`,
		}));
		fixture.customer.world.addNote(user.resourceId, { customFieldValues: dates });
		await update(user, { customFields: { rows: [{ customField: toIdLocator('date0'), value: '2027-03-31' }] } });
		const [sent] = fixture.standIn.getRequests(PUT);
		const { timestampValue: _old, ...changed } = { ...dates[0], value: '2027-03-31' };
		expect(sent?.body).toMatchObject({ customFields: [changed, dates[1]] });
		expect(JSON.stringify(sent?.body)).not.toContain('2026-01-31');
	});

	test('given groups replace those that are there, which are not looked up then', async () => {
		const user = somebody();
		const [group = ''] = groupsOf(user);
		await update(user, { targetGroupResourceIds: [group] });
		expect(groupsOf(user)).toEqual([group]);
		expect(fixture.standIn.getRequests(MEMBERS)).toEqual([]);
	});

	test('where the members of groups are not listed, groups must be given: nothing is sent before', async () => {
		const user = { email: 'zoe@harbour.example', phoneNumber: '+49 30 1' };
		const { credentialStore: store, requests: asked } = await startFakeServer({
			'GET /api/target-users/zoe': { data: { resourceId: 'zoe', ...user } },
			'POST /api/target-groups/search/current-company': { data: { results: [{ resourceId: 'bakers' }] } },
		});
		const parameters = {
			...fixture.customer.companyParameters,
			targetUser: toIdLocator('zoe'),
			additionalFields: { department: 'Bakery' },
		};
		const ran = runCase(fixture, { node: 'TargetUser', operation: 'update' }, { parameters }, { credential: store });
		const message = await getFailureMessage(ran);
		expect(message).toContain("'Update Fields' must have a value for Target Group Names or IDs: ");
		expect(asked.filter(({ route }) => route.startsWith('PUT '))).toEqual([]);
	});
});

describe('create or update', () => {
	const save = async (email: string, more: IDataObject = {}) =>
		run('TargetUser', 'createOrUpdate', { ...fixture.customer.companyParameters, email, ...more });

	test('nobody has the address: one person is added; once more: the same one is changed', async () => {
		const count = holdings().users.length;
		const added = await save('zoe@harbour.example', {
			phoneNumber: '+49 30 1',
			additionalFields: { firstName: 'Zoë' },
		});
		const changed = await save('ZOE@harbour.example ', { additionalFields: { lastName: 'Berg' } });
		expect([added, changed].map(({ items }) => items[0]?.json.action)).toEqual(['created', 'updated']);
		expect(changed.items[0]?.json.resourceId).toBe(added.items[0]?.json.resourceId);
		expect(holdings().users).toHaveLength(count + 1);
		const user = holdings().users.at(-1);
		expect(user).toMatchObject({ email: 'zoe@harbour.example', firstName: 'Zoë', lastName: 'Berg' });
		expect(user && (await recordOf(user)).phoneNumber).toBe('+49 30 1');
	});

	test('an inactive person who comes back stays inactive, and a hint says what to do', async () => {
		const user = somebody();
		fixture.customer.world.addNote(user.resourceId, { isActive: false });
		const again = await save(user.email, { additionalFields: { department: 'Rehired' } });
		expect(again.items[0]?.json).toMatchObject({ action: 'updated', status: 'Inactive' });
		expect(again.hints[0]?.message).toMatch(/^Inactive people get no trainings .*add 'Active' in 'Additional Fields'/);
		expect(again.hints[0]?.message).toContain(user.email);
		const unchanged = await save(user.email, { additionalFields: { department: 'Rehired' } });
		expect(unchanged.items[0]?.json).toMatchObject({ action: 'unchanged', status: 'Inactive' });
		const active = await save(user.email, { additionalFields: { isActive: true } });
		expect(active.items[0]?.json).toMatchObject({ action: 'updated', status: 'Active' });
		expect((await recordOf(user)).isActive).toBe(true);
		// There is no hint if the user deactivates the person.
		const left = await save(user.email, { additionalFields: { isActive: false } });
		expect(left.items[0]?.json.status).toBe('Inactive');
		expect([...active.hints, ...left.hints]).toEqual([]);
	});

	test('an address that contains another one is not that one', async () => {
		const user = somebody();
		await save(user.email.slice(1), { phoneNumber: '+49 30 1', additionalFields: { firstName: 'Other' } });
		expect(holdings().users.at(-1)).toMatchObject({ email: user.email.slice(1), firstName: 'Other' });
		expect(user.firstName).not.toBe('Other');
	});

	test('several have the address: nothing is changed, and they are named', async () => {
		const [one, other] = holdings().users;
		if (!one || !other) throw new Error('The customer has too few people');
		other.email = one.email.toUpperCase();
		const message = await getFailureMessage(save(one.email, { phoneNumber: '+49 30 1' }));
		expect(message).toContain(`'Email' is the address of 2 people: `);
		for (const { resourceId } of [one, other]) expect(message).toContain(resourceId);
		expect([...fixture.standIn.getRequests(POST), ...fixture.standIn.getRequests(PUT)]).toEqual([]);
	});

	test('a new person needs a phone number', async () => {
		const message = await getFailureMessage(save('zoe@harbour.example'));
		expect(message).toContain("'Phone Number' must not be empty");
		expect(fixture.standIn.getRequests(POST)).toEqual([]);
	});

	test('a creation whose answer is lost is not repeated, and the next run finds the person', async () => {
		fixture.standIn.addFault({ route: POST, kind: 'reset-after', times: 1 });
		const parameters = { phoneNumber: '+49 30 1' };
		expect(await getFailureMessage(save('zoe@harbour.example', parameters))).toContain('It was not repeated');
		const { items } = await save('zoe@harbour.example', parameters);
		expect(items[0]?.json.action).toBe('unchanged');
		expect(holdings().users.filter(({ email }) => email === 'zoe@harbour.example')).toHaveLength(1);
	});
});

test('every company: each person with the company', async () => {
	const { items } = await run('TargetUser', 'getMany', {
		companyScope: 'every',
		onlyCompanies: { nameContains: 'bakery' },
		returnAll: true,
	});
	const companies = fixture.customer.world.companies.filter(({ companyName }) => /bakery/i.test(companyName ?? ''));
	const people = companies.flatMap(({ companyResourceId: id }) =>
		fixture.customer.world.getCompanyData(id).users.map(({ resourceId }) => [id, resourceId]),
	);
	expect(items.map(({ json }) => [json.companyResourceId, json.resourceId]).sort()).toEqual(people.sort());
});

test('a platform without target users says so', async () => {
	fixture.standIn.setOptions({ hasExtraRoutes: false });
	const message = await getFailureMessage(run('TargetUser', 'getMany', fixture.customer.companyParameters));
	expect(message).toContain('this platform does not offer the operation (404)');
});

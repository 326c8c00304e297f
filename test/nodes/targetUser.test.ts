/** Tests target users: updates keep groups and custom fields, and Create or Update finds people by their email addresses. */
import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { toIdLocator } from '../cases';
import { runCase } from '../cases/operationFixture';
import { startFakeServer, closeFakeServers } from '../n8n-core/nodeFixture';
import type { TargetUser } from '../stand-in/seed';
import { createDeployedFixture, getFailureMessage } from './deployedFixture';

const { fixture, run } = createDeployedFixture();
afterEach(closeFakeServers);
const READ_USER = 'GET /api/target-users/{resourceId}';
const UPDATE_USER = 'PUT /api/target-users/{resourceId}';
const CREATE_USER = 'POST /api/target-users';
const LIST_MEMBERS = 'POST /api/target-groups/{resourceId}/users';

const getCompanyData = () => fixture.customer.companyData;
/** Lists the IDs of a user's groups. */
const listGroupIds = ({ resourceId }: TargetUser) =>
	getCompanyData().targetGroups.flatMap((group) =>
		group.userResourceIds.includes(resourceId) ? [group.resourceId] : [],
	);
const recordSchema = z.record(z.unknown());
const readRecord = async ({ resourceId }: TargetUser) =>
	recordSchema.parse(await fixture.customer.fetchData(`GET /api/target-users/${resourceId}`));

/** Finds a user who is in at least two groups. */
function findUserWithGroups(): TargetUser {
	const user = getCompanyData().users.find((candidate) => listGroupIds(candidate).length > 1);
	if (!user) throw new Error('Nobody is in two groups');
	return user;
}

describe('update', () => {
	const update = async (user: TargetUser, additionalFields: IDataObject) =>
		run('TargetUser', 'update', {
			...fixture.customer.companyParameters,
			targetUser: toIdLocator(user.resourceId),
			additionalFields,
		});

	test('only the entered fields change, and the groups stay', async () => {
		const user = findUserWithGroups();
		const recordBefore = await readRecord(user);
		const groups = listGroupIds(user);
		const { hints } = await update(user, { isActive: false, managerEmail: 'boss@harbour.example' });
		expect(await readRecord(user)).toEqual({ ...recordBefore, isActive: false, managerEmail: 'boss@harbour.example' });
		expect(listGroupIds(user)).toEqual(groups);
		expect(hints).toEqual([]);
	});

	test('the details of a person that were not entered are sent back, because an update without them would clear them', async () => {
		const user = findUserWithGroups();
		const details = {
			firstName: 'Ada',
			lastName: 'Ling',
			department: 'Sales',
			priority: 'High',
			timeZoneId: 'Europe/Berlin',
			preferredLanguageId: 'language7',
			managerFirstName: 'Bo',
			managerLastName: 'Berg',
			managerEmail: 'bo@harbour.example',
		};
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) => {
				const response = envelope as { data: object };
				return route === READ_USER ? { ...response, data: { ...response.data, ...details } } : envelope;
			},
		});
		await update(user, { phoneNumber: '+49 30 7' }).finally(() =>
			fixture.standIn.setOptions({ transformEnvelope: undefined }),
		);
		expect(fixture.standIn.getRequests(UPDATE_USER)[0]?.body).toMatchObject({ ...details, phoneNumber: '+49 30 7' });
	});

	test('an update of one custom field keeps the other custom fields', async () => {
		const user = findUserWithGroups();
		const customFieldsBefore = z.array(recordSchema).parse((await readRecord(user)).customFieldValues);
		const rows = [{ customField: toIdLocator(String(customFieldsBefore[1]?.resourceId)), value: 'Kiel' }];
		await update(user, { customFields: { rows } });
		expect((await readRecord(user)).customFieldValues).toEqual([
			customFieldsBefore[0],
			{ ...customFieldsBefore[1], value: 'Kiel' },
		]);
	});

	test('a date custom field: the timestamp of its old value is removed, and the timestamps of other fields stay', async () => {
		const user = findUserWithGroups();
		const dates = ['2026-01-31', '2026-02-28'].map((value, index) => ({
			resourceId: `date${index}`,
			name: 'Since',
			dataType: 'Date',
			value,
			timestampValue: `${value}T00:00:00Z`,
		}));
		fixture.customer.world.addNote(user.resourceId, { customFieldValues: dates });
		await update(user, { customFields: { rows: [{ customField: toIdLocator('date0'), value: '2027-03-31' }] } });
		const [request] = fixture.standIn.getRequests(UPDATE_USER);
		const changedField = omit({ ...dates[0], value: '2027-03-31' }, 'timestampValue');
		expect(request?.body).toMatchObject({ customFields: [changedField, dates[1]] });
		expect(JSON.stringify(request?.body)).not.toContain('2026-01-31');
	});

	test('entered groups replace the current groups, which are not read then', async () => {
		const user = findUserWithGroups();
		const [group = ''] = listGroupIds(user);
		await update(user, { targetGroupResourceIds: [group] });
		expect(listGroupIds(user)).toEqual([group]);
		expect(fixture.standIn.getRequests(LIST_MEMBERS)).toEqual([]);
	});

	test('if the platform does not list the members of groups, the error asks for the groups and nothing is sent', async () => {
		const user = { email: 'zoe@harbour.example', phoneNumber: '+49 30 1' };
		const { credentialStore, requests } = await startFakeServer({
			'GET /api/target-users/zoe': { data: { resourceId: 'zoe', ...user } },
			'POST /api/target-groups/search/current-company': { data: { results: [{ resourceId: 'bakers' }] } },
		});
		const parameters = {
			...fixture.customer.companyParameters,
			targetUser: toIdLocator('zoe'),
			additionalFields: { department: 'Bakery' },
		};
		const update = runCase(
			fixture,
			{ node: 'TargetUser', operation: 'update' },
			{ parameters },
			{ credential: credentialStore },
		);
		const message = await getFailureMessage(update);
		expect(message).toContain("'Update Fields' must have a value for Target Group Names or IDs: ");
		expect(requests.filter(({ route }) => route.startsWith('PUT '))).toEqual([]);
	});
});

describe('create or update', () => {
	const createOrUpdate = async (email: string, fields: IDataObject = {}) =>
		run('TargetUser', 'createOrUpdate', { ...fixture.customer.companyParameters, email, ...fields });

	test('a new address adds a person, and a second run changes the same person', async () => {
		const userCount = getCompanyData().users.length;
		const firstRun = await createOrUpdate('zoe@harbour.example', {
			phoneNumber: '+49 30 1',
			additionalFields: { firstName: 'Zoë' },
		});
		const secondRun = await createOrUpdate('ZOE@harbour.example ', { additionalFields: { lastName: 'Berg' } });
		expect([firstRun, secondRun].map(({ items }) => items[0]?.json.result)).toEqual(['created', 'updated']);
		expect(secondRun.items[0]?.json.resourceId).toBe(firstRun.items[0]?.json.resourceId);
		expect(getCompanyData().users).toHaveLength(userCount + 1);
		const user = getCompanyData().users.at(-1);
		expect(user).toMatchObject({ email: 'zoe@harbour.example', firstName: 'Zoë', lastName: 'Berg' });
		expect(user && (await readRecord(user)).phoneNumber).toBe('+49 30 1');
	});

	test('an inactive person who comes back stays inactive, and a hint says what to do', async () => {
		const user = findUserWithGroups();
		fixture.customer.world.addNote(user.resourceId, { isActive: false });
		const updateResult = await createOrUpdate(user.email, { additionalFields: { department: 'Rehired' } });
		expect(updateResult.items[0]?.json).toMatchObject({ result: 'updated', status: 'Inactive' });
		expect(updateResult.hints[0]?.message).toMatch(
			/^Inactive people get no trainings .*add 'Active' in 'Additional Fields'/,
		);
		expect(updateResult.hints[0]?.message).toContain(user.email);
		const unchangedResult = await createOrUpdate(user.email, { additionalFields: { department: 'Rehired' } });
		expect(unchangedResult.items[0]?.json).toMatchObject({ result: 'unchanged', status: 'Inactive' });
		const activationResult = await createOrUpdate(user.email, { additionalFields: { isActive: true } });
		expect(activationResult.items[0]?.json).toMatchObject({ result: 'updated', status: 'Active' });
		expect((await readRecord(user)).isActive).toBe(true);
		// There is no hint if the user deactivates the person.
		const deactivationResult = await createOrUpdate(user.email, { additionalFields: { isActive: false } });
		expect(deactivationResult.items[0]?.json.status).toBe('Inactive');
		expect([...activationResult.hints, ...deactivationResult.hints]).toEqual([]);
	});

	test('an address that is part of another address does not match it', async () => {
		const user = findUserWithGroups();
		await createOrUpdate(user.email.slice(1), { phoneNumber: '+49 30 1', additionalFields: { firstName: 'Other' } });
		expect(getCompanyData().users.at(-1)).toMatchObject({ email: user.email.slice(1), firstName: 'Other' });
		expect(user.firstName).not.toBe('Other');
	});

	test('if several people have the address, nothing is changed and the error names them', async () => {
		const [firstUser, secondUser] = getCompanyData().users;
		if (!firstUser || !secondUser) throw new Error('The customer has too few people');
		secondUser.email = firstUser.email.toUpperCase();
		const message = await getFailureMessage(createOrUpdate(firstUser.email, { phoneNumber: '+49 30 1' }));
		expect(message).toContain(`'Email' is the address of 2 people: `);
		for (const { resourceId } of [firstUser, secondUser]) expect(message).toContain(resourceId);
		expect([...fixture.standIn.getRequests(CREATE_USER), ...fixture.standIn.getRequests(UPDATE_USER)]).toEqual([]);
	});

	test('a new person needs a phone number', async () => {
		const message = await getFailureMessage(createOrUpdate('zoe@harbour.example'));
		expect(message).toContain("'Phone Number' must not be empty");
		expect(fixture.standIn.getRequests(CREATE_USER)).toEqual([]);
	});

	test('a creation whose response is lost is not repeated, and the next run finds the person', async () => {
		fixture.standIn.addFault({ route: CREATE_USER, kind: 'reset-after', times: 1 });
		const parameters = { phoneNumber: '+49 30 1' };
		expect(await getFailureMessage(createOrUpdate('zoe@harbour.example', parameters))).toContain(
			'The request was not repeated',
		);
		const { items } = await createOrUpdate('zoe@harbour.example', parameters);
		expect(items[0]?.json.result).toBe('unchanged');
		expect(getCompanyData().users.filter(({ email }) => email === 'zoe@harbour.example')).toHaveLength(1);
	});
});

test('every company: each person comes with their company', async () => {
	const { items } = await run('TargetUser', 'getMany', {
		companyScope: 'every',
		onlyCompanies: { nameContains: 'bakery' },
		returnAll: true,
	});
	const companies = fixture.customer.world.companies.filter(({ companyName }) => /bakery/i.test(companyName ?? ''));
	const expectedPairs = companies.flatMap(({ companyResourceId: id }) =>
		fixture.customer.world.getCompanyData(id).users.map(({ resourceId }) => [id, resourceId]),
	);
	expect(items.map(({ json }) => [json.companyResourceId, json.resourceId]).sort()).toEqual(expectedPairs.sort());
});

test('on a platform without target users the error says so', async () => {
	fixture.standIn.setOptions({ hasExtraRoutes: false });
	const message = await getFailureMessage(run('TargetUser', 'getMany', fixture.customer.companyParameters));
	expect(message).toContain('the platform does not support this operation (404)');
});

/**
 * Tests updates of system users: fields that the user does not enter keep their values. If the platform does not show a required value, the
 * error asks for it.
 */
import type { IDataObject } from 'n8n-workflow';
import { toIdLocator } from '../cases';
import { createDeployedFixture, getFailureMessage } from './deployedFixture';

const { fixture, run } = createDeployedFixture();

const UPDATE_USER = 'PUT /api/system-users/{resourceId}';
const createUserBody = (name: string) => ({
	firstName: name,
	lastName: 'Byron',
	email: `${name}@harbour.example`,
	phoneNumber: '+15551234567',
	statusId: 2,
});

/** Creates three system users, who all have the same role. @returns the ID of that role, the ID of another role, and the users' IDs */
async function createSystemUsers() {
	const [firstRoleId, secondRoleId] = (await fixture.customer.fetchList('GET /api/roles')).map(({ resourceId }) =>
		String(resourceId),
	);
	const roleIds = { assigned: firstRoleId ?? '', other: secondRoleId ?? '' };
	for (const name of ['ada', 'grace', 'mary'])
		await fixture.customer.fetchData('POST /api/system-users', {
			...createUserBody(name),
			roleResourceIdList: [roleIds.assigned],
		});
	fixture.standIn.clearLog();
	const [ada, grace, mary] = fixture.customer.companyData.systemUsers.map(({ resourceId }) => resourceId);
	return { roleIds, userIds: { ada: ada ?? '', grace: grace ?? '', mary: mary ?? '' } };
}

const update = async (id: string, roles: string[] | string, additionalFields: IDataObject = {}) =>
	run('SystemUser', 'update', {
		...fixture.customer.companyParameters,
		systemUser: toIdLocator(id),
		roles,
		additionalFields,
	});

test('an update of one field changes no other field and no other user', async () => {
	const { roleIds, userIds } = await createSystemUsers();
	const usersBefore = structuredClone(fixture.customer.companyData.systemUsers);
	const { hints } = await update(userIds.grace, [roleIds.other], { email: 'hopper@harbour.example' });
	const expectedBody = {
		...createUserBody('grace'),
		email: 'hopper@harbour.example',
		roleResourceIdList: [roleIds.other],
	};
	expect(fixture.customer.companyData.systemUsers).toEqual(
		usersBefore.map((user) =>
			user.resourceId === userIds.grace ? { ...user, email: expectedBody.email, requestBody: expectedBody } : user,
		),
	);
	expect(fixture.standIn.getRequests(UPDATE_USER)).toHaveLength(1);
	expect(hints).toEqual([]);
});

test.each([null, undefined])(
	'if the phone number is %s, the error asks for it, and nothing is sent',
	async (phoneNumber) => {
		const { roleIds, userIds } = await createSystemUsers();
		const hideValues = (key: string, value: unknown): unknown => {
			if (key === 'phoneNumber') return phoneNumber;
			return key === 'statusId' ? null : value;
		};
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) => {
				const isBeforeUpdate = fixture.standIn.getRequests(UPDATE_USER).length === 0;
				if (route !== 'POST /api/system-users/search' || !isBeforeUpdate) return envelope;
				return JSON.parse(JSON.stringify(envelope), hideValues) as unknown;
			},
		});
		expect(await getFailureMessage(update(userIds.ada, [roleIds.assigned], { firstName: 'Augusta' }))).toContain(
			"'Update Fields' must have a value for Phone Number: ",
		);
		expect(fixture.standIn.getRequests(UPDATE_USER)).toEqual([]);
		const { items } = await update(userIds.ada, [roleIds.assigned], { phoneNumber: '+1' });
		fixture.standIn.setOptions({ transformEnvelope: undefined });
		// An optional field without a value is left out.
		expect(fixture.standIn.getRequests(UPDATE_USER).map(({ body }) => body)).toEqual([
			{ ...createUserBody('ada'), phoneNumber: '+1', statusId: undefined, roleResourceIdList: [roleIds.assigned] },
		]);
		expect(items.map(({ json }) => json)).toMatchObject([{ email: 'ada@harbour.example', resourceId: userIds.ada }]);
	},
);

test('without roles, or for an unknown user, nothing is changed', async () => {
	const { roleIds, userIds } = await createSystemUsers();
	expect(await getFailureMessage(update(userIds.ada, '={{ [] }}'))).toMatch(
		/'Role Names or IDs' must name at least one role.*select the current roles of the system user as well/,
	);
	expect(fixture.requests).toEqual([]);
	expect(await getFailureMessage(update('nobody', [roleIds.assigned]))).toContain(
		"'System User' is not a system user of this company",
	);
	expect(fixture.standIn.getRequests(UPDATE_USER)).toEqual([]);
});

test('a hint names fields that the platform changed without being requested', async () => {
	const { roleIds, userIds } = await createSystemUsers();
	let searchCount = 0;
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route }) =>
			route === 'POST /api/system-users/search' && ++searchCount > 1
				? (JSON.parse(JSON.stringify(envelope).replaceAll('+15551234567', '+1')) as unknown)
				: envelope,
	});
	const { hints } = await update(userIds.ada, [roleIds.assigned], { firstName: 'Augusta' });
	fixture.standIn.setOptions({ transformEnvelope: undefined });
	expect(hints.map(({ message }) => message)).toEqual([
		'The platform also changed fields that you did not enter: Phone Number. Check the record.',
	]);
});

test('every company: each user comes with their company', async () => {
	await createSystemUsers();
	const { items } = await run('SystemUser', 'getMany', { companyScope: 'every', returnAll: true });
	expect(items.map(({ json }) => [json.companyResourceId, json.email])).toEqual(
		['ada', 'grace', 'mary'].map((name) => [fixture.customer.companyId, `${name}@harbour.example`]),
	);
});

test('a deletion that fails removes nobody, and is not sent again', async () => {
	const { userIds } = await createSystemUsers();
	fixture.standIn.addFault({ route: 'DELETE /api/system-users/{resourceId}', kind: 'status-500', times: Infinity });
	const deletion = run('SystemUser', 'delete', {
		...fixture.customer.companyParameters,
		systemUser: toIdLocator(userIds.ada),
	});
	expect(await getFailureMessage(deletion)).toContain('(500)');
	expect(fixture.standIn.getRequests('DELETE /api/system-users/{resourceId}')).toHaveLength(1);
	expect(fixture.customer.companyData.systemUsers).toHaveLength(3);
});

test('a new system user without roles is created without a list of roles', async () => {
	const { statusId: _statusId, ...details } = createUserBody('nora');
	await run('SystemUser', 'create', { ...fixture.customer.companyParameters, ...details, roles: [] });
	expect(fixture.standIn.getRequests('POST /api/system-users').map(({ body }) => body)).toEqual([details]);
});

/** System users where a platform can change them: what was not given stays, and what cannot be known is asked for. */
import type { IDataObject } from 'n8n-workflow';
import { toIdLocator } from '../cases';
import { createDeployedFixture, getFailureMessage } from './deployed';

const { fixture, run } = createDeployedFixture();

const PUT = 'PUT /api/system-users/{resourceId}';
const user = (name: string) => ({
	firstName: name,
	lastName: 'Byron',
	email: `${name}@harbour.example`,
	phoneNumber: '+15551234567',
	statusId: 2,
});

/** Three system users, each with a role. */
async function made() {
	const [first, second] = (await fixture.customer.fetchList('GET /api/roles')).map(({ resourceId }) =>
		String(resourceId),
	);
	const roles = { first: first ?? '', second: second ?? '' };
	for (const name of ['ada', 'grace', 'mary'])
		await fixture.customer.fetchData('POST /api/system-users', { ...user(name), roleResourceIdList: [roles.first] });
	fixture.standIn.clearLog();
	const [ada, grace, mary] = fixture.customer.companyData.systemUsers.map(({ resourceId }) => resourceId);
	return { roles, ids: { ada: ada ?? '', grace: grace ?? '', mary: mary ?? '' } };
}

const update = async (id: string, roles: string[] | string, additionalFields: IDataObject = {}) =>
	run('SystemUser', 'update', {
		...fixture.customer.companyParameters,
		systemUser: toIdLocator(id),
		roles,
		additionalFields,
	});

test('one field is set: all others are as they were, of this one and of the others', async () => {
	const { roles, ids } = await made();
	const before = structuredClone(fixture.customer.companyData.systemUsers);
	const { hints } = await update(ids.grace, [roles.second], { email: 'hopper@harbour.example' });
	const asked = { ...user('grace'), email: 'hopper@harbour.example', roleResourceIdList: [roles.second] };
	expect(fixture.customer.companyData.systemUsers).toEqual(
		before.map((each) => (each.resourceId === ids.grace ? { ...each, email: asked.email, requestBody: asked } : each)),
	);
	expect(fixture.standIn.getRequests(PUT)).toHaveLength(1);
	expect(hints).toEqual([]);
});

test.each([null, undefined])('a phone number of %s is asked for, and never sent', async (phoneNumber) => {
	const { roles, ids } = await made();
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route }) =>
			route === 'POST /api/system-users/search' && fixture.standIn.getRequests(PUT).length === 0
				? (JSON.parse(JSON.stringify(envelope), (key, value: unknown) =>
						key === 'phoneNumber' ? phoneNumber : key === 'statusId' ? null : value,
					) as unknown)
				: envelope,
	});
	expect(await getFailureMessage(update(ids.ada, [roles.first], { firstName: 'Augusta' }))).toContain(
		"'Update Fields' must have a value for Phone Number: ",
	);
	expect(fixture.standIn.getRequests(PUT)).toEqual([]);
	const { items } = await update(ids.ada, [roles.first], { phoneNumber: '+1' });
	fixture.standIn.setOptions({ transformEnvelope: undefined });
	// What is not required, and has no value, is left out.
	expect(fixture.standIn.getRequests(PUT).map(({ body }) => body)).toEqual([
		{ ...user('ada'), phoneNumber: '+1', statusId: undefined, roleResourceIdList: [roles.first] },
	]);
	expect(items.map(({ json }) => json)).toMatchObject([{ email: 'ada@harbour.example', resourceId: ids.ada }]);
});

test('without roles, or for somebody who is not there, nothing is changed', async () => {
	const { roles, ids } = await made();
	expect(await getFailureMessage(update(ids.ada, '={{ [] }}'))).toMatch(
		/'Role Names or IDs' must name at least one role.*give those that the person has now, too/,
	);
	expect(fixture.requests).toEqual([]);
	expect(await getFailureMessage(update('nobody', [roles.first]))).toContain(
		"'System User' is no system user of the company",
	);
	expect(fixture.standIn.getRequests(PUT)).toEqual([]);
});

test('what the platform changes unasked is told', async () => {
	const { roles, ids } = await made();
	let searches = 0;
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route }) =>
			route === 'POST /api/system-users/search' && ++searches > 1
				? (JSON.parse(JSON.stringify(envelope).replaceAll('+15551234567', '+1')) as unknown)
				: envelope,
	});
	const { hints } = await update(ids.ada, [roles.first], { firstName: 'Augusta' });
	fixture.standIn.setOptions({ transformEnvelope: undefined });
	expect(hints.map(({ message }) => message)).toEqual([
		'The platform changed more than was asked for: Phone Number. Look at the record.',
	]);
});

test('of every company: each with its own', async () => {
	await made();
	const { items } = await run('SystemUser', 'getMany', { companyScope: 'every', returnAll: true });
	expect(items.map(({ json }) => [json.companyResourceId, json.email])).toEqual(
		['ada', 'grace', 'mary'].map((name) => [fixture.customer.companyId, `${name}@harbour.example`]),
	);
});

test('a deletion that is not allowed takes nobody away, and is not sent again', async () => {
	const { ids } = await made();
	fixture.standIn.addFault({ route: 'DELETE /api/system-users/{resourceId}', kind: 'status-500', times: Infinity });
	const deletion = run('SystemUser', 'delete', {
		...fixture.customer.companyParameters,
		systemUser: toIdLocator(ids.ada),
	});
	expect(await getFailureMessage(deletion)).toContain('(500)');
	expect(fixture.standIn.getRequests('DELETE /api/system-users/{resourceId}')).toHaveLength(1);
	expect(fixture.customer.companyData.systemUsers).toHaveLength(3);
});

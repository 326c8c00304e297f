/**
 * Tests the status of API clients, which an update keeps unless the user enters one, although the update must send it. Also tests that a
 * client without an IP restriction has no addresses.
 */
import { pickBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { toIdLocator } from '../cases';
import { requireValue } from '../n8n-core/nodeFixture';
import { createDeployedFixture, findCase, getFailureMessage } from './deployedFixture';

const { fixture, run, runPrepared } = createDeployedFixture();
const CREATE_CLIENT = 'POST /api/companies/clients';
const READ_CLIENT = 'GET /api/companies/clients/{resourceId}';
const UPDATE_CLIENT = 'PUT /api/companies/clients/{resourceId}';

/** Creates an inactive API client, and functions that update it and find it in the stand-in. */
async function createInactiveClient() {
	const roles = (await fixture.customer.fetchList('GET /api/roles'))
		.slice(0, 1)
		.map(({ resourceId }) => String(resourceId));
	const credentials = { clientId: 'id-of-client', clientSecret: 'secret-of-client' };
	const body = { name: 'Old', ...credentials, statusId: 2, roleResourceIdList: roles };
	const id = await fixture.customer.fetchText('resourceId', 'POST /api/companies/clients', body);
	fixture.standIn.clearLog();
	const update = async (additionalFields: IDataObject = {}) =>
		run('ApiClient', 'update', {
			...fixture.customer.companyParameters,
			...credentials,
			apiClient: toIdLocator(id),
			name: 'New',
			roles,
			additionalFields,
		});
	const getClient = () =>
		requireValue(fixture.customer.companyData.clients.find(({ resourceId }) => resourceId === id));
	return { update, getClient };
}

test.each([
	['stays unchanged', {}, 2],
	['changes to the entered one', { statusId: 1 }, 1],
])('the status %s', async (_change, additionalFields, statusId) => {
	const { update, getClient } = await createInactiveClient();
	const { items, hints } = await update(additionalFields);
	expect(getClient()).toMatchObject({ name: 'New', statusId });
	expect(items.map(({ json }) => json)).toMatchObject([{ name: 'New', resourceId: getClient().resourceId }]);
	expect(hints).toEqual([]);
});

test('if the platform does not show the status, the error asks for it and nothing is sent', async () => {
	const { update } = await createInactiveClient();
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route }) =>
			route === READ_CLIENT
				? (JSON.parse(JSON.stringify(envelope).replace('"statusId":2', '"statusId":null')) as unknown)
				: envelope,
	});
	const message = await getFailureMessage(update()).finally(() =>
		fixture.standIn.setOptions({ transformEnvelope: undefined }),
	);
	expect(message).toContain("'Update Fields' must have a value for Status: ");
	expect(fixture.standIn.getRequests(UPDATE_CLIENT)).toEqual([]);
});

test('a new client has the status that the user entered as JSON, in any case, and not also the default status', async () => {
	const additionalFields = { additionalFieldsJson: '{ "StatusId": 2 }' };
	const { prepared } = await runPrepared('ApiClient', 'create');
	await run('ApiClient', 'create', { ...prepared.parameters, additionalFields });
	const body = requireValue(fixture.standIn.getRequests(CREATE_CLIENT).at(-1)).body as IDataObject;
	expect(pickBy(body, (_value, name) => /^statusId$/i.test(name))).toEqual({ StatusId: 2 });
});

test.each(['create', 'update', 'provision'])(
	'%s without an IP restriction sends no IP addresses, although the form still has some',
	async (operation) => {
		const { parameters } = await findCase('ApiClient', operation).prepare(fixture.customer);
		fixture.standIn.clearLog();
		await run('ApiClient', operation, {
			...parameters,
			hasIpAddressRestriction: false,
			allowedIpAddresses: '203.0.113.7',
		});
		const writes = [CREATE_CLIENT, UPDATE_CLIENT].flatMap((route) => fixture.standIn.getRequests(route));
		expect(writes.map(({ body }) => body)).toMatchObject([
			{ hasIpAddressRestriction: false, allowedIpAddresses: null },
		]);
	},
);

/** Changing an API client: its status is in no field that a person must fill in, so it stays as it is. */
import type { IDataObject } from 'n8n-workflow';
import { toIdLocator } from '../cases';
import { requireValue } from '../n8n-core/nodeFixture';
import { createDeployedFixture, getFailureMessage } from './deployed';

const { fixture, run } = createDeployedFixture();
const GET = 'GET /api/companies/clients/{resourceId}';
const PUT = 'PUT /api/companies/clients/{resourceId}';

/** An inactive client, and what updates it. */
async function inactive() {
	const roles = (await fixture.customer.fetchList('GET /api/roles')).slice(0, 1).map(({ resourceId }) => String(resourceId));
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
	const now = () => requireValue(fixture.customer.companyData.clients.find(({ resourceId }) => resourceId === id));
	return { update, now };
}

test.each([
	['stays as it is', {}, 2],
	['is the one that is given', { statusId: 1 }, 1],
])('the status %s', async (_what, given, statusId) => {
	const { update, now } = await inactive();
	const { items, hints } = await update(given);
	expect(now()).toMatchObject({ name: 'New', statusId });
	expect(items.map(({ json }) => json)).toMatchObject([{ name: 'New', resourceId: now().resourceId }]);
	expect(hints).toEqual([]);
});

test('a status that the platform does not show is asked for, and nothing is sent', async () => {
	const { update } = await inactive();
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route }) =>
			route === GET
				? (JSON.parse(JSON.stringify(envelope).replace('"statusId":2', '"statusId":null')) as unknown)
				: envelope,
	});
	const said = await getFailureMessage(update()).finally(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));
	expect(said).toContain("'Update Fields' must have a value for Status: ");
	expect(fixture.standIn.getRequests(PUT)).toEqual([]);
});

/**
 * Tests that errors name the likely cause. For example, after a 403 for one of many customers, the error doesn't blame the credential's
 * role. After an error of a proxy, it doesn't blame the Base URL.
 */
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { toIdLocator } from '../cases';
import {
	startFakeServer,
	parseFailedItem,
	catchNodeError,
	isFailedItem,
	createNodeFixture,
	sendJson,
	requireValue,
} from '../n8n-core/nodeFixture';

const fixture = createNodeFixture({ companyCount: 40 });
const GROUP_SEARCH = 'POST /api/target-groups/search/current-company';

test('a 403 for one of 40 customers does not blame the role', async () => {
	const forbiddenCompany = requireValue(fixture.standIn.world.companies[20]);
	fixture.standIn.addFault({
		route: GROUP_SEARCH,
		kind: 'forbidden-company',
		companyId: forbiddenCompany.companyResourceId,
		times: Infinity,
	});
	const { items } = await fixture.run(
		SecurityAwarenessTargetGroup,
		{ operation: 'getMany', companyScope: 'every', onlyCompanies: {}, limit: 1 },
		{ onError: 'continueRegularOutput' },
	);
	const [failedItem, ...otherFailedItems] = items.filter(isFailedItem);
	expect(otherFailedItems).toEqual([]);
	expect(parseFailedItem(failedItem).error).toMatchObject({
		message: `Could not get target groups for '${forbiddenCompany.companyName ?? ''}': the platform refused access (403)`,
		description:
			"Is this one of your customers? The credential's role is not the cause, because the same request succeeded for another company. The platform says: You are not authorized to act for this company.",
	});
});

test('a 404 first says that the record may have been deleted', async () => {
	const error = await catchNodeError(
		fixture.run(SecurityAwarenessCompany, {
			operation: 'get',
			company: toIdLocator('0f0f0f0f-0f0f-0f0f-0f0f-0f0f0f0f0f0f'),
		}),
	);
	expect(error).toMatchObject({ httpCode: '404' });
	expect(error.description).toMatch(/^It may have been deleted, or belong to another company .* The platform says: /);
});

test.each([
	[
		{ status: 'PRIVACY_ERROR', message: 'Closed.' },
		403,
		/^The customer has turned off access for resellers\..* The platform says: Closed\.$/,
	],
	[{ message: 'Sign in.' }, 407, /^The platform says: Sign in\. Ask the administrator of n8n to set the proxy's user/],
	[
		{ message: 'Too large.' },
		413,
		/^The platform says: Too large\. Try again later\. If the error persists, contact the platform/,
	],
])('%j (%i) is explained', async (body, status, description) => {
	const fakeServer = await startFakeServer((_request, response) => sendJson(response, status, body));
	const error = await catchNodeError(
		fixture.run(SecurityAwarenessCompany, { operation: 'getOwn' }, { credentialStore: fakeServer.credentialStore }),
	);
	expect(error.description).toMatch(description);
	expect(error.description).not.toContain('Base URL');
});

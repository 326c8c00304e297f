/**
 * Tests which responses are errors, and that errors name the likely cause. For example, after a 403 for one of many customers, the error
 * doesn't blame the credential's role. After an error of a proxy, it doesn't blame the Base URL.
 */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { SecurityAwarenessTargetUser } from '../../nodes/TargetUser/SecurityAwarenessTargetUser.node';
import { toIdLocator } from '../cases';
import {
	startFakeServer,
	parseFailedItem,
	catchNodeError,
	isFailedItem,
	createNodeFixture,
	getJson,
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

test.each([{ status: 'INTERNAL_SERVER_ERROR' }, { code: 'INTERNAL_SERVER_ERROR' }])(
	'%j on 200 is an error of the platform, not of the input',
	async (word) => {
		const fakeServer = await startFakeServer((_request, response) => sendJson(response, 200, { ...word, data: {} }));
		const error = await catchNodeError(
			fixture.run(SecurityAwarenessCompany, { operation: 'getOwn' }, { credentialStore: fakeServer.credentialStore }),
		);
		expect(error.message).toMatch(/: the platform had an internal error$/);
	},
);

test('a 403 blames neither a permission that the token may have, nor the way in which a company with a name was entered', async () => {
	const { credentialStore } = await startFakeServer((_request, response) => sendJson(response, 403, {}));
	const company = { mode: 'list', value: 'c1', cachedResultName: 'Mill & Sons' };
	const parameters = { operation: 'getMany', companyScope: 'one', company: { __rl: true, ...company } };
	const error = await catchNodeError(fixture.run(SecurityAwarenessTargetGroup, parameters, { credentialStore }));
	expect(error.description).toMatch(/^Is this one of your customers\? A Reseller can act only for its customers/);
});

test('a 404 for a new person does not blame a group of the person', async () => {
	const parameters = {
		operation: 'create',
		companyScope: 'own',
		email: 'ada@mill.example',
		phoneNumber: '+49 30 1234567',
		additionalFields: { targetGroupResourceIds: ['0f0f0f0f-0f0f-0f0f-0f0f-0f0f0f0f0f0f'] },
	};
	const error = await catchNodeError(fixture.run(SecurityAwarenessTargetUser, parameters));
	expect(error.message).toContain('the platform does not support this operation (404)');
});

describe('a response that says in isSuccess how the request ended (deployment facts, "Responses")', () => {
	const runWithResponse = async (parameters: IDataObject, body: IDataObject) => {
		const fakeServer = await startFakeServer((_request, response) => sendJson(response, 200, body));
		return await fixture.run(SecurityAwarenessCompany, parameters, { credentialStore: fakeServer.credentialStore });
	};
	const COMPANY = { companyResourceId: 'c1', companyName: 'Mill & Sons' };
	const getOwn = { operation: 'getOwn', output: 'raw' };

	test.each([
		{ isSuccess: true, status: 'NO_ERROR' },
		{ IsSuccess: true, code: 'FAILOVER', messages: ['Read from the second server.'] },
	])('is a success if it is true: %j', async (statement) => {
		const { items } = await runWithResponse(getOwn, { ...statement, data: COMPANY });
		expect(getJson(items)).toEqual([COMPANY]);
	});

	test('is a success if it is true, and the messages about a change are in the item', async () => {
		const validationMessages = ['The group is still in a report.'];
		const fakeServer = await startFakeServer((_request, response) =>
			sendJson(response, 200, { isSuccess: true, data: null, validationMessages }),
		);
		const { items } = await fixture.run(
			SecurityAwarenessTargetGroup,
			{ operation: 'delete', companyScope: 'own', targetGroup: toIdLocator('0f0f0f0f-0f0f-0f0f-0f0f-0f0f0f0f0f0f') },
			{ credentialStore: fakeServer.credentialStore },
		);
		expect(getJson(items)).toMatchObject([{ deleted: true, message: 'The group is still in a report.' }]);
	});

	test('is a failure if it is false, although the status is a word for a success', async () => {
		const response = { isSuccess: false, status: 'success', data: COMPANY, messages: ['Closed.'] };
		const error = await catchNodeError(runWithResponse(getOwn, response));
		expect(error.description).toContain('The platform says: Closed.');
	});
});

/** Tests the access window of customers: when resellers have access to their data, and the errors if they don't. */
import { DateTime } from 'luxon';
import { toIdLocator } from '../cases';
import { runNode } from '../n8n-core';
import {
	closeFakeServers,
	getJson,
	isFailedItem,
	parseFailedItem,
	requireValue,
	startFakeServer,
} from '../n8n-core/nodeFixture';
import { createDeployedFixture, getFailureMessage } from './deployedFixture';

const { fixture, run } = createDeployedFixture();
afterEach(closeFakeServers);
const OWN_COMPANIES_ROUTE = 'GET /api/companies/my';
const ACCESS_WINDOW_ROUTE = 'GET /api/companies/privacy';

const formatDate = (date: string | null) =>
	DateTime.fromISO(date ?? '')
		.setLocale('en')
		.toFormat('d LLLL yyyy');

/** Makes the platform refuse all requests for the customer, except the list of the credential's companies. */
function closeAccess(): void {
	for (const route of [
		'POST /api/target-groups/search/current-company',
		'POST /api/target-groups',
		ACCESS_WINDOW_ROUTE,
	])
		fixture.standIn.addFault({
			kind: 'closed-access',
			route,
			companyId: fixture.customer.companyId,
			times: Infinity,
		});
}

describe('Get Access Window', () => {
	test('one list has the windows of all customers, also of one who does not let the reseller in', async () => {
		closeAccess();
		const { items } = await run('Company', 'getAccessWindow', { companyScope: 'every', onlyCompanies: {} });
		expect(fixture.standIn.getRequests(OWN_COMPANIES_ROUTE)).toHaveLength(1);
		expect(fixture.standIn.getRequests(ACCESS_WINDOW_ROUTE)).toEqual([]);
		const ends = new Map(getJson(items).map((json) => [json.companyResourceId, json.privacyDurationEndTime]));
		expect(ends).toEqual(
			new Map(fixture.customer.world.companies.map((company) => [company.companyResourceId, company.licenseEndDate])),
		);
	});

	test.each(['status-500', 'forbidden-company', 'status'] as const)(
		'without the list (%s), the customer itself is asked, unless another request may succeed',
		async (kind) => {
			fixture.standIn.addFault({ kind, status: 404, route: OWN_COMPANIES_ROUTE, times: Infinity });
			const { companyParameters, company } = fixture.customer;
			const pendingRun = run('Company', 'getAccessWindow', companyParameters);
			if (kind === 'status-500') return await expect(pendingRun).rejects.toThrow('the platform had an internal error');
			expect(getJson((await pendingRun).items)).toMatchObject([{ privacyDurationEndTime: company.licenseEndDate }]);
		},
	);

	test("the credential's own company has a window", async () => {
		const { items } = await runNode({
			node: fixture.getNode('Company'),
			credential: fixture.credential,
			parameters: { resource: 'company', operation: 'getAccessWindow', companyScope: 'own' },
		});
		expect(getJson(items)).toMatchObject([
			{ privacyDurationEndTime: fixture.standIn.world.resellerCompany.licenseEndDate },
		]);
	});
});

describe('an error names the end of the access window', () => {
	const runGetGroups = () =>
		getFailureMessage(run('TargetGroup', 'getMany', { ...fixture.customer.companyParameters, returnAll: true }));

	test.each([
		['in the past', -3, 'ended'],
		['in the future', 3, 'ends'],
	])('%s', async (_when, days, verb) => {
		const end = requireValue(DateTime.utc().plus({ days }).toISO());
		fixture.customer.company.licenseEndDate = end;
		closeAccess();
		expect(await runGetGroups()).toMatch(
			new RegExp(
				`refused access \\(403\\): The customer has turned off access for resellers\\. .* The platform says: Access is closed\\. The access window ${verb} on ${formatDate(end)}, \\d\\d:\\d\\d \\(.+\\)\\.$`,
			),
		);
		expect(fixture.standIn.getRequests(OWN_COMPANIES_ROUTE)).toHaveLength(1);
	});

	test('for a write', async () => {
		closeAccess();
		const parameters = { ...fixture.customer.companyParameters, name: 'New', priority: 'Medium' };
		expect(await getFailureMessage(run('TargetGroup', 'create', parameters))).toContain(' The access window end');
	});

	test('for a company that is selected without a company scope', async () => {
		fixture.standIn.addFault({ kind: 'closed-access', route: 'GET /api/companies/{resourceId}' });
		const parameters = { company: toIdLocator(fixture.customer.companyId) };
		expect(await getFailureMessage(run('Company', 'get', parameters))).toContain(' The access window end');
	});

	test('for one of all customers', async () => {
		closeAccess();
		const { items } = await runNode({
			node: fixture.getNode('TargetGroup'),
			credential: fixture.credential,
			parameters: { operation: 'getMany', companyScope: 'every', onlyCompanies: {}, limit: 1 },
			onError: 'continueRegularOutput',
		});
		const failedItems = items.filter(isFailedItem);
		expect(failedItems).toHaveLength(1);
		expect(parseFailedItem(failedItems[0]).error.description).toContain(' The access window end');
		expect(fixture.standIn.getRequests(OWN_COMPANIES_ROUTE)).toHaveLength(1);
	});

	test('but stays as it is if the end is unknown or the list fails, and for any other 403', async () => {
		closeAccess();
		fixture.customer.company.licenseEndDate = '';
		const explanation =
			/refused access \(403\): The customer has turned off access for resellers\. .* The platform says: Access is closed\.$/;
		expect(await runGetGroups()).toMatch(explanation);
		for (const kind of ['status-500', 'forbidden-company', 'html-200', 'closed-access'] as const) {
			fixture.standIn.reset();
			closeAccess();
			fixture.standIn.addFault({ kind, route: OWN_COMPANIES_ROUTE, times: Infinity });
			expect(await runGetGroups()).toMatch(explanation);
		}
		fixture.standIn.reset();
		fixture.standIn.clearLog();
		fixture.standIn.addFault({ kind: 'forbidden-company', times: Infinity });
		await runGetGroups();
		expect(fixture.standIn.getRequests(OWN_COMPANIES_ROUTE)).toEqual([]);
	});
});

test('a credential that sees several companies has none of their access windows as its own', async () => {
	const { credentialStore, requests } = await startFakeServer({
		[OWN_COMPANIES_ROUTE]: {
			data: ['a', 'b'].map((id) => ({ companyResourceId: id, privacyDurationEndTime: '2027-01-01' })),
		},
		[ACCESS_WINDOW_ROUTE]: { data: { privacyDurationEndTime: '2027-05-05' } },
	});
	const { items } = await runNode({
		node: fixture.getNode('Company'),
		credential: credentialStore,
		parameters: { resource: 'company', operation: 'getAccessWindow', companyScope: 'own' },
	});
	expect(getJson(items)).toMatchObject([{ privacyDurationEndTime: '2027-05-05' }]);
	expect(requests.map(({ route }) => route)).toEqual([OWN_COMPANIES_ROUTE, ACCESS_WINDOW_ROUTE]);
});

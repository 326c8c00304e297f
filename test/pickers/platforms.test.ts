/** Tests of pickers' lists on platforms that behave differently from the stand-in. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessExecutiveReport } from '../../nodes/ExecutiveReport/SecurityAwarenessExecutiveReport.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { SecurityAwarenessTargetUser } from '../../nodes/TargetUser/SecurityAwarenessTargetUser.node';
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { callListSearch, callLoadOptions, runNode, type CredentialStore } from '../n8n-core';
import { startFakeServer, closeFakeServers, getJson, type NodeClass } from '../n8n-core/nodeFixture';
import { advanceDate, useSimulatedDate, useSimulatedTimeouts } from '../setup/testClock';

afterEach(closeFakeServers);

const OWN_COMPANY = { companyScope: 'own' };
const listEntries = async (
	node: NodeClass,
	method: string,
	credentialStore: CredentialStore,
	parameters: IDataObject = OWN_COMPANY,
) =>
	(await callListSearch({ node: new node(), credential: credentialStore, method, parameters })).results.map(
		({ name, value }) => [name, value],
	);
const createPage = (...results: IDataObject[]) => ({
	data: { results, totalNumberOfPages: 1, totalNumberOfRecords: results.length },
});

test('campaign jobs are sorted from newest to oldest and show their day, although the platform can only sort by name', async () => {
	const createJob = (phishingCampaignResourceId: string, instanceGroup: number, name: string, createdDate: string) => ({
		phishingCampaignResourceId,
		instanceGroup,
		name,
		createdDate,
	});
	const { credentialStore, requests } = await startFakeServer({
		'POST /api/phishing-simulator/phishing-campaign-job-report/search': createPage(
			createJob('x1', 1, 'Autumn', '2026-09-05T10:00:00Z'),
			createJob('x1', 2, 'Autumn', '2026-09-05T10:00:00Z'),
			createJob('x2', 2, 'Spring', '2026-04-09T10:00:00Z'),
			createJob('x2', 1, 'Spring', '2026-10-05T10:00:00Z'),
		),
	});
	expect(await listEntries(SecurityAwarenessPhishingCampaign, 'searchPhishingJobs', credentialStore)).toEqual([
		['Spring (job 1, 2026-10-05)', 'x2/1'],
		['Autumn (job 2, 2026-09-05)', 'x1/2'],
		['Autumn (job 1, 2026-09-05)', 'x1/1'],
		['Spring (job 2, 2026-04-09)', 'x2/2'],
	]);
	expect(requests.filter(({ route }) => route.includes('search'))).toMatchObject([{ body: { orderBy: 'Name' } }]);
});

test('entries with the same name show the end of their IDs, which is not part of the company name in the output', async () => {
	const child = { companyResourceId: 'c-22222222', companyName: 'Harbour' };
	const parent = { companyResourceId: 'p-11111111', companyName: 'harbour', children: [child] };
	const { credentialStore } = await startFakeServer({
		'POST /api/companies/search': createPage(parent, child, { companyResourceId: 'o', companyName: 'Other' }),
		'POST /api/target-groups/search/current-company': createPage({ resourceId: 'g', name: 'All' }),
	});
	const entries = await listEntries(SecurityAwarenessCompany, 'searchCompanies', credentialStore);
	expect(entries).toEqual([
		['harbour (…11111111)', 'p-11111111'],
		['↳ Harbour (…22222222)', 'c-22222222'],
		['Other', 'o'],
	]);
	const { items } = await runNode({
		node: new SecurityAwarenessTargetGroup(),
		credential: credentialStore,
		parameters: {
			operation: 'getMany',
			companyScope: 'one',
			company: { __rl: true, mode: 'list', value: 'c-22222222', cachedResultName: '↳ Harbour (…22222222)' },
		},
	});
	expect(getJson(items)).toMatchObject([{ companyName: 'Harbour', companyResourceId: 'c-22222222' }]);
});

test('if the platform lacks a list, the values of ten existing companies are offered; if a list fails, the error is shown', async () => {
	const ids = Array.from({ length: 12 }, (_, index) => `c${index}`);
	const companies = Object.fromEntries(
		ids.map((id, index) => [
			`GET /api/companies/${id}`,
			{ data: { countryResourceId: `n${index % 2}`, countryName: index % 2 ? 'Germany' : 'Norway' } },
		]),
	);
	const { credentialStore, requests } = await startFakeServer({
		...companies,
		'POST /api/companies/search': createPage(...ids.map((companyResourceId) => ({ companyResourceId }))),
		'GET /api/timezone/timezones': { status: 403 },
	});
	expect(await listEntries(SecurityAwarenessCompany, 'searchCountries', credentialStore)).toEqual([
		['Germany', 'n1'],
		['Norway', 'n0'],
	]);
	expect(requests.filter(({ route }) => route.startsWith('GET /api/companies/'))).toHaveLength(10);
	await expect(listEntries(SecurityAwarenessCompany, 'searchDateFormats', credentialStore)).rejects.toThrow('(403)');
});

test('a list that is the same for every company can be opened while the company is an expression', async () => {
	const { credentialStore } = await startFakeServer({
		'GET /api/timezone/timezones': { data: { timeZoneList: [{ id: 'Z', displayName: '(UTC) Zone' }] } },
	});
	const company = { __rl: true, mode: 'id', value: '={{ $json.companyResourceId }}' };
	const parameters = { operation: 'create', companyScope: 'one', company };
	expect(await listEntries(SecurityAwarenessTargetUser, 'searchPersonTimeZones', credentialStore, parameters)).toEqual([
		["Customer's Own", 'customersOwn'],
		['(UTC) Zone', 'Z'],
	]);
});

test("'Customer's Own' is rejected if the credential's own company may be any of several, and nothing is sent", async () => {
	const companies = ['a', 'b'].map((resourceId) => ({ resourceId, timeZoneId: 'Asia/Tokyo' }));
	const { credentialStore, requests } = await startFakeServer({ 'GET /api/companies/my': { data: companies } });
	const run = runNode({
		node: new SecurityAwarenessTargetUser(),
		credential: credentialStore,
		parameters: {
			operation: 'create',
			companyScope: 'own',
			email: 'zoe@harbour.example',
			phoneNumber: '+49 30 1234567',
			additionalFields: { timeZoneId: { __rl: true, mode: 'id', value: 'customersOwn' } },
		},
	});
	await expect(run).rejects.toThrow("the platform doesn't say which time zone the credential's own company has");
	expect(requests.map(({ route }) => route)).toEqual(['GET /api/companies/my']);
});

test('a list without any values shows an error and no entry, because an entry could replace the entered value', async () => {
	const { credentialStore } = await startFakeServer({ 'POST /api/companies/search': createPage() });
	for (const method of ['searchCountries', 'searchIndustries', 'searchTimeFormats', 'searchLanguages'])
		await expect(listEntries(SecurityAwarenessCompany, method, credentialStore)).rejects.toThrow(
			/^There is no [a-z ]+ to select$/,
		);
});

test('without metrics, the widgets of the reports are listed', async () => {
	const { credentialStore } = await startFakeServer({
		'POST /api/executive-report/search': { data: [{ resourceId: 'r', name: 'Board' }] },
		'GET /api/executive-report/r': { data: { name: 'Board', widgets: [{ resourceId: 'w', name: 'Clicks' }] } },
	});
	const node = new SecurityAwarenessExecutiveReport();
	const entries = await callLoadOptions({
		node,
		credential: credentialStore,
		method: 'loadWidgets',
		parameters: OWN_COMPANY,
	});
	expect(entries).toEqual([{ name: 'Board: Clicks', value: 'Board: Clicks ⟨ID w⟩' }]);
});

test('training types have words as values if the report takes words, and numbers if it takes numbers', async () => {
	const types = [{ id: 0, name: 'Survey', displayName: 'Survey', enumResults: [{ id: 4, name: 'Path' }] }];
	const { credentialStore } = await startFakeServer({
		'GET /api/training-reports/form-details': { data: { TrainingType: types, UserStatus: [{ id: 9, name: 'No' }] } },
	});
	expect(await listEntries(SecurityAwarenessTrainingReport, 'searchTrainingTypes', credentialStore)).toEqual([
		['Survey', 'Survey'],
		['Path', 'Path'],
	]);
	expect(await listEntries(SecurityAwarenessTrainingReport, 'searchTrainingTypeNumbers', credentialStore)).toEqual([
		['Survey', '0'],
		['Path', '4'],
	]);
});

test('values of the leaderboard that are nested under other values are listed, too', async () => {
	const createValue = (text: string, extraDatas: IDataObject[] = []) => ({
		text,
		value: text.toLowerCase(),
		extraDatas,
	});
	const values = [createValue('Email', [createValue('Phishing', [createValue('Spear')])]), createValue('Voice')];
	const { credentialStore } = await startFakeServer({
		'GET /api/leaderboard/form-details': { data: { gamificationProductTypes: values } },
	});
	const options = { node: new SecurityAwarenessLeaderboard(), credential: credentialStore, parameters: OWN_COMPANY };
	const entries = await callLoadOptions({ ...options, method: 'loadProducts' });
	expect(entries.map(({ name }) => name)).toEqual(['Email', 'Phishing', 'Spear', 'Voice']);
});

test('a list whose first page has no entry that can be selected goes on with the next page', async () => {
	const { credentialStore } = await startFakeServer({
		'POST /api/enrollments/search': ({ body: { pageNumber } }) => ({
			results: [pageNumber === 1 ? { name: 'No ID' } : { enrollmentId: 'e2', name: 'Onboarding' }],
			totalNumberOfPages: 2,
		}),
	});
	const options = {
		node: new SecurityAwarenessEnrollment(),
		credential: credentialStore,
		method: 'searchEnrollments',
		parameters: OWN_COMPANY,
	};
	const firstPage = await callListSearch(options);
	const nextPage = await callListSearch({ ...options, paginationToken: String(firstPage.paginationToken) });
	expect([firstPage.results, nextPage.results.map(({ value }) => value)]).toEqual([[], ['e2']]);
});

test('a record without a name shows its ID; without a count of the pages, the list goes on until all records are read', async () => {
	const { credentialStore } = await startFakeServer({
		'POST /api/target-groups/search/current-company': {
			data: { results: [{ resourceId: 'g9', name: '' }], totalNumberOfRecords: 101 },
		},
	});
	const page = await callListSearch({
		node: new SecurityAwarenessTargetGroup(),
		credential: credentialStore,
		method: 'searchTargetGroups',
		parameters: OWN_COMPANY,
	});
	expect(page).toEqual({ results: [{ name: 'No name (g9)', value: 'g9' }], paginationToken: '2' });
});

test('a list ends with the last page that the platform counts', async () => {
	const { credentialStore } = await startFakeServer({
		'POST /api/enrollments/search': ({ body: { pageNumber } }) => ({
			results: [{ enrollmentId: `e${String(pageNumber)}`, name: 'Onboarding' }],
			totalNumberOfPages: 2,
		}),
	});
	const options = {
		node: new SecurityAwarenessEnrollment(),
		credential: credentialStore,
		method: 'searchEnrollments',
		parameters: OWN_COMPANY,
	};
	const { paginationToken } = await callListSearch(options);
	const lastPage = await callListSearch({ ...options, paginationToken: String(paginationToken) });
	expect([paginationToken, lastPage.results.map(({ value }) => value), lastPage.paginationToken]).toEqual([
		'2',
		['e2'],
		undefined,
	]);
});

describe('a platform that does not respond', () => {
	useSimulatedDate();

	test('a list fails after five attempts of half a minute', async () => {
		useSimulatedTimeouts();
		const { credentialStore, requests } = await startFakeServer(() => advanceDate(30_000));
		const startedAt = Date.now();
		await expect(listEntries(SecurityAwarenessCompany, 'searchCompanies', credentialStore)).rejects.toThrow(
			'did not respond in time',
		);
		expect(Date.now() - startedAt).toBeLessThan(180_000);
		expect(requests).toHaveLength(5);
	});
});

test('a long list shows a thousand entries and a notice that there are more; Search narrows it', async () => {
	const { credentialStore, requests } = await startFakeServer({
		'POST /api/companies/search': ({ body: { pageNumber } }) => ({
			results: Array.from({ length: 100 }, (_, index) => ({
				companyResourceId: `c${String(pageNumber)}-${index}`,
				companyName: `Company ${String(pageNumber)}.${index}`,
			})),
			totalNumberOfPages: 30,
			totalNumberOfRecords: 3000,
		}),
	});
	const options = { node: new SecurityAwarenessCompanyGroup(), credential: credentialStore, method: 'loadCompanies' };
	const entries = await callLoadOptions({ ...options, parameters: { operation: 'create', companySearch: ' Crust ' } });
	expect(entries).toHaveLength(1001);
	expect(entries.at(-1)?.name).toContain('The list has more entries');
	expect(requests[1]?.body).toMatchObject({ filter: { SearchInputTextValue: 'Crust' } });
	expect(requests.length).toBeLessThan(20);
});

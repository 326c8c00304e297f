/** What lists show of platforms that are unlike the stand-in. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessExecutiveReport } from '../../nodes/ExecutiveReport/SecurityAwarenessExecutiveReport.node';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { SecurityAwarenessTargetUser } from '../../nodes/TargetUser/SecurityAwarenessTargetUser.node';
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { callListSearch, callLoadOptions, runNode, type CredentialStore } from '../n8n-core';
import { startFakeServer, closeFakeServers, getJson, type NodeClass } from '../n8n-core/nodeFixture';
import { startSimulatedClock } from '../setup/turnedClock';

afterEach(closeFakeServers);

const OWN = { companyScope: 'own' };
const listed = async (node: NodeClass, method: string, credential: CredentialStore, parameters: IDataObject = OWN) =>
	(await callListSearch({ node: new node(), credential, method, parameters })).results.map(({ name, value }) => [
		name,
		value,
	]);
const paged = (...results: IDataObject[]) => ({
	data: { results, totalNumberOfPages: 1, totalNumberOfRecords: results.length },
});

test('jobs: the newest first, each with its day, although the platform sorts by name only', async () => {
	const job = (phishingCampaignResourceId: string, instanceGroup: number, name: string, createdDate: string) => ({
		phishingCampaignResourceId,
		instanceGroup,
		name,
		createdDate,
	});
	const { store, requests: asked } = await startFakeServer({
		'POST /api/phishing-simulator/phishing-campaign-job-report/search': paged(
			job('x1', 1, 'Autumn', '2026-09-05T10:00:00Z'),
			job('x2', 2, 'Spring', '2026-04-09T10:00:00Z'),
			job('x2', 1, 'Spring', '2026-10-05T10:00:00Z'),
		),
	});
	expect(await listed(SecurityAwarenessPhishingCampaign, 'searchPhishingJobs', store)).toEqual([
		['Spring (job 1, 2026-10-05)', 'x2/1'],
		['Autumn (job 1, 2026-09-05)', 'x1/1'],
		['Spring (job 2, 2026-04-09)', 'x2/2'],
	]);
	expect(asked.filter(({ route }) => route.includes('search'))).toMatchObject([{ body: { orderBy: 'Name' } }]);
});

test('what has one name is told apart, and the name that n8n saves is not taken for the name', async () => {
	const child = { companyResourceId: 'c-22222222', companyName: 'Harbour' };
	const parent = { companyResourceId: 'p-11111111', companyName: 'harbour', children: [child] };
	const { store } = await startFakeServer({
		'POST /api/companies/search': paged(parent, child, { companyResourceId: 'o', companyName: 'Other' }),
		'POST /api/target-groups/search/current-company': paged({ resourceId: 'g', name: 'All' }),
	});
	const shown = await listed(SecurityAwarenessCompany, 'searchCompanies', store);
	expect(shown).toEqual([
		['harbour (…11111111)', 'p-11111111'],
		['↳ Harbour (…22222222)', 'c-22222222'],
		['Other', 'o'],
	]);
	const { items } = await runNode({
		node: new SecurityAwarenessTargetGroup(),
		credential: store,
		parameters: {
			operation: 'getMany',
			companyScope: 'one',
			company: { __rl: true, mode: 'list', value: 'c-22222222', cachedResultName: '↳ Harbour (…22222222)' },
		},
	});
	expect(getJson(items)).toMatchObject([{ companyName: 'Harbour', companyResourceId: 'c-22222222' }]);
});

test('without the lists, a new company is offered what ten existing ones have, and a failing list is told', async () => {
	const ids = Array.from({ length: 12 }, (_, index) => `c${index}`);
	const companies = Object.fromEntries(
		ids.map((id, index) => [
			`GET /api/companies/${id}`,
			{ data: { countryResourceId: `n${index % 2}`, countryName: index % 2 ? 'Germany' : 'Norway' } },
		]),
	);
	const { store, requests: asked } = await startFakeServer({
		...companies,
		'POST /api/companies/search': paged(...ids.map((companyResourceId) => ({ companyResourceId }))),
		'GET /api/timezone/timezones': { status: 403 },
	});
	expect(await listed(SecurityAwarenessCompany, 'searchCountries', store)).toEqual([
		['Germany', 'n1'],
		['Norway', 'n0'],
	]);
	expect(asked.filter(({ route }) => route.startsWith('GET /api/companies/'))).toHaveLength(10);
	await expect(listed(SecurityAwarenessCompany, 'searchDateFormats', store)).rejects.toThrow('(403)');
});

test('what belongs to the platform is listed although the company is only known when the workflow runs', async () => {
	const { store } = await startFakeServer({
		'GET /api/timezone/timezones': { data: { timeZoneList: [{ id: 'Z', displayName: '(UTC) Zone' }] } },
	});
	const company = { __rl: true, mode: 'id', value: '={{ $json.companyResourceId }}' };
	const parameters = { operation: 'create', companyScope: 'one', company };
	expect(await listed(SecurityAwarenessTargetUser, 'searchTimeZones', store, parameters)).toEqual([
		['(UTC) Zone', 'Z'],
	]);
});

test('where nothing is known the list says so, and offers nothing that could replace what is filled in', async () => {
	const { store } = await startFakeServer({ 'POST /api/companies/search': paged() });
	for (const method of ['searchCountries', 'searchIndustries', 'searchTimeFormats', 'searchLanguages'])
		await expect(listed(SecurityAwarenessCompany, method, store)).rejects.toThrow(/^There is no [a-z ]+ to choose$/);
});

test('widgets of the reports, where there are no metrics', async () => {
	const { store } = await startFakeServer({
		'POST /api/executive-report/search': { data: [{ resourceId: 'r', name: 'Board' }] },
		'GET /api/executive-report/r': { data: { name: 'Board', widgets: [{ resourceId: 'w', name: 'Clicks' }] } },
	});
	const node = new SecurityAwarenessExecutiveReport();
	const shown = await callLoadOptions({ node, credential: store, method: 'loadWidgets', parameters: OWN });
	expect(shown).toEqual([{ name: 'Board: Clicks', value: 'Board: Clicks ⟨ID w⟩' }]);
});

test('training types: words where the report takes words, numbers where it takes numbers', async () => {
	const types = [{ id: 0, name: 'Survey', displayName: 'Survey', enumResults: [{ id: 4, name: 'Path' }] }];
	const { store } = await startFakeServer({
		'GET /api/training-reports/form-details': { data: { TrainingType: types, UserStatus: [{ id: 9, name: 'No' }] } },
	});
	expect(await listed(SecurityAwarenessTrainingReport, 'searchTrainingTypes', store)).toEqual([
		['Survey', 'Survey'],
		['Path', 'Path'],
	]);
	expect(await listed(SecurityAwarenessTrainingReport, 'searchTrainingTypeNumbers', store)).toEqual([
		['Survey', '0'],
		['Path', '4'],
	]);
});

test('a list ends where the service says so', async () => {
	const { store } = await startFakeServer({
		'POST /api/enrollments/search': ({ body: { pageNumber } }) => ({
			results: [{ enrollmentId: `e${String(pageNumber)}`, name: 'Onboarding' }],
			totalNumberOfPages: 2,
		}),
	});
	const options = {
		node: new SecurityAwarenessEnrollment(),
		credential: store,
		method: 'searchEnrollments',
		parameters: OWN,
	};
	const { paginationToken } = await callListSearch(options);
	const last = await callListSearch({ ...options, paginationToken: String(paginationToken) });
	expect([paginationToken, last.results.map(({ value }) => value), last.paginationToken]).toEqual([
		'2',
		['e2'],
		undefined,
	]);
});

test('a list that is not answered is given up after five tries of half a minute', async () => {
	const { store, requests } = await startFakeServer(() => undefined);
	const stop = startSimulatedClock();
	const begun = Date.now();
	await expect(listed(SecurityAwarenessCompany, 'searchCompanies', store)).rejects.toThrow('did not answer in time');
	expect(stop() - begun).toBeLessThan(180_000);
	expect(requests).toHaveLength(5);
});

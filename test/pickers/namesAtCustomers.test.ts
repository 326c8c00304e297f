/** Tests of where a name in a resource locator is looked up: at the customer of the input item, for jobs, for people, and in the editor. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { toIdLocator } from '../cases';
import { createOperationFixture } from '../cases/operationFixture';
import { callListSearch, runNode } from '../n8n-core';
import { catchNodeError, getJson, requireValue, toItems } from '../n8n-core/nodeFixture';

const fixture = createOperationFixture('deployed');
const getCompany = (index: number) => requireValue(fixture.standIn.world.companies[index]);
const getData = (index: number) => fixture.standIn.world.getCompanyData(getCompany(index).companyResourceId);
const getGroup = (index: number, groupIndex = 0) => requireValue(getData(index).targetGroups[groupIndex]);
const getCampaign = (campaignIndex: number) => requireValue(getData(1).getCampaigns('phishing')[campaignIndex]);

const toLocator = (mode: string, value: string) => ({ __rl: true, mode, value });
const selectCompany = (index: number): IDataObject => ({
	companyScope: 'one',
	company: toIdLocator(getCompany(index).companyResourceId),
});
const COMPANY_OF_ITEM = { companyScope: 'one', company: toLocator('name', '={{ $json.customer }}') };
const createItems = (...indices: number[]) =>
	toItems(...indices.map((index) => ({ customer: requireValue(getCompany(index).companyName) })));

const run = async (folder: string, parameters: IDataObject, items = createItems(1)) =>
	runNode({ node: fixture.getNode(folder), credential: fixture.credential, parameters, items });
const jobPageSchema = z
	.object({ data: z.object({ results: z.array(z.custom<IDataObject>()) }).passthrough() })
	.passthrough();
const countRequests = (route: string) => fixture.standIn.getRequests(route).length;

describe('a name is looked up at the customer of each item', () => {
	const UPDATE_ROUTE = 'PUT /api/target-groups/{resourceId}';
	const form = {
		operation: 'update',
		...COMPANY_OF_ITEM,
		targetGroup: toLocator('name', 'new hires'),
		additionalFields: { priority: 'High' },
	};

	test('each customer gets its own record', async () => {
		for (const index of [1, 2]) getGroup(index).name = 'New Hires';
		await run('TargetGroup', form, createItems(1, 2));
		const paths = fixture.standIn.getRequests(UPDATE_ROUTE).map(({ path }) => path.split('/').at(-1));
		expect(paths).toEqual([1, 2].map((index) => getGroup(index).resourceId));
	});

	test('if one customer lacks the name, nothing is changed, and the error has the name, the customer and what there is', async () => {
		getGroup(1).name = 'New Hires';
		const { message, description } = await catchNodeError(run('TargetGroup', form, createItems(1, 2)));
		expect(message).toContain(
			`'Target Group' is 'new hires', but no target group at '${getCompany(2).companyName}' has that name`,
		);
		expect(description).toContain(`The list contains: ${getGroup(2).name}`);
		expect(fixture.standIn.getRequests(UPDATE_ROUTE)).toEqual([]);
	});

	test('if the company is not a customer, the error asks that first, and says nothing about names', async () => {
		const parameters = { ...form, companyScope: 'one', company: toIdLocator('nope123') };
		const error = await catchNodeError(run('TargetGroup', parameters));
		expect(error.message).toBe(
			"'Target Group' is 'new hires', but the platform's list of target groups at 'nope123' can't be read: the platform refused access (403)",
		);
		expect(error.description).toMatch(/^Is this one of your customers\? /);
		expect(error.description).toContain('enter the ID instead of the name');
		expect(fixture.standIn.getRequests(UPDATE_ROUTE)).toEqual([]);
	});

	test('if the platform has no such list, the error says so', async () => {
		const fault = { kind: 'status', status: 404, times: Infinity } as const;
		fixture.standIn.addFault({ route: 'POST /api/target-groups/search/current-company', ...fault });
		const error = await catchNodeError(run('TargetGroup', form));
		expect(error.message).toBe(
			`'Target Group' is 'new hires', but the platform has no list of target groups at '${getCompany(1).companyName}' to look up names in`,
		);
		expect(error.description).toBe('Enter the ID instead.');
	});
});

describe('an email address', () => {
	const READ_ROUTE = 'GET /api/target-users/{resourceId}';
	const SEARCH_ROUTE = 'POST /api/target-users/search';
	const createForm = (email: string): IDataObject => ({
		operation: 'get',
		...selectCompany(1),
		targetUser: toLocator('name', email),
	});

	test('is the name of a person, and only that person is searched for', async () => {
		const person = requireValue(getData(1).users[3]);
		await run('TargetUser', createForm(` ${person.email.toUpperCase()} `));
		const [search, ...otherSearches] = fixture.standIn.getRequests(SEARCH_ROUTE);
		expect(otherSearches).toEqual([]);
		expect(search?.body).toMatchObject({ filter: { SearchInputTextValue: person.email.toUpperCase() } });
		expect(fixture.standIn.getRequests(READ_ROUTE)[0]?.path).toContain(person.resourceId);
	});

	test('with another accent is another address', async () => {
		requireValue(getData(1).users[3]).email = 'jose@harbour.example';
		const { message } = await catchNodeError(run('TargetUser', createForm('josé@harbour.example')));
		expect(message).toContain("is 'josé@harbour.example', but no target user at");
	});

	test('is not found if the platform masks addresses, and the error says so', async () => {
		for (const user of getData(1).users) user.email = 'a****m';
		const { description } = await catchNodeError(run('TargetUser', createForm('ada@harbour.example')));
		expect(description).toContain("The platform masks the names in this list, so they can't be looked up.");
	});
});

test('an ID in a usual format is used without a search; any other text By ID may be a name, or is sent as an ID', async () => {
	const { resourceId } = getGroup(1);
	getGroup(1).name = 'Everybody';
	const searchRoute = 'POST /api/target-groups/search/current-company';
	const createForm = (text: string): IDataObject => ({
		operation: 'get',
		...selectCompany(1),
		targetGroup: toIdLocator(text),
	});
	await run('TargetGroup', createForm(resourceId));
	expect(countRequests(searchRoute)).toBe(0);
	const getReadPath = () => fixture.standIn.getRequests('GET /api/target-groups/{resourceId}').at(-1)?.path;
	await run('TargetGroup', createForm('everybody'));
	expect(getReadPath()).toContain(resourceId);
	expect((await catchNodeError(run('TargetGroup', createForm('group-1')))).message).toContain('(404)');
	expect(getReadPath()).toContain('/group-1');
	const { message } = await catchNodeError(run('TargetGroup', createForm('All Staff')));
	expect(message).toContain("'Target Group' is 'All Staff', but no target group at");
});

describe('a campaign job', () => {
	const SUMMARY_ROUTE = 'GET /api/phishing-simulator/phishing-campaign-job-report/summary/{resourceId}/{instanceGroup}';
	const STOP_ROUTE = 'PATCH /api/phishing-simulator/phishing-campaign-job/stop/{resourceId}/{instanceGroup}';
	const createForm = (mode: string, text: string, operation = 'getSummary'): IDataObject => ({
		resource: 'campaignJob',
		operation,
		...selectCompany(1),
		job: toLocator(mode, text),
	});
	const getSummaryPath = () => requireValue(fixture.standIn.getRequests(SUMMARY_ROUTE).at(-1)).path;
	beforeEach(() => {
		Object.assign(getCampaign(0), {
			name: 'Q3 Überraschung',
			createTime: '2026-07-01T09:00:00.000Z',
			instanceGroups: [1, 2, 3],
		});
	});

	test('Latest Job: is the newest job of the campaign with this name', async () => {
		await run('PhishingCampaign', createForm('latest', 'q3 uberraschung'));
		expect(getSummaryPath()).toContain(`${getCampaign(0).resourceId}/3`);
	});

	/** Changes the rows of the campaign's jobs before the stand-in sends them. */
	const changeJobRows = (changeRow: (row: IDataObject) => IDataObject) =>
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }): unknown => {
				if (!route.endsWith('job-report/search')) return envelope;
				const page = jobPageSchema.parse(envelope);
				const results = page.data.results.map((row) =>
					row.phishingCampaignResourceId === getCampaign(0).resourceId ? changeRow(row) : row,
				);
				return { ...page, data: { ...page.data, results } };
			},
		});
	const stopLatestJob = async () =>
		run('PhishingCampaign', createForm('latest', 'Q3 Überraschung', 'stop')).finally(() =>
			fixture.standIn.setOptions({ transformEnvelope: undefined }),
		);

	test('Latest Job: without the start of every job, the job that was created last is the newest', async () => {
		const creationDays = ['', '2026-07-02', '2026-07-09', '2026-07-05'];
		changeJobRows((row) => ({
			...row,
			startDate: row.instanceGroup === 2 ? null : '2026-07-20T09:00:00Z',
			createdDate: `${creationDays[Number(row.instanceGroup)]}T09:00:00Z`,
		}));
		await stopLatestJob();
		expect(requireValue(fixture.standIn.getRequests(STOP_ROUTE)[0]).path).toContain(`${getCampaign(0).resourceId}/2`);
	});

	test.each<[situation: string, changeRow: (row: IDataObject) => IDataObject]>([
		[
			'one job has no date',
			(row) => (row.instanceGroup === 2 ? { ...row, startDate: null, sentTime: null, createdDate: null } : row),
		],
		['no job has a date', (row) => ({ ...row, startDate: null, sentTime: null, createdDate: null })],
		[
			'all jobs have the same date',
			(row) => ({ ...row, startDate: '2026-07-02T09:00:00Z', createdDate: '2026-07-02T09:00:00Z' }),
		],
	])('Latest Job: if %s, no job is stopped, and the error shows the jobs', async (_situation, changeRow) => {
		changeJobRows(changeRow);
		const error = await catchNodeError(stopLatestJob());
		expect(error.message).toBe(
			"'Campaign Job' is the latest job of 'Q3 Überraschung', but the platform doesn't show which of its 3 jobs is the newest",
		);
		for (const group of [1, 2, 3]) expect(error.description).toContain(`(${getCampaign(0).resourceId}/${group})`);
		expect(countRequests(STOP_ROUTE)).toBe(0);
	});

	test('Latest Job: two campaigns with this name are an error that shows a job of each', async () => {
		getCampaign(1).name = 'Q3 Überraschung';
		const error = await catchNodeError(run('PhishingCampaign', createForm('latest', 'Q3 Überraschung')));
		expect(error.message).toMatch(/'Campaign Job' is 'Q3 Überraschung', but 2 campaigns at '.+' have that name/);
		expect(error.description).toContain(`(${getCampaign(0).resourceId}/3)`);
		expect(error.description).toContain(`(${getCampaign(1).resourceId}/`);
	});

	test('Latest Job: an unknown name is an error that shows the campaigns', async () => {
		const error = await catchNodeError(run('PhishingCampaign', createForm('latest', 'Q4')));
		expect(error.message).toMatch(/'Campaign Job' is 'Q4', but no started campaign at '.+' has that name/);
		expect(error.description).toContain('Q3 Überraschung');
	});

	test('Latest Job: an incomplete list of jobs is an error, also if the operation only reads', async () => {
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }): unknown =>
				route.endsWith('job-report/search')
					? JSON.parse(JSON.stringify(envelope).replace(/"totalNumberOfRecords":\d+/, '"totalNumberOfRecords":99'))
					: envelope,
		});
		const reading = run('PhishingCampaign', createForm('latest', 'Q3 Überraschung'));
		const { message } = await catchNodeError(reading).finally(() =>
			fixture.standIn.setOptions({ transformEnvelope: undefined }),
		);
		expect(message).toMatch(/but the platform did not list all jobs at '.+', so a newer one may be missing/);
		expect(countRequests(SUMMARY_ROUTE)).toBe(0);
	});

	test('By Name and Date: is the job of that day', async () => {
		await run('PhishingCampaign', createForm('name', 'Q3 Überraschung 2026-07-03'));
		expect(getSummaryPath()).toContain(`${getCampaign(0).resourceId}/2`);
		const error = await catchNodeError(run('PhishingCampaign', createForm('name', 'Q3 Überraschung', 'stop')));
		expect(error.message).toMatch(/is 'Q3 Überraschung', but no campaign job at '.+' has that name/);
		expect(error.description).toContain('Q3 Überraschung 2026-07-04');
		expect(countRequests(STOP_ROUTE)).toBe(0);
	});

	test('By ID: the ID of a campaign without the number of the job is rejected before any request', async () => {
		fixture.standIn.clearLog();
		const { message } = await catchNodeError(run('PhishingCampaign', createForm('id', getCampaign(0).resourceId)));
		expect(message).toContain("'Campaign Job' must be the ID of a campaign, a slash and the number of the job");
		expect(fixture.requests).toEqual([]);
	});
});

describe('in the editor, a list that depends on a named record is opened', () => {
	const openList = async (folder: string, method: string, parameters: IDataObject) =>
		callListSearch({
			node: fixture.getNode(folder),
			credential: fixture.credential,
			method,
			parameters: { ...selectCompany(1), ...parameters },
		});

	test('the people of an enrollment', async () => {
		const { name } = requireValue(getData(1).enrollments[0]);
		const form = { resource: 'enrolledUser', operation: 'getInteractions' };
		const openPeople = async (enrollment: string) =>
			openList('TrainingReport', 'searchEnrolledUsers', { ...form, enrollment: toLocator('name', enrollment) });
		expect((await openPeople(name)).results.length).toBeGreaterThan(0);
		expect((await catchNodeError(openPeople('Nothing'))).message).toMatch(
			/^'Enrollment' is 'Nothing', but no enrollment at '.+' has that name/,
		);
	});

	test('the people of the latest job of a campaign', async () => {
		const form = { resource: 'result', operation: 'getClicked', job: toLocator('latest', getCampaign(0).name) };
		const { results } = await openList('PhishingCampaign', 'searchPhishingPeople', form);
		expect(results.length).toBeGreaterThan(0);
	});
});

describe('a value of a list, such as a country', () => {
	test('can be entered by its name; an unknown value By ID is sent as it is', async () => {
		const { companyResourceId } = getCompany(1);
		const createForm = (country: unknown, status: unknown): IDataObject => ({
			operation: 'update',
			company: toIdLocator(companyResourceId),
			additionalFields: { country, status },
		});
		const fetchCountries = async () => fixture.customer.fetchList('GET /api/codetypes');
		expect((await fetchCountries()).length).toBeGreaterThan(0);
		const { results } = await callListSearch({
			node: fixture.getNode('Company'),
			credential: fixture.credential,
			method: 'searchCountries',
			parameters: createForm('', ''),
		});
		const { name, value } = requireValue(results[1]);
		const getSentCountry = () =>
			JSON.stringify(fixture.requests.filter(({ method }) => method === 'PUT').at(-1)?.body ?? {});
		for (const country of [toLocator('name', name.toLowerCase()), toLocator('id', name), name]) {
			await run('Company', createForm(country, 'Active'));
			expect(getSentCountry()).toContain(`"${value}"`);
		}
		await run('Company', createForm(toLocator('id', 'country-77'), '1'));
		expect(getSentCountry()).toContain('"country-77"');
		const wrongName = run('Company', createForm(toLocator('name', 'Atlantis'), 'Active'));
		expect((await catchNodeError(wrongName)).message).toMatch(
			/'Country'.* is 'Atlantis', but no country has that name/,
		);
		const wrongStatus = run('Company', createForm(value, 'Sleeping'));
		expect((await catchNodeError(wrongStatus)).message).toMatch(
			/'Status'.* is 'Sleeping', but no status has that name/,
		);
	});
});

test('a new hire gets a training, and only names are entered', async () => {
	getGroup(1).name = 'New Hires';
	const email = 'nathan@harbour.example';
	const training = requireValue(getData(1).trainings[0]);
	await run('TargetUser', { operation: 'create', ...COMPANY_OF_ITEM, email, phoneNumber: '+4930123456' });
	await run('TargetGroup', {
		resource: 'member',
		operation: 'add',
		...COMPANY_OF_ITEM,
		targetGroup: toLocator('name', 'New Hires'),
		people: [email],
	});
	const enrollmentForm = { ...COMPANY_OF_ITEM, training: toLocator('name', training.trainingName), name: 'Welcome' };
	await run('Enrollment', { operation: 'create', ...enrollmentForm, targetGroups: ['New Hires'] });
	const { items } = await run('Enrollment', {
		operation: 'sendToPeople',
		...enrollmentForm,
		people: [email],
		priority: toIdLocator('Medium'),
	});
	expect(getJson(items)[0]).toMatchObject({ name: 'Welcome' });
	const person = requireValue(getData(1).users.find((user) => user.email === email));
	expect(getGroup(1).userResourceIds).toContain(person.resourceId);
	expect(fixture.standIn.getRequests('POST /api/enrollments').map(({ body }) => body)).toMatchObject([
		{ trainingId: training.trainingId, targetGroupResourceIds: [getGroup(1).resourceId] },
		{ trainingId: training.trainingId },
	]);
});

/** Tests of entries that the user selected from one customer's list, although the node then runs for other customers. */
import type { IDataObject, INodeExecutionData, OnError } from 'n8n-workflow';
import { toIdLocator } from '../cases';
import { createOperationFixture } from '../cases/operationFixture';
import { callListSearch, callLoadOptions, runNode } from '../n8n-core';
import {
	startFakeServer,
	closeFakeServers,
	parseFailedItem,
	catchNodeError,
	isFailedItem,
	toItems,
	requireValue,
	createIndexRecords,
} from '../n8n-core/nodeFixture';
import { getCompanyRoleId } from '../stand-in/companyData';
import { getScenarioId } from '../stand-in/deployed/launch';
import { readEntryId } from './expectedLists';

const GROUPS_ROUTE = 'POST /api/target-groups/search/current-company';
const CREATE_CAMPAIGN_ROUTE = 'POST /api/phishing-simulator/phishing-campaign';
const ENROLL_ROUTE = 'POST /api/enrollments';
const fixture = createOperationFixture('deployed');
afterEach(closeFakeServers);
const getCompany = (index: number) => requireValue(fixture.standIn.world.companies[index]);
const getCompanyId = (index: number) => getCompany(index).companyResourceId;
const getData = (index: number) => fixture.standIn.world.getCompanyData(getCompanyId(index));
const getGroup = (index: number, groupIndex = 0) => requireValue(getData(index).targetGroups[groupIndex]);
const createCustomerItems = (...indices: number[]): INodeExecutionData[] =>
	toItems(...indices.map((index) => ({ id: getCompanyId(index), customer: getCompany(index).companyName })));

/** The values of the form fields that select the company whose ID is in the input item. */
const COMPANY_OF_ITEM = { companyScope: 'one', company: toIdLocator('={{ $json.id }}') };

interface RunOptions {
	items?: INodeExecutionData[];
	onError?: OnError;
}
const run = async (folder: string, parameters: IDataObject, options: RunOptions = {}) =>
	runNode({ node: fixture.getNode(folder), credential: fixture.credential, parameters, ...options });

/** Opens a multi-select list for one customer. @returns the values that the editor saves if the user selects the entries with these names */
async function selectEntries(
	folder: string,
	method: string,
	companyIndex: number,
	names: string[],
	form: IDataObject = {},
) {
	const parameters = { companyScope: 'one', company: toIdLocator(getCompanyId(companyIndex)), ...form };
	const entries = await callLoadOptions({
		node: fixture.getNode(folder),
		credential: fixture.credential,
		method,
		parameters,
	});
	return names.map((name) => String(requireValue(entries.find((entry) => entry.name === name)).value));
}

/** Opens a resource locator's list for one customer. @returns the value that the editor saves if the user selects the entry with this name */
async function selectEntry(folder: string, method: string, companyIndex: number, name: string, form: IDataObject = {}) {
	const parameters = { companyScope: 'one', company: toIdLocator(getCompanyId(companyIndex)), ...form };
	const options = { node: fixture.getNode(folder), credential: fixture.credential, method, parameters };
	const { results } = await callListSearch(options);
	const entry = requireValue(results.find((result) => result.name === name));
	return { __rl: true, mode: 'list', value: entry.value, cachedResultName: entry.name };
}

const getOwnTrainingId = (index: number) =>
	requireValue(getData(index).trainings.find(({ trainingName }) => trainingName === 'House Rules')).trainingId;

const listRequestsTo = (route: string) =>
	fixture.standIn.getRequests(route).map(({ companyId, body }) => ({ companyId, body: body as IDataObject }));

describe('a campaign at three customers, with entries selected from the list of the first one', () => {
	beforeEach(() => {
		for (const index of [1, 2, 3]) getGroup(index).name = 'Everybody';
	});

	const createCampaignForm = async (changedFields: IDataObject = {}): Promise<IDataObject> => ({
		operation: 'createAndStart',
		...COMPANY_OF_ITEM,
		name: 'Parcel notice',
		scenarios: await selectEntries('PhishingCampaign', 'loadPhishingScenarios', 1, ['Own Template']),
		targetGroups: await selectEntries('PhishingCampaign', 'loadTargetGroups', 1, ['Everybody']),
		...changedFields,
	});

	test('each customer gets its own group and scenario, and each list is read once', async () => {
		const parameters = await createCampaignForm();
		fixture.standIn.clearLog();
		await run('PhishingCampaign', parameters, { items: createCustomerItems(1, 2, 3, 1) });
		expect(
			listRequestsTo(CREATE_CAMPAIGN_ROUTE).map(({ companyId, body }) => [
				companyId,
				body.phishingScenarioResourceIds,
				body.targetGroupResourceIds,
			]),
		).toEqual(
			[1, 2, 3, 1].map((index) => [
				getCompanyId(index),
				[getScenarioId('phishing', 'Own Template', getCompanyId(index))],
				[getGroup(index).resourceId],
			]),
		);
		expect(fixture.standIn.getRequests(GROUPS_ROUTE)).toHaveLength(3);
	});

	test('if the last item has a wrong name, no campaign is created, and the error has the name and the customer', async () => {
		const parameters = await createCampaignForm();
		getGroup(3).name = 'All Staff';
		const failure = await catchNodeError(run('PhishingCampaign', parameters, { items: createCustomerItems(1, 2, 3) }));
		expect(failure.message).toBe(
			`'Target Group Names or IDs' has 'Everybody', which was selected from the list of '${getCompanyId(1)}', but no target group at '${getCompanyId(3)}' has that name [item 3 of 3]`,
		);
		expect(failure.description).toContain('The list contains: All Staff');
		expect(listRequestsTo(CREATE_CAMPAIGN_ROUTE)).toEqual([]);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'with %s, only that item fails, and its position is kept',
		async (onError) => {
			const parameters = await createCampaignForm();
			getGroup(2).name = 'All Staff';
			const { items, errorItems = [] } = await run('PhishingCampaign', parameters, {
				items: createCustomerItems(1, 2, 3),
				onError,
			});
			const failedItems = [...items, ...errorItems].filter(isFailedItem);
			expect(failedItems).toHaveLength(1);
			expect(parseFailedItem(failedItems[0]).message).toContain("has 'Everybody'");
			expect(failedItems[0]?.pairedItem).toEqual({ item: 1 });
			expect(listRequestsTo(CREATE_CAMPAIGN_ROUTE).map(({ companyId }) => companyId)).toEqual([
				getCompanyId(1),
				getCompanyId(3),
			]);
		},
	);

	test('two groups with the same name at one customer are an error with both IDs', async () => {
		const parameters = await createCampaignForm();
		getGroup(2, 1).name = 'Everybody';
		const { description, message } = await catchNodeError(
			run('PhishingCampaign', parameters, { items: createCustomerItems(1, 2) }),
		);
		expect(message).toContain(`but 2 target groups at '${getCompanyId(2)}' have that name`);
		for (const groupIndex of [0, 1]) expect(description).toContain(`Everybody (${getGroup(2, groupIndex).resourceId})`);
		expect(listRequestsTo(CREATE_CAMPAIGN_ROUTE)).toEqual([]);
	});

	test('after a rename, the entry still means the same group at its own customer', async () => {
		const parameters = await createCampaignForm();
		getGroup(1).name = 'Renamed';
		getGroup(1, 1).name = 'Everybody';
		await run('PhishingCampaign', parameters, { items: createCustomerItems(1) });
		expect(listRequestsTo(CREATE_CAMPAIGN_ROUTE)[0]?.body.targetGroupResourceIds).toEqual([getGroup(1).resourceId]);
	});

	test('IDs and names from an expression can be combined with selected entries', async () => {
		const [entry = ''] = await selectEntries('PhishingCampaign', 'loadTargetGroups', 1, ['Everybody']);
		const otherGroups = [getGroup(1, 1).resourceId, getGroup(1, 2).name];
		await run('PhishingCampaign', await createCampaignForm({ targetGroups: [entry, ...otherGroups] }), {
			items: createCustomerItems(1),
		});
		expect(listRequestsTo(CREATE_CAMPAIGN_ROUTE)[0]?.body.targetGroupResourceIds).toEqual(
			[0, 1, 2].map((groupIndex) => getGroup(1, groupIndex).resourceId),
		);
	});

	test('if the company is fixed, nothing is looked up', async () => {
		const parameters = await createCampaignForm({ company: toIdLocator(getCompanyId(1)) });
		fixture.standIn.clearLog();
		await run('PhishingCampaign', parameters);
		expect(fixture.standIn.getRequests(GROUPS_ROUTE)).toEqual([]);
		expect(listRequestsTo(CREATE_CAMPAIGN_ROUTE)[0]?.body.targetGroupResourceIds).toEqual([getGroup(1).resourceId]);
	});

	test('if the list cannot be read, the selected ID is sent unchanged', async () => {
		const parameters = await createCampaignForm();
		fixture.standIn.addFault({ route: GROUPS_ROUTE, kind: 'forbidden-company', times: Infinity });
		await run('PhishingCampaign', parameters, { items: createCustomerItems(1) });
		expect(listRequestsTo(CREATE_CAMPAIGN_ROUTE)[0]?.body.targetGroupResourceIds).toEqual([getGroup(1).resourceId]);
	});

	test('a list that fails once is read again for the next item', async () => {
		const parameters = await createCampaignForm({ targetGroups: ['Everybody'] });
		fixture.standIn.addFault({ route: GROUPS_ROUTE, kind: 'status-500', times: 5 });
		const items = createCustomerItems(...createIndexRecords(12).map(() => 1));
		const { items: output } = await run('PhishingCampaign', parameters, { items, onError: 'continueRegularOutput' });
		expect(output.some(isFailedItem)).toBe(true);
		expect(requireValue(output.at(-1)).json.result).toBe('started');
	});
});

describe('an entry of a resource locator', () => {
	test('is found by its name at other customers, as the entries of a multi-select list are', async () => {
		for (const index of [1, 2]) getGroup(index).name = 'Everybody';
		const training = await selectEntry('Enrollment', 'searchTrainings', 1, 'House Rules');
		const targetGroups = await selectEntries('Enrollment', 'loadTargetGroups', 1, ['Everybody']);
		const form = { operation: 'create', ...COMPANY_OF_ITEM, name: 'Spring', training, targetGroups };
		await run('Enrollment', form, { items: createCustomerItems(1, 2) });
		expect(listRequestsTo(ENROLL_ROUTE).map(({ body }) => [body.trainingId, body.targetGroupResourceIds])).toEqual(
			[1, 2].map((index) => [getOwnTrainingId(index), [getGroup(index).resourceId]]),
		);
	});

	test('is found by its name inside Additional Fields', async () => {
		const defaultRole = await selectEntry('SamlSetting', 'searchRoles', 1, 'Company Admin');
		expect(defaultRole.value).toBe(getCompanyRoleId(getCompanyId(1), 'Company Admin'));
		const setting = {
			name: 'Entra',
			ssoTargetUrl: 'https://a.example/sso',
			idpEntityId: 'https://a.example/id',
			domains: 'a.example',
			metadataFrom: 'text',
			metadataXml: '<EntityDescriptor/>',
		};
		const form = { operation: 'create', ...COMPANY_OF_ITEM, ...setting, additionalFields: { defaultRole } };
		await run('SamlSetting', form, { items: createCustomerItems(1, 2) });
		for (const index of [1, 2]) {
			const [setting] = getData(index).samlSettings;
			expect(Object.values(requireValue(setting).requestBody)).toContain(
				getCompanyRoleId(getCompanyId(index), 'Company Admin'),
			);
		}
		// A saved name that begins with "=" is evaluated by n8n, so the node doesn't look it up. It sends the selected ID unchanged.
		const expressionEntry = { ...defaultRole, cachedResultName: "={{ 'Company Admin' }}" };
		await run(
			'SamlSetting',
			{ ...form, additionalFields: { defaultRole: expressionEntry } },
			{ items: createCustomerItems(3) },
		);
		expect(Object.values(requireValue(getData(3).samlSettings[0]).requestBody)).toContain(defaultRole.value);
	});

	test('is found by its name inside rows', async () => {
		const fields = ['Cost Center', 'Badge'].map((name) => ({ resourceId: `${name}-1`, name }));
		const { credentialStore, requests } = await startFakeServer({
			'GET /api/custom-fields/company': ({ companyId: id }) =>
				fields.map(({ name }) => ({ resourceId: `${name}-${String(id)}`, name })),
			'POST /api/target-users': () => ({ resourceId: 'p1' }),
		});
		const createRow = (name: string) => ({
			customField: { __rl: true, mode: 'list', value: `${name}-c1`, cachedResultName: name },
			value: '={{ $json.id }}',
		});
		await runNode({
			node: fixture.getNode('TargetUser'),
			credential: credentialStore,
			items: toItems({ id: 'c1' }, { id: 'c2' }),
			parameters: {
				operation: 'create',
				...COMPANY_OF_ITEM,
				email: 'ada@example.com',
				phoneNumber: '+4930123456',
				additionalFields: { customFields: { rows: [createRow('Badge'), createRow('Cost Center')] } },
			},
		});
		const sentFields = requests
			.filter(({ route }) => route === 'POST /api/target-users')
			.map(({ body }) => body.customFields);
		expect(sentFields).toEqual(
			['c1', 'c2'].map((id) => ['Badge', 'Cost Center'].map((name) => ({ resourceId: `${name}-${id}`, value: id }))),
		);
	});

	test('is an error before the request if the customer does not have it', async () => {
		const enrollment = await selectEntry(
			'Enrollment',
			'searchEnrollments',
			1,
			requireValue(getData(1).enrollments[0]).name,
		);
		requireValue(getData(1).enrollments[0]).name = 'Only Here';
		for (const { name } of getData(2).enrollments) expect(name).not.toBe('Only Here');
		const form = {
			operation: 'delete',
			...COMPANY_OF_ITEM,
			enrollment: { ...enrollment, cachedResultName: 'Only Here' },
		};
		const failure = await catchNodeError(run('Enrollment', form, { items: createCustomerItems(1, 2) }));
		expect(failure.message).toMatch(/^'Enrollment' is 'Only Here', which was selected from the list of '.*', but no/);
		expect(fixture.requests.filter(({ route }) => route.startsWith('DELETE'))).toEqual([]);
	});

	test('is looked up in the list of the enrollment that was found by name', async () => {
		const firstEnrollment = requireValue(getData(1).enrollments[0]);
		const secondEnrollment = requireValue(getData(2).enrollments[0]);
		firstEnrollment.name = 'Spring';
		secondEnrollment.name = 'Spring';
		const enrollment = await selectEntry('TrainingReport', 'searchEnrollments', 1, 'Spring');
		const users = await callListSearch({
			node: fixture.getNode('TrainingReport'),
			credential: fixture.credential,
			method: 'searchEnrolledUsers',
			parameters: {
				companyScope: 'one',
				resource: 'enrolledUser',
				operation: 'getInteractions',
				company: toIdLocator(getCompanyId(1)),
				enrollment: toIdLocator(String(enrollment.value)),
			},
		});
		const user = requireValue(users.results[0]);
		const targetUser = { __rl: true, mode: 'list', value: user.value, cachedResultName: user.name };
		const form = {
			resource: 'enrolledUser',
			operation: 'getInteractions',
			...COMPANY_OF_ITEM,
			enrollment,
			targetUser,
		};
		await run('TrainingReport', form, { items: createCustomerItems(1) });
		const otherCustomerError = await catchNodeError(run('TrainingReport', form, { items: createCustomerItems(2) }));
		expect(otherCustomerError.message).toContain(
			`'Target User' is '${user.name}', which was selected from another customer's list`,
		);
		expect(fixture.requests.at(-1)?.path).toContain(secondEnrollment.resourceId);
	});
});

test('the editor saves an entry with ID and name as a text that people can read', async () => {
	getGroup(1).name = 'Sales, EMEA (north)';
	const [entry = ''] = await selectEntries('Enrollment', 'loadTargetGroups', 1, ['Sales, EMEA (north)']);
	expect(entry).toBe(`Sales, EMEA (north) ⟨ID ${getGroup(1).resourceId}⟩`);
	expect(readEntryId(entry)).toBe(getGroup(1).resourceId);
	// A single entry in an expression is not split at its comma.
	const training = toIdLocator(requireValue(getData(1).trainings[0]).trainingId);
	const form = {
		operation: 'create',
		companyScope: 'one',
		company: toIdLocator(getCompanyId(1)),
		name: 'Spring',
		training,
	};
	await run('Enrollment', { ...form, targetGroups: `={{ ${JSON.stringify(entry)} }}` });
	expect(listRequestsTo(ENROLL_ROUTE)[0]?.body.targetGroupResourceIds).toEqual([getGroup(1).resourceId]);
});

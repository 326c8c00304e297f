/** Choices that were made from the list of one customer, in a node that then runs for others; and what is checked before the first write. */
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
	getJson,
	requireValue,
	createIndexRecords,
} from '../n8n-core/nodeFixture';
import { getCompanyRoleId } from '../stand-in/holdings';
import { getScenarioId } from '../stand-in/deployed/launch';
import { readEntryId } from './table';

const GROUPS = 'POST /api/target-groups/search/current-company';
const CREATE = 'POST /api/phishing-simulator/phishing-campaign';
const ENROLL = 'POST /api/enrollments';
const g = createOperationFixture('deployed');
afterEach(closeFakeServers);
const company = (index: number) => requireValue(g.standIn.state.companies[index]);
const idOf = (index: number) => company(index).companyResourceId;
const holdings = (index: number) => g.standIn.state.getCompanyData(idOf(index));
const group = (index: number, at = 0) => requireValue(holdings(index).targetGroups[at]);
const customers = (...indices: number[]): INodeExecutionData[] =>
	toItems(...indices.map((index) => ({ id: idOf(index), customer: company(index).companyName })));

/** An expression for the company of each item. */
const OF_ITEM = { companyScope: 'one', company: toIdLocator('={{ $json.id }}') };

interface More {
	items?: INodeExecutionData[];
	onError?: OnError;
}
const run = async (folder: string, parameters: IDataObject, more: More = {}) =>
	runNode({ node: g.getNode(folder), credential: g.credential, parameters, ...more });

/** Opens a list for one customer. @returns the values that the editor saves for its entries with these names */
async function chooseSeveral(folder: string, method: string, at: number, names: string[], form: IDataObject = {}) {
	const parameters = { companyScope: 'one', company: toIdLocator(idOf(at)), ...form };
	const entries = await callLoadOptions({ node: g.getNode(folder), credential: g.credential, method, parameters });
	return names.map((name) => String(requireValue(entries.find((entry) => entry.name === name)).value));
}

/** Opens a list for one customer. @returns the value that the editor saves for the entry with this name */
async function chooseOne(folder: string, method: string, at: number, name: string, form: IDataObject = {}) {
	const parameters = { companyScope: 'one', company: toIdLocator(idOf(at)), ...form };
	const options = { node: g.getNode(folder), credential: g.credential, method, parameters };
	const { results } = await callListSearch(options);
	const entry = requireValue(results.find((result) => result.name === name));
	return { __rl: true, mode: 'list', value: entry.value, cachedResultName: entry.name };
}

const ownTraining = (index: number) =>
	requireValue(holdings(index).trainings.find(({ trainingName }) => trainingName === 'House Rules')).trainingId;

const listRequestsTo = (route: string) =>
	g.standIn.getRequests(route).map(({ companyId, body }) => ({ companyId, body: body as IDataObject }));

describe('a campaign at three customers, with choices made for the first', () => {
	beforeEach(() => {
		for (const index of [1, 2, 3]) group(index).name = 'Everybody';
	});

	const campaign = async (more: IDataObject = {}): Promise<IDataObject> => ({
		operation: 'createAndStart',
		...OF_ITEM,
		name: 'Parcel notice',
		scenarios: await chooseSeveral('PhishingCampaign', 'loadPhishingScenarios', 1, ['Own Template']),
		targetGroups: await chooseSeveral('PhishingCampaign', 'loadTargetGroups', 1, ['Everybody']),
		...more,
	});

	test('each gets its own group and scenario; each list is read once', async () => {
		const parameters = await campaign();
		g.standIn.clearLog();
		await run('PhishingCampaign', parameters, { items: customers(1, 2, 3, 1) });
		expect(
			listRequestsTo(CREATE).map(({ companyId, body }) => [
				companyId,
				body.phishingScenarioResourceIds,
				body.targetGroupResourceIds,
			]),
		).toEqual(
			[1, 2, 3, 1].map((at) => [idOf(at), [getScenarioId('phishing', 'Own Template', idOf(at))], [group(at).resourceId]]),
		);
		expect(g.standIn.getRequests(GROUPS)).toHaveLength(3);
	});

	test('a wrong name in the last item: no campaign is created, and the error says which name and customer', async () => {
		const parameters = await campaign();
		group(3).name = 'All Staff';
		const failure = await catchNodeError(run('PhishingCampaign', parameters, { items: customers(1, 2, 3) }));
		expect(failure.message).toBe(
			`'Target Group Names or IDs' has 'Everybody', which was chosen from the list of '${idOf(1)}', but no target group at '${idOf(3)}' has that name [item 2]`,
		);
		expect(failure.description).toContain('There are: All Staff');
		expect(listRequestsTo(CREATE)).toEqual([]);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'with %s only that item fails, in its place',
		async (onError) => {
			const parameters = await campaign();
			group(2).name = 'All Staff';
			const { items, errors = [] } = await run('PhishingCampaign', parameters, { items: customers(1, 2, 3), onError });
			const failed = [...items, ...errors].filter(isFailedItem);
			expect(failed).toHaveLength(1);
			expect(parseFailedItem(failed[0]).message).toContain("has 'Everybody'");
			expect(failed[0]?.pairedItem).toEqual({ item: 1 });
			expect(listRequestsTo(CREATE).map(({ companyId }) => companyId)).toEqual([idOf(1), idOf(3)]);
		},
	);

	test('a second group of the name at one customer is an error with both IDs', async () => {
		const parameters = await campaign();
		group(2, 1).name = 'Everybody';
		const { description, message } = await catchNodeError(run('PhishingCampaign', parameters, { items: customers(1, 2) }));
		expect(message).toContain('more than one target group');
		for (const at of [0, 1]) expect(description).toContain(`Everybody (${group(2, at).resourceId})`);
		expect(listRequestsTo(CREATE)).toEqual([]);
	});

	test('after a rename the choice still means the same group at its own customer', async () => {
		const parameters = await campaign();
		group(1).name = 'Renamed';
		group(1, 1).name = 'Everybody';
		await run('PhishingCampaign', parameters, { items: customers(1) });
		expect(listRequestsTo(CREATE)[0]?.body.targetGroupResourceIds).toEqual([group(1).resourceId]);
	});

	test('IDs and names from an expression, and saved IDs, work together with chosen entries', async () => {
		const [entry = ''] = await chooseSeveral('PhishingCampaign', 'loadTargetGroups', 1, ['Everybody']);
		const others = [group(1, 1).resourceId, group(1, 2).name];
		await run('PhishingCampaign', await campaign({ targetGroups: [entry, ...others] }), { items: customers(1) });
		expect(listRequestsTo(CREATE)[0]?.body.targetGroupResourceIds).toEqual(
			[0, 1, 2].map((at) => group(1, at).resourceId),
		);
	});

	test('for a fixed company nothing is looked up', async () => {
		const parameters = await campaign({ company: toIdLocator(idOf(1)) });
		g.standIn.clearLog();
		await run('PhishingCampaign', parameters);
		expect(g.standIn.getRequests(GROUPS)).toEqual([]);
		expect(listRequestsTo(CREATE)[0]?.body.targetGroupResourceIds).toEqual([group(1).resourceId]);
	});

	test('where the list cannot be read, the ID is sent as it was chosen', async () => {
		const parameters = await campaign();
		g.standIn.addFault({ route: GROUPS, kind: 'forbidden-company', times: Infinity });
		await run('PhishingCampaign', parameters, { items: customers(1) });
		expect(listRequestsTo(CREATE)[0]?.body.targetGroupResourceIds).toEqual([group(1).resourceId]);
	});

	test('a list that fails once is read again for the next item', async () => {
		const parameters = await campaign({ targetGroups: ['Everybody'] });
		g.standIn.addFault({ route: GROUPS, kind: 'status-500', times: 5 });
		const items = customers(...createIndexRecords(12).map(() => 1));
		const { items: output } = await run('PhishingCampaign', parameters, { items, onError: 'continueRegularOutput' });
		expect(output.some(isFailedItem)).toBe(true);
		expect(requireValue(output.at(-1)).json.started).toBe(true);
	});
});

describe('a single choice', () => {
	test('beside several: each by its name at the other customers', async () => {
		for (const at of [1, 2]) group(at).name = 'Everybody';
		const training = await chooseOne('Enrollment', 'searchTrainings', 1, 'House Rules');
		const targetGroups = await chooseSeveral('Enrollment', 'loadTargetGroups', 1, ['Everybody']);
		const form = { operation: 'create', ...OF_ITEM, name: 'Spring', training, targetGroups };
		await run('Enrollment', form, { items: customers(1, 2) });
		expect(listRequestsTo(ENROLL).map(({ body }) => [body.trainingId, body.targetGroupResourceIds])).toEqual(
			[1, 2].map((at) => [ownTraining(at), [group(at).resourceId]]),
		);
	});

	test('inside Additional Fields', async () => {
		const defaultRole = await chooseOne('SamlSetting', 'searchRoles', 1, 'Company Admin');
		expect(defaultRole.value).toBe(getCompanyRoleId(idOf(1), 'Company Admin'));
		const setting = {
			name: 'Entra',
			ssoTargetUrl: 'https://a.example/sso',
			idpEntityId: 'https://a.example/id',
			domains: 'a.example',
			metadataFrom: 'text',
			metadataXml: '<EntityDescriptor/>',
		};
		const form = { operation: 'create', ...OF_ITEM, ...setting, additionalFields: { defaultRole } };
		await run('SamlSetting', form, { items: customers(1, 2) });
		for (const at of [1, 2]) {
			const [setting] = holdings(at).samlSettings;
			expect(Object.values(requireValue(setting).requestBody)).toContain(getCompanyRoleId(idOf(at), 'Company Admin'));
		}
		// n8n would evaluate a name that begins with "=", so it is not looked up.
		const code = { ...defaultRole, cachedResultName: "={{ 'Company Admin' }}" };
		await run('SamlSetting', { ...form, additionalFields: { defaultRole: code } }, { items: customers(3) });
		expect(Object.values(requireValue(holdings(3).samlSettings[0]).requestBody)).toContain(defaultRole.value);
	});

	test('inside a list of rows', async () => {
		const fields = ['Cost Center', 'Badge'].map((name) => ({ resourceId: `${name}-1`, name }));
		const { store, requests } = await startFakeServer({
			'GET /api/custom-fields/company': ({ company: id }) =>
				fields.map(({ name }) => ({ resourceId: `${name}-${String(id)}`, name })),
			'POST /api/target-users': () => ({ resourceId: 'p1' }),
		});
		const row = (name: string) => ({
			customField: { __rl: true, mode: 'list', value: `${name}-c1`, cachedResultName: name },
			value: '={{ $json.id }}',
		});
		await runNode({
			node: g.getNode('TargetUser'),
			credential: store,
			items: toItems({ id: 'c1' }, { id: 'c2' }),
			parameters: {
				operation: 'create',
				...OF_ITEM,
				email: 'ada@example.com',
				phoneNumber: '+4930123456',
				additionalFields: { customFields: { rows: [row('Badge'), row('Cost Center')] } },
			},
		});
		const sent = requests
			.filter(({ route }) => route === 'POST /api/target-users')
			.map(({ body }) => body.customFields);
		expect(sent).toEqual(
			['c1', 'c2'].map((id) => ['Badge', 'Cost Center'].map((name) => ({ resourceId: `${name}-${id}`, value: id }))),
		);
	});

	test('that the customer does not have is an error before anything is asked of it', async () => {
		const enrollment = await chooseOne('Enrollment', 'searchEnrollments', 1, requireValue(holdings(1).enrollments[0]).name);
		requireValue(holdings(1).enrollments[0]).name = 'Only Here';
		for (const { name } of holdings(2).enrollments) expect(name).not.toBe('Only Here');
		const form = { operation: 'delete', ...OF_ITEM, enrollment: { ...enrollment, cachedResultName: 'Only Here' } };
		const failure = await catchNodeError(run('Enrollment', form, { items: customers(1, 2) }));
		expect(failure.message).toMatch(/^'Enrollment' is 'Only Here', which was chosen from the list of '.*', but no/);
		expect(g.requests.filter(({ route }) => route.startsWith('DELETE'))).toEqual([]);
	});

	test('a person of an enrollment, from the list of the enrollment that was found', async () => {
		const first = requireValue(holdings(1).enrollments[0]);
		const second = requireValue(holdings(2).enrollments[0]);
		first.name = 'Spring';
		second.name = 'Spring';
		const enrollment = await chooseOne('TrainingReport', 'searchEnrollments', 1, 'Spring');
		const users = await callListSearch({
			node: g.getNode('TrainingReport'),
			credential: g.credential,
			method: 'searchEnrolledUsers',
			parameters: { companyScope: 'one', company: toIdLocator(idOf(1)), enrollment: toIdLocator(String(enrollment.value)) },
		});
		const user = requireValue(users.results[0]);
		const targetUser = { __rl: true, mode: 'list', value: user.value, cachedResultName: user.name };
		const form = { operation: 'getInteractions', ...OF_ITEM, enrollment, targetUser };
		await run('TrainingReport', form, { items: customers(1) });
		const elsewhere = await catchNodeError(run('TrainingReport', form, { items: customers(2) }));
		expect(elsewhere.message).toContain(
			`'Target User' is '${user.name}', which was chosen from another customer's list`,
		);
		expect(g.requests.at(-1)?.path).toContain(second.resourceId);
	});
});

test('the editor saves an entry as ID and name, in a form that people can read', async () => {
	group(1).name = 'Sales, EMEA (north)';
	const [entry = ''] = await chooseSeveral('Enrollment', 'loadTargetGroups', 1, ['Sales, EMEA (north)']);
	expect(entry).toBe(`Sales, EMEA (north) ⟨ID ${group(1).resourceId}⟩`);
	expect(readEntryId(entry)).toBe(group(1).resourceId);
	// A single entry in an expression is not split at its comma.
	const training = toIdLocator(requireValue(holdings(1).trainings[0]).trainingId);
	const form = { operation: 'create', companyScope: 'one', company: toIdLocator(idOf(1)), name: 'Spring', training };
	await run('Enrollment', { ...form, targetGroups: `={{ ${JSON.stringify(entry)} }}` });
	expect(listRequestsTo(ENROLL)[0]?.body.targetGroupResourceIds).toEqual([group(1).resourceId]);
});

describe('before the first write every item is checked', () => {
	const groupForm = { operation: 'create', companyScope: 'one', name: '={{ $json.name }}', priority: 'Medium' };
	const TARGET_GROUPS = 'POST /api/target-groups';

	test.each([
		['a field', { ...groupForm, company: toIdLocator('={{ $json.id }}') }, { name: '' }, "'Name' must not be empty [item 2]"],
		[
			'a company by name',
			{ ...groupForm, company: { __rl: true, mode: 'name', value: '={{ $json.customer }}' } },
			{ customer: 'Nobody at All' },
			"'Company' is 'Nobody at All', but the credential manages no company of that name",
		],
	])('a mistake in %s of the last item', async (_what, form, wrong, message) => {
		const good = customers(1, 2).map(({ json }, index) => ({ ...json, name: `Group ${index}` }));
		const items = toItems(...good, { ...requireValue(good[0]), ...wrong });
		const failure = await catchNodeError(run('TargetGroup', form, { items }));
		expect(failure.message).toContain(message);
		expect(g.standIn.getRequests(TARGET_GROUPS)).toEqual([]);
		const { items: output } = await run('TargetGroup', form, { items, onError: 'continueRegularOutput' });
		expect(output.map(isFailedItem)).toEqual([false, false, true]);
		expect(getJson(output).map(({ name }) => name)).toEqual(['Group 0', 'Group 1', undefined]);
		expect(g.standIn.getRequests(TARGET_GROUPS)).toHaveLength(2);
	});

	test('a file that is missing; the content of a file is read only when its item is written', async () => {
		const form = { operation: 'importFile', companyScope: 'one', company: toIdLocator(idOf(1)), file: 'data' };
		const csv = (text: string): INodeExecutionData => ({
			json: {},
			binary: { data: { mimeType: 'text/csv', fileName: 'p.csv', data: Buffer.from(text).toString('base64') } },
		});
		const good = csv('Email,Phone Number\na@example.com,+4930123456\n');
		const missing = await catchNodeError(run('TargetUser', form, { items: [good, { json: {} }] }));
		expect(missing.message).toContain("names 'data', but the item has no such file");
		expect(g.requests).toEqual([]);
		const unreadable = await catchNodeError(run('TargetUser', form, { items: [good, csv('\u0000\u0001')] }));
		expect(unreadable.message).toContain('[item 1]');
		expect(g.standIn.getRequests('POST /api/target-users/upload')).toHaveLength(1);
	});
});

/**
 * Fields that were text, or a number, and have a list now: what was saved in them runs as it did, n8n lets it run, and
 * what is chosen from the list is sent the same way.
 */
import { get, set } from 'lodash';
import { NodeHelpers, type IDataObject, type INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { runNode } from '../n8n-core';
import { loadNode, manifest } from '../n8n-core/package';
import { cases } from '../cases';
import { operationFixture, itemWith } from '../cases/operationFixture';
import { broken, recordOf, type Described } from './parameters';

/** The version of the nodes in the workflows that were saved with what is tested here. */
const SAVED_VERSION = 1;

const g = operationFixture('contract');

/** Where the value of a field stands in what is asked. */
type Sent = readonly [
	node: string,
	operation: string,
	field: string,
	saved: string | number,
	route: string,
	at: string,
];

const MAILS = 'POST /api/training-reports/{enrollmentId}/reminder-mails/search';
const USERS = 'POST /api/training-reports/{enrollmentId}/users/search';
const COMPANY = 'POST /api/companies';
const [PERIOD, WORD] = ['reportOptions.datePeriod', 'body.datePeriod'];
const FIELDS: Sent[] = [
	['Company', 'create', 'country', 'a/country ?', COMPANY, 'body.fields.CountryResourceId'],
	['Company', 'create', 'licensePeriodType', 'period', COMPANY, 'body.fields.LicensePeriodTypeResourceId'],
	['Company', 'create', 'dateFormat', 'dd/MM/yy', COMPANY, 'body.fields.DateFormat'],
	['Company', 'create', 'timeFormat', 'hh:mm a', COMPANY, 'body.fields.TimeFormat'],
	[
		'Company',
		'create',
		'additionalFields.notificationTemplateType',
		'n',
		COMPANY,
		'body.fields.NotificationTemplateTypeResourceId',
	],
	[
		'Company',
		'create',
		'additionalFields.preferredLanguage',
		'p',
		COMPANY,
		'body.fields.PreferredLanguageTypeResourceId',
	],
	[
		'Company',
		'create',
		'additionalFields.smtpConfiguration',
		's',
		COMPANY,
		'body.fields.SmtpConfigurationTypeResourceId',
	],
	[
		'Company',
		'create',
		'additionalFields.trainingContentType',
		't',
		COMPANY,
		'body.fields.TrainingContentTypeResourceId',
	],
	['TrainingReport', 'getReminderMails', 'reportOptions.showByExamStatus', 'Failed', MAILS, 'body.showByExamStatus'],
	['TrainingReport', 'getReminderMails', 'reportOptions.trainingType', 'Survey', MAILS, 'body.trainingType'],
	['TrainingReport', 'getUsers', 'reportOptions.trainingType', 0, USERS, 'body.trainingType'],
	['SamlSetting', 'get', 'samlSettingId', '', 'GET /api/companies/saml-settings/{resourceId}', 'path'],
	[
		'DirectEmailSetting',
		'test',
		'directEmailSettingId',
		'',
		'POST /api/companies/direct-email-settings/test',
		'body.resourceId',
	],
	[
		'DirectEmailSetting',
		'makeDefault',
		'directEmailSettingId',
		'',
		'PUT /api/companies/direct-email-settings/make-default/{resourceId}',
		'path',
	],
	['ExecutiveReport', 'getWidgetData', PERIOD, 'Fiscal', 'POST /api/executive-report/get-widget-datas', WORD],
	['Leaderboard', 'export', PERIOD, 'Fiscal', 'POST /api/leaderboard/get-all/export', WORD],
	['Leaderboard', 'exportUserTimeline', PERIOD, 'Fiscal', 'POST /api/leaderboard/get-user-timeline/export', WORD],
	...['Phishing', 'Smishing', 'Quishing'].map((simulator): Sent => {
		const of = simulator.toLowerCase();
		const route = `POST /api/${of}-simulator/${of}-campaign-job-report/{searchType}/search/{resourceId}/{instanceGroup}`;
		return [`${simulator}Campaign`, 'searchJobUsers', 'searchType', 'Clicked', route, 'path'];
	}),
];

async function prepared([node, operation, path, value]: Sent) {
	const found = cases.find((each) => each.node === node && each.operation === operation);
	if (!found) throw new Error(`There is no case of ${node} ${operation}`);
	g.service.reset();
	const { parameters, files } = await found.prepare(g.customer);
	const form = structuredClone<IDataObject>({
		resource: node.charAt(0).toLowerCase() + node.slice(1),
		operation,
		...parameters,
	});
	// Of a thing, what the case has made; else the value of the table.
	const saved = value === '' ? z.string().min(1).parse(get(form, path)) : value;
	g.service.clearLog();
	return { form, files, saved };
}

type Way = (saved: string | number) => unknown;

/** What was saved, what was sent at the field's place, and what n8n finds wrong with the node before it runs it. */
async function sent(field: Sent, way: Way): Promise<{ saved: string | number; value: unknown; issues: unknown }> {
	const [node, , path, , route, at] = field;
	const { form, files, saved } = await prepared(field);
	set(form, path, way(saved));
	const type = g.node(node);
	await runNode({
		typeVersion: SAVED_VERSION,
		node: type,
		parameters: form,
		credential: g.credential,
		items: [await itemWith(files)],
	});
	const { name, properties } = type.description;
	const parameters =
		NodeHelpers.getNodeParameters(properties, z.record(z.any()).parse(form), true, false, null, type.description) ?? {};
	const asNode = {
		id: '1',
		name,
		type: name,
		typeVersion: SAVED_VERSION,
		position: [0, 0] satisfies [number, number],
		parameters,
	};
	return {
		saved,
		value: get(g.service.requests(route)[0], at),
		issues: NodeHelpers.getNodeParametersIssues(properties, asNode, type.description),
	};
}

const WAYS: Array<[how: string, way: Way]> = [
	['saved as it was before', (saved) => saved],
	['an expression', (saved) => `={{ ${JSON.stringify(saved)} }}`],
	['chosen from the list', (saved) => ({ __rl: true, mode: 'list', value: String(saved), cachedResultName: 'Chosen' })],
	['typed', (saved) => ({ __rl: true, mode: 'id', value: saved })],
	['typed over what was saved, which n8n keeps without a mode', (saved) => ({ __rl: true, mode: '', value: saved })],
];

describe.each(WAYS)('%s', (_how, way) => {
	test.each(FIELDS)('%s %s: %s', async (...field) => {
		const { saved, value, issues } = await sent(field, way);
		if (field[5] === 'path') expect(value).toContain(encodeURIComponent(saved));
		else expect(value).toBe(saved);
		expect(issues).toBeNull();
	});
});

const OPTIONAL = FIELDS.filter(([, , path]) => path.includes('.'));

test.each(OPTIONAL)('%s %s: "%s" was added, and nothing chosen: it is not sent', async (...field) => {
	expect((await sent(field, () => ({ __rl: true, mode: 'list', value: '' }))).value).toBeUndefined();
});

// An empty text was never sent as a number, nor as a period.
test.each(OPTIONAL.filter(([, operation, path]) => operation !== 'getUsers' && path !== PERIOD))(
	'%s %s: "%s" was saved as an empty text: it is sent as that',
	async (...field) => {
		expect((await sent(field, () => '')).value).toBe('');
	},
);

test('date and time formats have their defaults', async () => {
	const { form } = await prepared(['Company', 'create', 'country', 'de', COMPANY, '']);
	const { dateFormat: _date, timeFormat: _time, ...others } = form;
	await runNode({
		typeVersion: SAVED_VERSION,
		node: g.node('Company'),
		parameters: { ...others, additionalFields: {} },
		credential: g.credential,
		items: [{ json: {} }],
	});
	expect(g.service.requests(COMPANY)[0]?.body).toMatchObject({
		fields: { DateFormat: 'dd/MM/yyyy', TimeFormat: 'HH:mm' },
	});
});

test('what is typed and what is chosen from the list beside it are sent together, each once', async () => {
	const timeline = async (reportOptions: IDataObject) => {
		g.service.clearLog();
		await runNode({
			typeVersion: SAVED_VERSION,
			node: g.node('Leaderboard'),
			parameters: { operation: 'exportUserTimeline', companyScope: 'own', reportOptions },
			credential: g.credential,
		});
		return g.service.requests('POST /api/leaderboard/get-user-timeline/export')[0]?.body;
	};
	expect(
		await timeline({
			actionTypes: 'a, b',
			chosenActionTypes: ['b', 'c/d'],
			chosenProducts: ['p'],
			chosenDifficultyTypes: [],
		}),
	).toMatchObject({
		...{ actionTypes: ['a', 'b', 'c/d'], products: ['p'], difficultyTypes: null },
	});
	expect(await timeline({ actionTypes: 'a, a', products: '' })).toMatchObject({
		actionTypes: ['a', 'a'],
		products: null,
		difficultyTypes: null,
	});

	const { form: parameters } = await prepared(['Company', 'create', 'country', 'de', COMPANY, '']);
	const groups = g.customer.state.groups.slice(0, 2).map(({ resourceId }) => resourceId);
	g.service.clearLog();
	const additionalFields = {
		licenseModuleIds: 'm1',
		licenseModules: ['m2', 'm1'],
		companyGroupIds: groups[0],
		companyGroups: groups,
	};
	await runNode({ node: g.node('Company'), parameters: { ...parameters, additionalFields }, credential: g.credential });
	expect(g.service.requests(COMPANY)[0]?.body).toMatchObject({
		fields: { LicenseModuleResourceIdArray: ['m1', 'm2'], CompanyGroupResourceIdArray: groups },
	});
});

describe('the rule for such a change', () => {
	const described = (property: Partial<INodeProperties>): Described & { name: string } => ({
		...{ name: 'node', version: 1, inputs: [], outputs: [], credentials: [] },
		properties: [{ displayName: 'Field', name: 'field', type: 'string', default: '', ...property }],
	});
	const list: Partial<INodeProperties> = {
		...{ type: 'resourceLocator', default: { mode: 'list', value: '' } },
		modes: [
			{ displayName: 'From List', name: 'list', type: 'list' },
			{ displayName: 'By ID', name: 'id', type: 'string' },
		],
	};
	const change = (before: Partial<INodeProperties>, after: Partial<INodeProperties>) =>
		broken(recordOf([described(before)]), [described(after)]);

	test('allows a list for a text or a number whose default stays the same', () => {
		expect(change({}, list)).toEqual([]);
		expect(change({ default: 'x' }, { ...list, default: { mode: 'id', value: 'x' } })).toEqual([]);
		expect(change({ type: 'number', default: 0 }, { ...list, default: { mode: 'id', value: '0' } })).toEqual([]);
		expect(change({ required: true }, { ...list, required: true })).toEqual([]);
	});

	test.each<[string, Partial<INodeProperties>, Partial<INodeProperties>]>([
		['another default', { default: 'x' }, list],
		['a default where there was none', {}, { ...list, default: { mode: 'id', value: 'x' } }],
		['nothing can be typed any more', {}, { ...list, modes: list.modes?.slice(0, 1) ?? [] }],
		['it must be filled in now', {}, { ...list, required: true }],
		['several texts', { typeOptions: { multipleValues: true } }, list],
		['a list of several', {}, { type: 'multiOptions', default: [] }],
		['a choice', {}, { type: 'options', default: '', options: [] }],
		['a yes or no', { type: 'boolean', default: false }, list],
		['text again', list, {}],
	])('refuses it otherwise: %s', (_what, before, after) => {
		expect(change(before, after)).not.toEqual([]);
	});
});

test('the fields of this test are all that changed so', async () => {
	const descriptions = await Promise.all(
		manifest.n8n.nodes.map(async (listed) => (await loadNode(listed)).description),
	);
	const { recordedParameters, recordedVersions } = await import('../e2e/upgrade/records');
	const now = recordOf(descriptions);
	const changed = recordedVersions().flatMap((version) =>
		Object.entries(recordedParameters(version)).flatMap(([node, { parameters }]) =>
			parameters.flatMap(({ path, on, type }) => {
				if (type === 'resourceLocator') return [];
				const after =
					now[node]?.parameters.filter((each) => each.path === path && each.type === 'resourceLocator') ?? [];
				return on
					.filter((operation) => after.some((each) => each.on.includes(operation)))
					.map((operation) => `${node} ${operation} ${path}`);
			}),
		),
	);
	const here = FIELDS.map(([node, operation, path]) => `securityAwareness${node} ${operation} ${path}`);
	// The name of a coded field is not sent as a value: pickers/codedFields.test.ts.
	const elsewhere = ['create', 'createAndSend'].map(
		(operation) => `securityAwarenessEnrollment ${operation} additionalFields.codedFields.rows.fieldName`,
	);
	expect([...new Set(changed)].sort()).toEqual([...here, ...elsewhere].sort());
});

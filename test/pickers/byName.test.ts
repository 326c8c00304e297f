/** Tests of records that the user enters by name instead of selecting them from the list. Each picker of each operation is tested. */
import { deburr, mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import type { Field, FieldMap } from '../../nodes/core/fields/field';
import { cases, type Case, type CaseRun } from '../cases';
import { createOperationFixture, runCase } from '../cases/operationFixture';
import { loadAllOperations } from '../contract/catalogue';
import { parseOperationKey } from '../contract/operationKeys';
import { callListSearch } from '../n8n-core';
import { requireValue } from '../n8n-core/nodeFixture';
import { isJsonObject, type JsonObject } from '../stand-in/http';

const chosenLocatorSchema = z.object({ __rl: z.literal(true), mode: z.enum(['id', 'list']), value: z.string().min(1) });
/** An ID as the cases fill it in: a resource locator, or a text. */
const enteredIdSchema = z.union([z.string().min(1), chosenLocatorSchema.transform(({ value }) => value)]);
const modesSchema = z
	.array(z.object({ name: z.string(), displayName: z.string(), placeholder: z.string() }).passthrough())
	.nonempty();
const listModeSchema = z.object({ typeOptions: z.object({ searchListMethod: z.string() }) });

const getModes = ({ property }: Field<unknown>) => modesSchema.parse(property.modes);
const getListMethod = ({ property }: Field<unknown>) =>
	listModeSchema.parse(property.modes?.[0]).typeOptions.searchListMethod;
const isSinglePicker = ({ property }: Field<unknown>) => property.type === 'resourceLocator';

/** A single picker of a form, with the names of the fields that lead to it. */
interface FoundPicker {
	path: string[];
	field: Field<unknown>;
}

/** Lists the single pickers of a form, including those inside other fields. */
const listPickers = (fields: FieldMap, path: string[] = []): FoundPicker[] =>
	Object.entries(fields).flatMap(([name, field]) => {
		const innerPickers = listPickers(field.innerFields ?? {}, [...path, name]);
		return isSinglePicker(field) ? [{ path: [...path, name], field }, ...innerPickers] : innerPickers;
	});

/**
 * The lists of words that aren't records. Their words are saved as IDs, or the picker's mode By ID has the label 'By Name'. A new picker of
 * a record must not be added here. It needs the mode 'By Name'.
 */
const WORD_LISTS = [
	'searchDateFormats',
	'searchIanaZones',
	'searchReportedEmailResult',
	'searchReportedEmailStatus',
	'searchSearchTypes',
	'searchTimeFormats',
	'searchTrainingKinds',
	'searchTargetGroupPriorities',
];

const isJobPicker = (field: Field<unknown>) => /^search\w+Jobs$/.test(getListMethod(field));

test('every single picker of a record has the mode By Name, between From List and By ID', async () => {
	const operations = await loadAllOperations();
	const pickers = operations.flatMap(({ node, key, operation }) =>
		listPickers(operation.fields).map(({ path, field }) => ({ label: `${node} ${key} ${path.join('.')}`, field })),
	);
	const recordPickers = pickers.filter(({ field }) => !WORD_LISTS.includes(getListMethod(field)));
	const getExpectedLabels = (field: Field<unknown>) =>
		isJobPicker(field) ? ['From List', 'Latest Job', 'By Name and Date', 'By ID'] : ['From List', 'By Name', 'By ID'];
	const getLabels = (field: Field<unknown>) => getModes(field).map(({ displayName }) => displayName);
	expect(recordPickers.map(({ label, field }) => [label, getLabels(field)])).toEqual(
		recordPickers.map(({ label, field }) => [label, getExpectedLabels(field)]),
	);
	for (const { field } of recordPickers)
		expect(getModes(field).map(({ placeholder }) => placeholder)).not.toContain('e.g. undefined');
	expect(new Set(recordPickers.map(({ field }) => getListMethod(field))).size).toBeGreaterThan(35);
	const wordLists = new Set(pickers.map(({ field }) => getListMethod(field)));
	expect(WORD_LISTS.filter((method) => !wordLists.has(method))).toEqual([]);
});

const fixture = createOperationFixture('deployed');

/** A picker that a case fills in By ID, with the parameters of the case. */
interface FilledPicker extends FoundPicker {
	id: string;
	method: string;
}

/** Returns the value at a path of parameters. Only collections are followed, not rows and groups. */
const getAtPath = (parameters: IDataObject, path: string[]): unknown =>
	path.reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), parameters);

/** Returns a copy of parameters in which the value at a path is replaced. */
function replaceAtPath(parameters: IDataObject, path: string[], value: unknown): IDataObject {
	const [name = '', ...innerPath] = path;
	const innerValue = parameters[name];
	const newValue =
		innerPath.length === 0
			? value
			: replaceAtPath(isJsonObject(innerValue) ? (innerValue as IDataObject) : {}, innerPath, value);
	return { ...parameters, [name]: newValue } as IDataObject;
}

/** Lists the pickers of records that a case fills in By ID. The companies have tests of their own. */
function listFilledPickers({ node, operation }: Case, { parameters }: CaseRun): FilledPicker[] {
	return listPickers(fixture.getOperation(node, operation).fields).flatMap(({ path, field }) => {
		const enteredId = enteredIdSchema.safeParse(getAtPath(parameters, path));
		const method = getListMethod(field);
		const isRecord = !WORD_LISTS.includes(method) && method !== 'searchCompanies';
		return enteredId.success && isRecord ? [{ path, field, id: enteredId.data, method }] : [];
	});
}

/** Rethrows an error, unless it says that a list is empty. Some lists of values are empty. */
function returnNothingIfListIsEmpty(error: unknown): undefined {
	if (error instanceof Error && error.message.startsWith('There is no ')) return undefined;
	throw error;
}

/**
 * Finds the name of the record that a picker selects, in the picker's list.
 * @returns undefined if the case uses an ID that isn't in the list
 */
async function findName(
	{ node, operation }: Case,
	{ parameters }: CaseRun,
	picker: FilledPicker,
): Promise<string | undefined> {
	let paginationToken: string | undefined;
	do {
		const options = {
			node: fixture.getNode(node),
			credential: fixture.credential,
			method: picker.method,
			parameters: { ...parseOperationKey(node, operation), ...parameters },
		};
		const page = await callListSearch(paginationToken === undefined ? options : { ...options, paginationToken }).catch(
			returnNothingIfListIsEmpty,
		);
		if (!page) return undefined;
		const entry = page.results.find(({ value }) => value === picker.id);
		// The form shows a job with its number. By Name and Date, only the name of the campaign and the day are entered.
		if (entry) return entry.name.replace(/ \(job \d+, (.+)\)$/, ' $1');
		paginationToken = page.paginationToken === undefined ? undefined : String(page.paginationToken);
	} while (paginationToken !== undefined);
	return undefined;
}

const toNameLocator = (value: string, mode = 'name') => ({ __rl: true, mode, value });

/** Runs a case after its locators were replaced by other values. */
const runWithValues = async (testCase: Case, run: CaseRun, values: Array<{ path: string[]; value: unknown }>) =>
	runCase(fixture, testCase, {
		...run,
		parameters: values.reduce((parameters, { path, value }) => replaceAtPath(parameters, path, value), run.parameters),
	});

/** The pickers that were filled in by name: the node, the path of the field, and the method that reads the list. */
const testedPickers = new Set<string>();
/** The lists of the pickers that were filled in by name. */
const testedMethods = new Set<string>();
const seededCases = cases.filter(({ hasFileOutput }) => !hasFileOutput);

test.each(seededCases)('$node $operation: every record can be entered by its name', async (testCase) => {
	const run = await testCase.prepare(fixture.customer);
	const values = [];
	for (const picker of listFilledPickers(testCase, run)) {
		// The operations of a node share their pickers.
		const pickerKey = [testCase.node, ...picker.path, picker.method].join();
		if (testedPickers.has(pickerKey)) continue;
		const name = await findName(testCase, run, picker);
		// Some cases create several records with the same name, which the list distinguishes by their IDs.
		if (name === undefined || / \(….+\)$/.test(name)) continue;
		values.push({ path: picker.path, value: toNameLocator(name) });
		testedPickers.add(pickerKey);
		testedMethods.add(picker.method);
	}
	if (values.length === 0) return;
	const { items } = await runWithValues(testCase, run, values);
	run.checkItems(items);
	expect(items).toHaveLength(run.itemCount);
});

test('each kind of record was entered by its name', () => {
	expect(KINDS.map(([_node, _operation, method]) => method).filter((method) => !testedMethods.has(method))).toEqual([]);
});

/** A change of a list that the platform returns. `page` is empty if the list isn't paginated. */
type ChangeList = (rows: unknown[], page: JsonObject) => void;

/** Changes the lists in the responses to a route. @param searchText if it is set, only the lists in which it was searched for are changed */
function changeLists(route: string, changeList: ChangeList, searchText = ''): void {
	fixture.standIn.setOptions({
		transformEnvelope: (originalEnvelope, request) => {
			const isChanged = request.route === route && JSON.stringify(request.body).includes(searchText);
			if (!isChanged || !isJsonObject(originalEnvelope)) return originalEnvelope;
			const envelope = structuredClone(originalEnvelope);
			const data = envelope.data ?? envelope.Data;
			const page = isJsonObject(data) ? data : {};
			const rows = Array.isArray(data) ? data : page.results;
			if (Array.isArray(rows)) changeList(rows, page);
			return envelope;
		},
	});
}
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

interface PickerCase {
	testCase: Case;
	run: CaseRun;
	picker: FilledPicker;
	name: string;
	/** The route that reads the picker's list. */
	listRoute: string;
}

/** Prepares a case, and finds the name of the record that one of its pickers selects. */
async function preparePicker(testCase: Case, method: string): Promise<PickerCase> {
	const run = await testCase.prepare(fixture.customer);
	const picker = listFilledPickers(testCase, run).find((filledPicker) => filledPicker.method === method);
	if (!picker) throw new Error('The case does not fill in this picker');
	fixture.standIn.clearLog();
	const name = requireValue(await findName(testCase, run, picker));
	const listRoute = fixture.requests.at(-1)?.route ?? '';
	fixture.standIn.clearLog();
	return { testCase, run, picker, name, listRoute };
}

/** Runs the prepared case with another value in its picker. */
const runWithValue = async ({ testCase, run, picker: { path } }: PickerCase, value: unknown) =>
	runWithValues(testCase, run, [{ path, value }]);

const catchMessage = (runPromise: Promise<unknown>): Promise<string> =>
	runPromise.then(
		() => 'no error',
		(error: unknown) => (error instanceof Error ? error.message : String(error)),
	);

/** Adds a second record with the same name and other IDs for each record of a list. */
const addTwins: ChangeList = (rows, page) => {
	const twins = rows
		.filter(isJsonObject)
		.map((row) =>
			mapValues(row, (value, name) => (/Id$/.test(name) && typeof value === 'string' ? `twin-${value}` : value)),
		);
	rows.push(...twins);
	for (const field of ['totalNumberOfRecords', 'totalRecords'])
		if (typeof page[field] === 'number') page[field] += twins.length;
};

/** Makes a list incomplete: the platform says that there is one more record than it lists. */
const hideRecord: ChangeList = (_rows, page) => {
	for (const field of ['totalNumberOfRecords', 'totalRecords']) if (typeof page[field] === 'number') page[field] += 1;
};

/** One case for each kind of record: the node, the operation, and the method that reads the picker's list. */
const KINDS = [
	['AllowedDomain', 'delete', 'searchAllowedDomains'],
	['ApiClient', 'update', 'searchApiClients'],
	['CompanyGroup', 'delete', 'searchCompanyGroups'],
	['DirectEmailSetting', 'delete', 'searchDirectEmailSettings'],
	['Enrollment', 'create', 'searchTrainings'],
	['Enrollment', 'delete', 'searchEnrollments'],
	['Enrollment', 'deletedEnrollment.restore', 'searchDeletedEnrollments'],
	['ExecutiveReport', 'get', 'searchExecutiveReports'],
	['ExecutiveReport', 'scheduledReport.delete', 'searchScheduledReports'],
	['Leaderboard', 'user.getTimeline', 'searchRankedUsers'],
	['PhishingCampaign', 'delete', 'searchPhishingCampaigns'],
	['PhishingCampaign', 'campaignJob.stop', 'searchPhishingJobs'],
	['QuishingCampaign', 'delete', 'searchQuishingCampaigns'],
	['QuishingCampaign', 'campaignJob.getSummary', 'searchQuishingJobs'],
	['ReportedEmail', 'update', 'searchReportedEmails'],
	['SamlSetting', 'get', 'searchSamlSettings'],
	['ScimIntegration', 'delete', 'searchScimIntegrations'],
	['SmishingCampaign', 'start', 'searchSmishingCampaigns'],
	['SmishingCampaign', 'campaignJob.getSummary', 'searchSmishingJobs'],
	['SystemUser', 'delete', 'searchSystemUsers'],
	['TargetGroup', 'member.add', 'searchTargetGroups'],
	['TargetUser', 'update', 'searchTargetUsers'],
	['TrainingReport', 'enrolledUser.getInteractions', 'searchEnrolledUsers'],
] as const;

describe.each(KINDS)('%s %s: %s', (node, operation, method) => {
	const testCase = cases.find((entry) => entry.node === node && entry.operation === operation);
	const prepare = async () => preparePicker(requireValue(testCase), method);

	test('finds the name in other case and without accents, as a plain text, and in the mode By ID', async () => {
		const changeName = (name: string) => deburr(name).toUpperCase();
		const values = [
			(name: string) => toNameLocator(` ${changeName(name)} `),
			(name: string) => name,
			(name: string) => toNameLocator(name, 'id'),
		];
		for (const createValue of values) {
			fixture.standIn.reset();
			const pickerCase = await prepare();
			const { items } = await runWithValue(pickerCase, createValue(pickerCase.name));
			pickerCase.run.checkItems(items);
		}
	});

	test('rejects a name that no record has, and sends nothing but the search for it', async () => {
		const pickerCase = await prepare();
		const message = await catchMessage(runWithValue(pickerCase, toNameLocator('Nobody 77')));
		expect(message).toMatch(
			/^'.+' is 'Nobody 77', but no [\w ]+ has that name: |^'.+' is 'Nobody 77', but no [\w ]+ at '.+' has that name: /,
		);
		expect(new Set(fixture.requests.map(({ route }) => route))).toEqual(new Set([pickerCase.listRoute]));
	});

	test('rejects a name that two records have, says how many, and shows their IDs', async () => {
		const pickerCase = await prepare();
		changeLists(pickerCase.listRoute, addTwins);
		const message = await catchMessage(runWithValue(pickerCase, toNameLocator(pickerCase.name)));
		expect(message).toMatch(/^'.+' is '.+', but 2 [\w ]+s( at '.+')? have that name: .*enter its ID: .*twin-/);
		expect(new Set(fixture.requests.map(({ route }) => route))).toEqual(new Set([pickerCase.listRoute]));
	});

	test('writes nothing if the list is incomplete', async () => {
		const pickerCase = await prepare();
		changeLists(pickerCase.listRoute, hideRecord);
		const isWrite = !fixture.getOperation(node, operation).isReadOnly;
		const message = await catchMessage(runWithValue(pickerCase, toNameLocator(pickerCase.name)));
		const complaint =
			/but the platform did not list all [\w ]+, so another one may have that name: Nothing was changed\./;
		if (isWrite) expect(message.replace(/ at '.+?'/, '')).toMatch(complaint);
		else expect(message).toBe('no error');
		if (isWrite) expect(new Set(fixture.requests.map(({ route }) => route))).toEqual(new Set([pickerCase.listRoute]));
	});
});

test('an email address is looked up in the whole list of people if the search for it is incomplete', async () => {
	const pickerCase = await preparePicker(
		requireValue(cases.find(({ node, operation }) => node === 'TargetUser' && operation === 'update')),
		'searchTargetUsers',
	);
	changeLists(pickerCase.listRoute, hideRecord, pickerCase.name);
	const { items } = await runWithValue(pickerCase, toNameLocator(pickerCase.name));
	pickerCase.run.checkItems(items);
});

/** Tests of records that the user enters by name instead of selecting them from the list. Each picker of each operation is tested. */
import { deburr } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import type { Field, FieldMap } from '../../nodes/core/fields/field';
import { cases, type Case, type CaseRun } from '../cases';
import { OperationFixture, createOperationFixture, runCase } from '../cases/operationFixture';
import { loadAllOperations } from '../contract/catalogue';
import { parseOperationKey } from '../contract/operationKeys';
import { callListSearch } from '../n8n-core';
import { isJsonObject, type JsonObject } from '../stand-in/http';

const locatorSchema = z.object({ __rl: z.literal(true), mode: z.string(), value: z.string() });
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
	const expectedLabels = (field: Field<unknown>) =>
		isJobPicker(field) ? ['From List', 'Latest Job', 'By Name and Date', 'By ID'] : ['From List', 'By Name', 'By ID'];
	const getLabels = (field: Field<unknown>) => getModes(field).map(({ displayName }) => displayName);
	expect(recordPickers.map(({ label, field }) => [label, getLabels(field)])).toEqual(
		recordPickers.map(({ label, field }) => [label, expectedLabels(field)]),
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
	locator: z.infer<typeof locatorSchema>;
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
		const parsed = locatorSchema.safeParse(getAtPath(parameters, path));
		const method = getListMethod(field);
		const isRecord = !WORD_LISTS.includes(method) && method !== 'searchCompanies';
		return parsed.success && parsed.data.mode === 'id' && isRecord
			? [{ path, field, locator: parsed.data, method }]
			: [];
	});
}

/** Finds the name of the record that a picker selects, in the picker's list. */
async function findName({ node, operation }: Case, { parameters }: CaseRun, picker: FilledPicker): Promise<string> {
	let paginationToken: string | undefined;
	do {
		const options = {
			node: fixture.getNode(node),
			credential: fixture.credential,
			method: picker.method,
			parameters: { ...parseOperationKey(node, operation), ...parameters },
		};
		const page = await callListSearch(paginationToken === undefined ? options : { ...options, paginationToken });
		const entry = page.results.find(({ value }) => value === picker.locator.value);
		// The form shows a job with its number. By Name and Date, only the name of the campaign and the day are entered.
		if (entry) return entry.name.replace(/ \(job \d+, (.+)\)$/, ' $1');
		paginationToken = page.paginationToken === undefined ? undefined : String(page.paginationToken);
	} while (paginationToken !== undefined);
	throw new Error(`${node} ${operation}: the list ${picker.method} has no ${picker.locator.value}`);
}

const toNameLocator = (value: string, mode = 'name') => ({ __rl: true, mode, value });

/** Runs a case after its locators were replaced by other values. */
const runWithValues = async (testCase: Case, run: CaseRun, values: Array<{ path: string[]; value: unknown }>) =>
	runCase(fixture, testCase, {
		...run,
		parameters: values.reduce((parameters, { path, value }) => replaceAtPath(parameters, path, value), run.parameters),
	});

const seededCases = cases.filter(({ hasFileOutput }) => !hasFileOutput);

test.each(seededCases)('$node $operation: every record can be entered by its name', async (testCase) => {
	const run = await testCase.prepare(fixture.customer);
	const pickers = listFilledPickers(testCase, run);
	const values = [];
	for (const picker of pickers)
		values.push({ path: picker.path, value: toNameLocator(await findName(testCase, run, picker)) });
	if (values.length === 0) return;
	const { items } = await runWithValues(testCase, run, values);
	run.checkItems(items);
	expect(items).toHaveLength(run.itemCount);
});

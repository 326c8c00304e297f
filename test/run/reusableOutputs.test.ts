/**
 * Tests that the output of one node can be used in the next one: every item names its company, and the fields of other operations accept
 * the IDs in the item. All cases are tested, so a new operation is tested as soon as it has a case.
 */
import type { IDataObject } from 'n8n-workflow';
import { collectListMethods } from '../../nodes/core/fields/field';
import { loadAllOperations, toIdLocator, cases, type Case } from '../cases';
import {
	createInputItem,
	createOperationFixture,
	TESTED_PROFILES,
	runCase,
	filterServedCases,
	selectEntriesForProfile,
} from '../cases/operationFixture';
import { getJson, requireValue } from '../n8n-core/nodeFixture';
import { fillIdField, findListMethods, ID_FIELDS, LISTS_OF_PLATFORM_TERMS } from './outputIds';
import { isRecord } from '../../nodes/core/values';

type Scalar = string | number;

/** Lists the texts and numbers in a value, each with its path. Only the first entry of each list is searched. */
function* listScalars(value: unknown, path: string[] = []): Generator<{ path: string[]; value: Scalar }> {
	if (Array.isArray(value)) yield* listScalars(value[0], path);
	else if (isRecord(value)) for (const [name, part] of Object.entries(value)) yield* listScalars(part, [...path, name]);
	else if (typeof value === 'number' || (typeof value === 'string' && value !== '')) yield { path, value };
}

const findCase = (node: string, operation: string) =>
	requireValue(cases.find((testCase) => testCase.node === node && testCase.operation === operation));
const addTitles = (testCases: readonly Case[]) =>
	testCases.map((testCase) => [`${testCase.node}: ${testCase.operation}`, testCase] as const);

test('every dropdown list has an entry in outputIds.ts', async () => {
	const lists = (await loadAllOperations()).flatMap(({ operation }) => {
		const { listSearch, loadOptions } = collectListMethods(operation.fields);
		return Object.keys({ ...listSearch, ...loadOptions });
	});
	expect([...new Set(lists)].filter((list) => !(list in ID_FIELDS) && !LISTS_OF_PLATFORM_TERMS.includes(list))).toEqual(
		[],
	);
});

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const fixture = createOperationFixture(profile);

	/** Runs a case. @returns the parameters and the JSON of the output items */
	async function runTestCase(testCase: Case, extraParameters: IDataObject = {}) {
		fixture.standIn.reset();
		const run = await testCase.prepare(fixture.customer);
		const parameters = { ...run.parameters, ...extraParameters };
		const { items } = await runCase(fixture, testCase, { ...run, parameters });
		return { parameters, items: getJson(items) };
	}

	/** Runs an operation whose form field gets a value from another operation's output. @param list the name of the field's list method */
	async function passToField(list: string, value: Scalar, contextParameters: IDataObject): Promise<void> {
		const idField = requireValue(ID_FIELDS[list]);
		const testCase = findCase(idField.node, idField.operation);
		if (testCase.isOutsideContract && profile !== 'deployed') return;
		const { parameters, inputFiles: files = {} } = idField.needsOnlyCompany
			? { parameters: fixture.customer.companyParameters }
			: await testCase.prepare(fixture.customer);
		const run = { parameters: fillIdField(idField, { ...parameters, ...contextParameters }), files };
		await runCase(fixture, testCase, run, { items: [await createInputItem(files, { value })] });
	}

	const hasField = (testCase: Case, field: string) =>
		field in fixture.getOperation(testCase.node, testCase.operation).fields;

	/** The fields that output items must have. The pattern selects the cases by their titles. */
	const EXPECTED_FIELDS: Array<[title: RegExp, names: string[]]> = [
		[/Campaign: (campaignJob\.(getMany|getSummary)|result\.get)/, ['jobId']],
		[/Campaign: (create|createAndStart)$/, ['resourceId', 'name']],
		[/^Company: (create|get)$/, ['companyResourceId', 'companyName']],
		// A company on the platform may have no name.
		[/^Company: (getMany|getOwn)$/, ['companyResourceId']],
		[/^Enrollment: (create|createAndSend|sendToPeople)$/, ['enrollmentId', 'name']],
		[/^Enrollment: (get|getMany|send|stop|restore)$/, ['enrollmentId']],
		[/^Enrollment: update$/, ['enrollmentId', 'name']],
		[/^(ApiClient|CompanyGroup|DirectEmailSetting|SamlSetting|TargetGroup): create$/, ['name', 'resourceId']],
		[/^(ApiClient|CompanyGroup|ScimIntegration|TargetGroup): update$/, ['name', 'resourceId']],
		[/^SystemUser: (create|update)$/, ['email', 'resourceId']],
		[/^Company: (update|delete)$/, ['companyName', 'companyResourceId']],
		[/: delete$/, ['resourceId']],
		[/^CompanyGroup: member\.getMany$/, ['companyGroupResourceId']],
		// The activity of people in a period has no ID (deployment activity 3).
		[/^TrainingReport: (?!userActivity)/, ['enrollmentId']],
		[/^Leaderboard: getUser/, ['targetUserResourceId']],
	];

	/** Checks that the items have the fields that the next node needs, even if the service uses other names for them. */
	function expectFields(title: string, parameters: IDataObject, items: IDataObject[]): void {
		const names = EXPECTED_FIELDS.flatMap(([pattern, fieldNames]) => (pattern.test(title) ? fieldNames : []));
		for (const json of items) for (const name of names) expect(String(json[name] ?? '')).not.toBe('');
		if (names.includes('jobId')) for (const { jobId } of items) expect(jobId).toMatch(/^[\w-]+\/\d+$/);
		const [{ name, companyName } = {}] = items;
		if (title.startsWith('Enrollment: create')) expect(name).toBe(parameters.name);
		if (title === 'Company: create') expect(companyName).toBe(parameters.name);
	}

	const shareOfCases = selectEntriesForProfile(profile, cases);

	test.each(addTitles(shareOfCases))(
		'%s: an item names its company, and other operations accept its IDs',
		async (title, testCase) => {
			const isScoped = fixture.getOperation(testCase.node, testCase.operation).scope !== 'credential';
			const { companyResourceId, companyName } = fixture.customer.company;
			const errors: string[] = [];
			const passedValues = new Set<string>();
			const outputVariants: IDataObject[] = hasField(testCase, 'output') ? [{}, { output: 'raw' }] : [{}];
			for (const extraParameters of outputVariants) {
				const { parameters, items } = await runTestCase(testCase, extraParameters);
				if (!('output' in extraParameters)) expectFields(title, parameters, items);
				if (isScoped) for (const json of items) expect(json).toMatchObject({ companyResourceId, companyName });
				// A deleted record can't be selected any more, so its ID isn't tried in other fields.
				if (/^delete/.test(testCase.operation)) continue;
				const [item = {}] = items;
				// A form in which a person is selected also needs the person's job or enrollment.
				const contextParameters: IDataObject = {};
				if ('jobId' in item) contextParameters.job = toIdLocator(String(item.jobId));
				if (testCase.node === 'TrainingReport')
					contextParameters.enrollment = parameters.enrollment ?? toIdLocator(String(item.enrollmentId));
				for (const { path, value } of listScalars(item))
					for (const list of findListMethods(testCase.node, testCase.operation, path)) {
						if (passedValues.has(`${list} ${value}`)) continue;
						passedValues.add(`${list} ${value}`);
						await passToField(list, value, /People|TargetUsers/.test(list) ? contextParameters : {}).catch(
							(error: unknown) => {
								errors.push(`${path.join('.')} in ${list}: ${error instanceof Error ? error.message : String(error)}`);
							},
						);
					}
			}
			expect(errors).toEqual([]);
		},
	);

	const otherCases = addTitles(filterServedCases(profile, cases)).filter(
		([title, testCase]) => !shareOfCases.includes(testCase) && EXPECTED_FIELDS.some(([pattern]) => pattern.test(title)),
	);

	test.each(otherCases)('%s: an item has the fields that the next node needs', async (title, testCase) => {
		const { parameters, items } = await runTestCase(testCase);
		expectFields(title, parameters, items);
	});
});

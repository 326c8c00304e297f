/**
 * Tests that the output of one node can be used in the next: every item names its company, and its IDs are accepted by the fields of other
 * operations. All cases are tested, so new operations are tested too.
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
	takeShare,
} from '../cases/operationFixture';
import { getJson, requireValue } from '../n8n-core/nodeFixture';
import { fillIdField, findLists, ID_FIELDS, LISTS_OF_PLATFORM_TERMS } from './outputIds';
import { isRecord } from '../../nodes/core/values';

type Scalar = string | number;

/** Lists the texts and numbers in a value with their paths. Of a list, only the first entry is used. */
function* listScalars(value: unknown, path: string[] = []): Generator<{ path: string[]; value: Scalar }> {
	if (Array.isArray(value)) yield* listScalars(value[0], path);
	else if (isRecord(value)) for (const [name, part] of Object.entries(value)) yield* listScalars(part, [...path, name]);
	else if (typeof value === 'number' || (typeof value === 'string' && value !== '')) yield { path, value };
}

const findCase = (node: string, operation: string) =>
	requireValue(cases.find((testCase) => testCase.node === node && testCase.operation === operation));
const addTitles = (testCases: readonly Case[]) =>
	testCases.map((testCase) => [`${testCase.node}: ${testCase.operation}`, testCase] as const);

test('every dropdown list is known here', async () => {
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

	/** Runs a case for its customer. @returns the parameters and the output */
	async function runTestCase(testCase: Case, extraParameters: IDataObject = {}) {
		fixture.standIn.reset();
		const run = await testCase.prepare(fixture.customer);
		const parameters = { ...run.parameters, ...extraParameters };
		const { items } = await runCase(fixture, testCase, { ...run, parameters });
		return { parameters, items: getJson(items) };
	}

	/** Passes a value from another operation's output to the field for it. */
	async function passToField(list: string, value: Scalar, context: IDataObject): Promise<void> {
		const idField = requireValue(ID_FIELDS[list]);
		const testCase = findCase(idField.node, idField.operation);
		if (testCase.isOutsideContract && profile !== 'deployed') return;
		const { parameters, inputFiles: files = {} } = idField.needsOnlyCompany
			? { parameters: fixture.customer.companyParameters }
			: await testCase.prepare(fixture.customer);
		const run = { parameters: fillIdField(idField, { ...parameters, ...context }), files };
		await runCase(fixture, testCase, run, { items: [await createInputItem(files, { value })] });
	}

	const hasField = (testCase: Case, field: string) =>
		field in fixture.getOperation(testCase.node, testCase.operation).fields;

	/** The fields that items must have, by a pattern for the title of the case. */
	const EXPECTED_FIELDS: Array<[title: RegExp, names: string[]]> = [
		[/Campaign: (getManyJobs|getJobSummary|searchJobUsers|opened|clicked|submitted|reported|fullReport)/, ['jobId']],
		[/Campaign: (create|createAndStart)$/, ['resourceId', 'name']],
		[/^Company: (create|get)$/, ['companyResourceId', 'companyName']],
		// A company on the platform may have no name.
		[/^Company: (getMany|getOwn)$/, ['companyResourceId']],
		[/^Enrollment: (create|createAndSend|createAndSendToPeople)$/, ['enrollmentId', 'name']],
		[/^Enrollment: (get|getMany|send|stop|restore)$/, ['enrollmentId']],
		[/^Enrollment: update$/, ['enrollmentId', 'name']],
		[/^(ApiClient|CompanyGroup|DirectEmailSetting|SamlSetting|TargetGroup): create$/, ['name', 'resourceId']],
		[/^(ApiClient|CompanyGroup|ScimIntegration|TargetGroup): update$/, ['name', 'resourceId']],
		[/^SystemUser: (create|update)$/, ['email', 'resourceId']],
		[/^Company: (update|delete)$/, ['companyName', 'companyResourceId']],
		[/: delete$/, ['resourceId']],
		[/^CompanyGroup: getMembers$/, ['companyGroupResourceId']],
		// The activity of people in a period has no ID (deployment activity 3).
		[/^TrainingReport: (?!getActivity)/, ['enrollmentId']],
		[/^Leaderboard: getUser/, ['targetUserResourceId']],
	];

	/** Checks that the items have the fields that the next node needs, whatever the service calls them. */
	function expectFields(title: string, parameters: IDataObject, items: IDataObject[]): void {
		const names = EXPECTED_FIELDS.flatMap(([pattern, fieldNames]) => (pattern.test(title) ? fieldNames : []));
		for (const json of items) for (const name of names) expect(String(json[name] ?? '')).not.toBe('');
		if (names.includes('jobId')) for (const { jobId } of items) expect(jobId).toMatch(/^[\w-]+\/\d+$/);
		const [{ name, companyName } = {}] = items;
		if (title.startsWith('Enrollment: create')) expect(name).toBe(parameters.name);
		if (title === 'Company: create') expect(companyName).toBe(parameters.name);
	}

	const shareOfCases = takeShare(profile, cases);

	test.each(addTitles(shareOfCases))(
		'%s: an item names its company, and other operations accept its IDs',
		async (title, testCase) => {
			const isScoped = fixture.getOperation(testCase.node, testCase.operation).scope !== 'credential';
			const { companyResourceId, companyName } = fixture.customer.company;
			const errors: string[] = [];
			const passedValues = new Set<string>();
			const variants: IDataObject[] = hasField(testCase, 'output') ? [{}, { output: 'raw' }] : [{}];
			for (const extraParameters of variants) {
				const { parameters, items } = await runTestCase(testCase, extraParameters);
				if (!('output' in extraParameters)) expectFields(title, parameters, items);
				if (isScoped) for (const json of items) expect(json).toMatchObject({ companyResourceId, companyName });
				// A deleted record can't be selected any more.
				if (/^delete/.test(testCase.operation)) continue;
				const [item = {}] = items;
				// A person is selected together with the job or the enrollment.
				const context: IDataObject = {};
				if ('jobId' in item) context.job = toIdLocator(String(item.jobId));
				if (testCase.node === 'TrainingReport')
					context.enrollment = parameters.enrollment ?? toIdLocator(String(item.enrollmentId));
				for (const { path, value } of listScalars(item))
					for (const list of findLists(testCase.node, testCase.operation, path)) {
						if (passedValues.has(`${list} ${value}`)) continue;
						passedValues.add(`${list} ${value}`);
						await passToField(list, value, /People|TargetUsers/.test(list) ? context : {}).catch((error: unknown) => {
							errors.push(`${path.join('.')} in ${list}: ${error instanceof Error ? error.message : String(error)}`);
						});
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

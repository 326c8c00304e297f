/**
 * What comes out of one node goes into the next: the company that every item is of, and IDs that the fields of other
 * operations take, whatever the platform calls them. The same cases as everywhere, so a new operation is tested as well.
 */
import type { IDataObject } from 'n8n-workflow';
import { collectListMethods } from '../../nodes/core/fields/field';
import { loadAllOperations, toIdLocator, cases, type Case } from '../cases';
import { createInputItem, createOperationFixture, TESTED_PROFILES, runCase, filterServedCases, takeShare } from '../cases/operationFixture';
import { getJson, requireValue } from '../n8n-core/nodeFixture';
import { fillIdField, findLists, ID_FIELDS, LISTS_OF_PLATFORM_TERMS } from './outputKinds';
import { isRecord } from '../../nodes/core/values';

type Scalar = string | number;

/** Values by their paths; of a list, those of its first entry. */
function* listScalars(value: unknown, path: string[] = []): Generator<{ path: string[]; value: Scalar }> {
	if (Array.isArray(value)) yield* listScalars(value[0], path);
	else if (isRecord(value)) for (const [name, testCase] of Object.entries(value)) yield* listScalars(testCase, [...path, name]);
	else if (typeof value === 'number' || (typeof value === 'string' && value !== '')) yield { path, value };
}

const findCase = (node: string, operation: string) =>
	requireValue(cases.find((testCase) => testCase.node === node && testCase.operation === operation));
const addTitles = (testCases: readonly Case[]) => testCases.map((testCase) => [`${testCase.node}: ${testCase.operation}`, testCase] as const);

test('every list that a field can be chosen from is known here', async () => {
	const lists = (await loadAllOperations()).flatMap(({ operation }) => {
		const { listSearch, loadOptions } = collectListMethods(operation.fields);
		return Object.keys({ ...listSearch, ...loadOptions });
	});
	expect([...new Set(lists)].filter((list) => !(list in ID_FIELDS) && !LISTS_OF_PLATFORM_TERMS.includes(list))).toEqual([]);
});

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const fixture = createOperationFixture(profile);

	/** Runs a case for its customer. */
	async function given(testCase: Case, more: IDataObject = {}) {
		fixture.standIn.reset();
		const run = await testCase.prepare(fixture.customer);
		const parameters = { ...run.parameters, ...more };
		const { items } = await runCase(fixture, testCase, { ...run, parameters });
		return { parameters, items: getJson(items) };
	}

	/** Runs an operation with a value of another operation's output in the field for it. */
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

	const hasField = (testCase: Case, field: string) => field in fixture.getOperation(testCase.node, testCase.operation).fields;

	const EXPECTED_FIELDS: Array<[what: RegExp, names: string[]]> = [
		[/Campaign: (getManyJobs|getJobSummary|searchJobUsers|opened|clicked|submitted|reported|fullReport)/, ['jobId']],
		[/Campaign: (create|createAndStart)$/, ['resourceId', 'name']],
		[/^Company: (create|get)$/, ['companyResourceId', 'companyName']],
		// A service may have a company without a name.
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
		// What people did in a period comes without any ID (deployment activity 3).
		[/^TrainingReport: (?!getActivity)/, ['enrollmentId']],
		[/^Leaderboard: getUser/, ['targetUserResourceId']],
	];

	/** Whatever the service calls it, an item has what the next node needs. */
	function expectFields(title: string, parameters: IDataObject, items: IDataObject[]): void {
		const names = EXPECTED_FIELDS.flatMap(([what, needed]) => (what.test(title) ? needed : []));
		for (const json of items) for (const name of names) expect(String(json[name] ?? '')).not.toBe('');
		if (names.includes('jobId')) for (const { jobId } of items) expect(jobId).toMatch(/^[\w-]+\/\d+$/);
		const [{ name, companyName } = {}] = items;
		if (title.startsWith('Enrollment: create')) expect(name).toBe(parameters.name);
		if (title === 'Company: create') expect(companyName).toBe(parameters.name);
	}

	const shareOfCases = takeShare(profile, cases);

	test.each(addTitles(shareOfCases))(
		'%s: an item says of which company it is, and goes into the fields for it',
		async (title, testCase) => {
			const isScoped = fixture.getOperation(testCase.node, testCase.operation).scope !== 'credential';
			const { companyResourceId, companyName } = fixture.customer.company;
			const faults = new Array<string>();
			const passedValues = new Set<string>();
			for (const more of [{}, ...(hasField(testCase, 'output') ? [{ output: 'raw' }] : [])]) {
				const { parameters, items } = await given(testCase, more);
				if (!('output' in more)) expectFields(title, parameters, items);
				if (isScoped) for (const json of items) expect(json).toMatchObject({ companyResourceId, companyName });
				// What is gone cannot be chosen any more.
				if (/^delete/.test(testCase.operation)) continue;
				const [item = {}] = items;
				// A person is one of a run or of an enrollment, which is chosen as well.
				const context: IDataObject = {
					...('jobId' in item ? { job: toIdLocator(String(item.jobId)) } : {}),
					...(testCase.node === 'TrainingReport'
						? { enrollment: parameters.enrollment ?? toIdLocator(String(item.enrollmentId)) }
						: {}),
				};
				for (const { path, value } of listScalars(item))
					for (const list of findLists(testCase.node, testCase.operation, path)) {
						if (passedValues.has(`${list} ${value}`)) continue;
						passedValues.add(`${list} ${value}`);
						await passToField(list, value, /People|TargetUsers/.test(list) ? context : {}).catch((error: unknown) => {
							faults.push(`${path.join('.')} in ${list}: ${error instanceof Error ? error.message : String(error)}`);
						});
					}
			}
			expect(faults).toEqual([]);
		},
	);

	const otherCases = addTitles(filterServedCases(profile, cases)).filter(
		([title, testCase]) => !shareOfCases.includes(testCase) && EXPECTED_FIELDS.some(([what]) => what.test(title)),
	);

	test.each(otherCases)('%s: an item has what the next node needs', async (title, testCase) => {
		const { parameters, items } = await given(testCase);
		expectFields(title, parameters, items);
	});
});

/**
 * What comes out of one node goes into the next: the company that every item is of, and IDs that the fields of other
 * operations take, whatever the platform calls them. The same cases as everywhere, so a new operation is tested as well.
 */
import type { IDataObject } from 'n8n-workflow';
import { collectListMethods } from '../../nodes/core/fields/field';
import { loadAllOperations, toIdLocator, cases, type Case } from '../cases';
import { createInputItem, createOperationFixture, TESTED_PROFILES, runCase, filterServedCases, takeShare } from '../cases/operationFixture';
import { getJson, requireValue } from '../n8n-core/nodeFixture';
import { filled, listsOf, TAKERS, WORDS } from './outputKinds';
import { isRecord } from '../../nodes/core/values';

type Scalar = string | number;

/** Values by their paths; of a list, those of its first entry. */
function* scalars(value: unknown, path: string[] = []): Generator<{ path: string[]; value: Scalar }> {
	if (Array.isArray(value)) yield* scalars(value[0], path);
	else if (isRecord(value)) for (const [name, each] of Object.entries(value)) yield* scalars(each, [...path, name]);
	else if (typeof value === 'number' || (typeof value === 'string' && value !== '')) yield { path, value };
}

const caseOf = (node: string, operation: string) =>
	requireValue(cases.find((each) => each.node === node && each.operation === operation));
const titled = (some: readonly Case[]) => some.map((each) => [`${each.node}: ${each.operation}`, each] as const);

test('every list that a field can be chosen from is known here', async () => {
	const lists = (await loadAllOperations()).flatMap(({ operation }) => {
		const { listSearch, loadOptions } = collectListMethods(operation.fields);
		return Object.keys({ ...listSearch, ...loadOptions });
	});
	expect([...new Set(lists)].filter((list) => !(list in TAKERS) && !WORDS.includes(list))).toEqual([]);
});

describe.each(TESTED_PROFILES)('$named', ({ personality }) => {
	const g = createOperationFixture(personality);

	/** Runs a case for its customer. */
	async function given(each: Case, more: IDataObject = {}) {
		g.standIn.reset();
		const run = await each.prepare(g.customer);
		const parameters = { ...run.parameters, ...more };
		const { items } = await runCase(g, each, { ...run, parameters });
		return { parameters, items: getJson(items) };
	}

	/** Runs an operation with a value of another operation's output in the field for it. */
	async function take(list: string, value: Scalar, context: IDataObject): Promise<void> {
		const taker = requireValue(TAKERS[list]);
		const each = caseOf(taker.node, taker.operation);
		if (each.isOutsideContract && personality !== 'deployed') return;
		const { parameters, inputFiles: files = {} } = taker.isBare
			? { parameters: g.customer.companyParameters }
			: await each.prepare(g.customer);
		const run = { parameters: filled(taker, { ...parameters, ...context }), files };
		await runCase(g, each, run, { items: [await createInputItem(files, { value })] });
	}

	const offers = (each: Case, field: string) => field in g.getOperation(each.node, each.operation).fields;

	const READY: Array<[what: RegExp, names: string[]]> = [
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
	function expectReady(title: string, parameters: IDataObject, items: IDataObject[]): void {
		const names = READY.flatMap(([what, needed]) => (what.test(title) ? needed : []));
		for (const json of items) for (const name of names) expect(String(json[name] ?? '')).not.toBe('');
		if (names.includes('jobId')) for (const { jobId } of items) expect(jobId).toMatch(/^[\w-]+\/\d+$/);
		const [{ name, companyName } = {}] = items;
		if (title.startsWith('Enrollment: create')) expect(name).toBe(parameters.name);
		if (title === 'Company: create') expect(companyName).toBe(parameters.name);
	}

	const share = takeShare(personality, cases);

	test.each(titled(share))(
		'%s: an item says of which company it is, and goes into the fields for it',
		async (title, each) => {
			const isScoped = g.getOperation(each.node, each.operation).scope !== 'credential';
			const { companyResourceId, companyName } = g.customer.company;
			const faults = new Array<string>();
			const taken = new Set<string>();
			for (const more of [{}, ...(offers(each, 'output') ? [{ output: 'raw' }] : [])]) {
				const { parameters, items } = await given(each, more);
				if (!('output' in more)) expectReady(title, parameters, items);
				if (isScoped) for (const json of items) expect(json).toMatchObject({ companyResourceId, companyName });
				// What is gone cannot be chosen any more.
				if (/^delete/.test(each.operation)) continue;
				const [item = {}] = items;
				// A person is one of a run or of an enrollment, which is chosen as well.
				const context: IDataObject = {
					...('jobId' in item ? { job: toIdLocator(String(item.jobId)) } : {}),
					...(each.node === 'TrainingReport'
						? { enrollment: parameters.enrollment ?? toIdLocator(String(item.enrollmentId)) }
						: {}),
				};
				for (const { path, value } of scalars(item))
					for (const list of listsOf(each.node, each.operation, path)) {
						if (taken.has(`${list} ${value}`)) continue;
						taken.add(`${list} ${value}`);
						await take(list, value, /People|TargetUsers/.test(list) ? context : {}).catch((error: unknown) => {
							faults.push(`${path.join('.')} in ${list}: ${error instanceof Error ? error.message : String(error)}`);
						});
					}
			}
			expect(faults).toEqual([]);
		},
	);

	const others = titled(filterServedCases(personality, cases)).filter(
		([title, each]) => !share.includes(each) && READY.some(([what]) => what.test(title)),
	);

	test.each(others)('%s: an item has what the next node needs', async (title, each) => {
		const { parameters, items } = await given(each);
		expectReady(title, parameters, items);
	});
});

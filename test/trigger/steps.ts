/**
 * The arbitraries of the property test. fast-check draws random values from them: a setup of a platform and its trigger,
 * and the steps of a history.
 */
import fc from 'fast-check';
import type { GlobalListKind } from './treePlatform';

export const COMPANY_COUNT = 5;
export const ROUTES: Record<string, string> = {
	phishing: 'POST /api/phishing-simulator/phishing-campaign/search',
	smishing: 'POST /api/smishing-simulator/smishing-campaign/search',
	jobs: 'POST /api/phishing-simulator/phishing-campaign-job-report/search',
	enrollment: 'POST /api/enrollments/search',
	reported: 'POST /api/notified-emails/search',
};

const company = fc.nat({ max: COMPANY_COUNT - 1 });
/** The owner of a record; null is the reseller. */
const owner = fc.oneof({ weight: 9, arbitrary: company }, { weight: 1, arbitrary: fc.constant(null) });
/** The hours between the creation of a record and its first appearance in a list. */
const delayHours = fc.constantFrom(0, 0, 1, 12, 20, 23);

/** Builds the arbitrary for the steps of one type. */
const buildStepArbitrary = <Type extends string, F extends object>(
	type: Type,
	fields: { [K in keyof F]: fc.Arbitrary<F[K]> },
) => fc.record<{ type: Type } & F>({ type: fc.constant(type), ...fields } as never);

export const creationArbitrary = buildStepArbitrary('create', { owner, delayHours, listIndex: fc.nat() });
export const stepArbitrary = fc.oneof(
	{ weight: 6, arbitrary: creationArbitrary },
	{
		weight: 2,
		arbitrary: buildStepArbitrary('create several', {
			owner,
			count: fc.integer({ min: 2, max: 5 }),
			listIndex: fc.nat(),
		}),
	},
	{
		weight: 3,
		arbitrary: buildStepArbitrary('set status', { recordIndex: fc.nat(), status: fc.constantFrom('Running', 'Done') }),
	},
	{ weight: 8, arbitrary: buildStepArbitrary('poll', {}) },
	{
		weight: 3,
		arbitrary: buildStepArbitrary('advance time', { hours: fc.constantFrom(0, 0.25, 0.5, 1, 6, 23, 25, 40, 100) }),
	},
	{
		weight: 3,
		arbitrary: buildStepArbitrary('fail', {
			// Null is the global list.
			target: fc.oneof(company, company, fc.constantFrom<'all' | null>('all', null)),
		}),
	},
	{ weight: 2, arbitrary: buildStepArbitrary('refuse', { company }) },
	{ weight: 2, arbitrary: buildStepArbitrary('repair', {}) },
	{ weight: 2, arbitrary: buildStepArbitrary('restart n8n', {}) },
	{ weight: 1, arbitrary: buildStepArbitrary('poll twice at once', {}) },
	{ weight: 1, arbitrary: buildStepArbitrary('list last company', {}) },
	// A record is created between two requests. A list that was already read lacks it, and a list that is read later
	// contains it.
	{
		weight: 4,
		arbitrary: buildStepArbitrary('poll while creating', {
			owner,
			delayHours,
			listIndex: fc.nat(),
			afterRequests: fc.nat({ max: 9 }),
		}),
	},
	// Between two pages, a record is deleted and another one is created. So other records move from the next page to the
	// page that was read.
	{
		weight: 3,
		arbitrary: buildStepArbitrary('poll while shifting', {
			owner,
			delayHours,
			listIndex: fc.nat(),
			afterRequests: fc.nat({ max: 4 }),
		}),
	},
);
export type Step = typeof stepArbitrary extends fc.Arbitrary<infer S> ? S : never;

const globalList = fc.constantFrom<GlobalListKind>('all', 'all', 'all', 'own', 'refused', 'without grandchildren');
export const setupArbitrary = fc.record({
	lists: fc.constantFrom<string[]>(
		['phishing'],
		['phishing', 'smishing'],
		['jobs'],
		['enrollment'],
		['enrollment'],
		['reported'],
	),
	scope: fc.constantFrom('every', 'every', 'every', 'every', 'one'),
	triggerOn: fc.constantFrom('new', 'new', 'new', 'statusChanged'),
	/** 'Emit Existing Since' in hours before the first poll; null if the field is empty. */
	existingHours: fc.constantFrom(null, null, null, 12, 72),
	pageSize: fc.constantFrom(1, 2, 3, 100),
	askEachEvery: fc.constantFrom(0, 0, 15),
	askEachCompany: fc.constantFrom(false, false, false, true),
	parents: fc.constantFrom<Array<Array<number | null>>>(
		[null, 0, 1, null, 0],
		[null, 0, 1, 1, null],
		[null, 0, 1, 2, 0],
		[null, null, 1, null, 3],
		[null, null, null, null, null],
	),
	listsIncludeDescendants: fc.constantFrom(true, true, false),
	childrenListedFirst: fc.constantFrom(null, 0, 1, 2, 4),
	selectedCompanies: fc.option(fc.subarray([0, 1, 2, 3, 4], { minLength: 1 }), { freq: 3 }),
	/** The kinds of the global lists of the first and the second watched list. */
	globalLists: fc.tuple(globalList, globalList),
});
export type Setup = typeof setupArbitrary extends fc.Arbitrary<infer S> ? S : never;

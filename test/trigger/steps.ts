/**
 * The arbitraries of the property test, which are fast-check's descriptions of random values. They describe the setup
 * of a platform and its trigger, and the steps of a history.
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

const companyArbitrary = fc.nat({ max: COMPANY_COUNT - 1 });
/** The owner of a record: the index of a company, or null for the reseller. */
const ownerArbitrary = fc.oneof(
	{ weight: 9, arbitrary: companyArbitrary },
	{ weight: 1, arbitrary: fc.constant(null) },
);
/** The hours between the creation of a record and its first appearance in a list. */
const delayHoursArbitrary = fc.constantFrom(0, 0, 1, 12, 20, 23);

/** Builds the arbitrary for all steps of one type, from the arbitraries of the step's fields. */
const buildStepArbitrary = <Type extends string, F extends object>(
	type: Type,
	fields: { [K in keyof F]: fc.Arbitrary<F[K]> },
) => fc.record<{ type: Type } & F>({ type: fc.constant(type), ...fields } as never);

export const creationArbitrary = buildStepArbitrary('create', {
	owner: ownerArbitrary,
	delayHours: delayHoursArbitrary,
	listIndex: fc.nat(),
});
export const stepArbitrary = fc.oneof(
	{ weight: 6, arbitrary: creationArbitrary },
	{
		weight: 2,
		arbitrary: buildStepArbitrary('create several', {
			owner: ownerArbitrary,
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
			// The index of a company, all companies, or null for the global list.
			target: fc.oneof(companyArbitrary, companyArbitrary, fc.constantFrom<'all' | null>('all', null)),
		}),
	},
	{ weight: 2, arbitrary: buildStepArbitrary('refuse', { company: companyArbitrary }) },
	{ weight: 2, arbitrary: buildStepArbitrary('repair', {}) },
	{ weight: 2, arbitrary: buildStepArbitrary('restart n8n', {}) },
	{ weight: 1, arbitrary: buildStepArbitrary('poll twice at once', {}) },
	{ weight: 1, arbitrary: buildStepArbitrary('list last company', {}) },
	// In this step, a record is created between two requests. A list that was already read lacks the record, and a list
	// that is read later contains it.
	{
		weight: 4,
		arbitrary: buildStepArbitrary('poll while creating', {
			owner: ownerArbitrary,
			delayHours: delayHoursArbitrary,
			listIndex: fc.nat(),
			afterRequests: fc.nat({ max: 9 }),
		}),
	},
	// In this step, a record is deleted and another one is created between two requests for pages. So other records may
	// move from the next page to the page that was already read.
	{
		weight: 3,
		arbitrary: buildStepArbitrary('poll while shifting', {
			owner: ownerArbitrary,
			delayHours: delayHoursArbitrary,
			listIndex: fc.nat(),
			afterRequests: fc.nat({ max: 4 }),
		}),
	},
);
export type Step = typeof stepArbitrary extends fc.Arbitrary<infer S> ? S : never;

const globalListArbitrary = fc.constantFrom<GlobalListKind>(
	'all',
	'all',
	'all',
	'own',
	'refused',
	'without grandchildren',
);
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
	/** 'Include Existing Since' in hours before the first poll; null if the field is empty. */
	includedHours: fc.constantFrom(null, null, null, 12, 72),
	pageSize: fc.constantFrom(1, 2, 3, 100),
	readEachCompanyEvery: fc.constantFrom(0, 0, 15),
	readEachCompany: fc.constantFrom(false, false, false, true),
	parents: fc.constantFrom<Array<Array<number | null>>>(
		[null, 0, 1, null, 0],
		[null, 0, 1, 1, null],
		[null, 0, 1, 2, 0],
		[null, null, 1, null, 3],
		[null, null, null, null, null],
	),
	shouldListDescendants: fc.constantFrom(true, true, false),
	leadingChildCount: fc.constantFrom(null, 0, 1, 2, 4),
	selectedCompanies: fc.option(fc.subarray([0, 1, 2, 3, 4], { minLength: 1 }), { freq: 3 }),
	/** The kinds of the two global lists: that of the first watched list, and that of the second. */
	globalLists: fc.tuple(globalListArbitrary, globalListArbitrary),
});
export type Setup = typeof setupArbitrary extends fc.Arbitrary<infer S> ? S : never;

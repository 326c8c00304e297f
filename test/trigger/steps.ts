/** What may happen between the polls of a trigger, and on which platforms: drawn by the property test. */
import fc from 'fast-check';
import type { GlobalListKind } from './treePlatform';

export const COMPANIES = 5;
export const ROUTES: Record<string, string> = {
	phishing: 'POST /api/phishing-simulator/phishing-campaign/search',
	smishing: 'POST /api/smishing-simulator/smishing-campaign/search',
	jobs: 'POST /api/phishing-simulator/phishing-campaign-job-report/search',
	enrollment: 'POST /api/enrollments/search',
	reported: 'POST /api/notified-emails/search',
};

const company = fc.nat({ max: COMPANIES - 1 });
/** The reseller tries things as well. */
const owner = fc.oneof({ weight: 9, arbitrary: company }, { weight: 1, arbitrary: fc.constant(null) });
const late = fc.constantFrom(0, 0, 1, 12, 20, 23);
const doing = <D extends string, F extends object>(name: D, fields: { [K in keyof F]: fc.Arbitrary<F[K]> }) =>
	fc.record<{ do: D } & F>({ do: fc.constant(name), ...fields } as never);
export const createArbitrary = doing('create', { owner, late, of: fc.nat() });
export const stepArbitrary = fc.oneof(
	{ weight: 6, arbitrary: createArbitrary },
	{ weight: 2, arbitrary: doing('burst', { owner, count: fc.integer({ min: 2, max: 5 }), of: fc.nat() }) },
	{ weight: 3, arbitrary: doing('status', { of: fc.nat(), to: fc.constantFrom('Running', 'Done') }) },
	{ weight: 8, arbitrary: doing('poll', {}) },
	{ weight: 3, arbitrary: doing('pass', { hours: fc.constantFrom(0, 0.25, 0.5, 1, 6, 23, 25, 40, 100) }) },
	{
		weight: 3,
		arbitrary: doing('fail', { what: fc.oneof(company, company, fc.constantFrom<'all' | null>('all', null)) }),
	},
	{ weight: 2, arbitrary: doing('refuse', { what: company }) },
	{ weight: 2, arbitrary: doing('mend', {}) },
	{ weight: 2, arbitrary: doing('restart', {}) },
	{ weight: 1, arbitrary: doing('two polls', {}) },
	{ weight: 1, arbitrary: doing('company comes', {}) },
	// Between two requests a record comes: a list that was read already lacks it, and one that is read later has it.
	{ weight: 4, arbitrary: doing('busy poll', { owner, late, of: fc.nat(), after: fc.nat({ max: 9 }) }) },
	// Between two pages one record goes, and another one comes: others move from the next page to the one that was read.
	{ weight: 3, arbitrary: doing('shifting poll', { owner, late, of: fc.nat(), after: fc.nat({ max: 4 }) }) },
);
export type Step = typeof stepArbitrary extends fc.Arbitrary<infer S> ? S : never;

const unscoped = fc.constantFrom<GlobalListKind>('all', 'all', 'all', 'own', 'refused', 'without grandchildren');
export const setupArbitrary = fc.record({
	lists: fc.constantFrom<string[]>(
		...[['phishing'], ['phishing', 'smishing'], ['jobs'], ['enrollment'], ['enrollment'], ['reported']],
	),
	scope: fc.constantFrom('every', 'every', 'every', 'every', 'one'),
	triggerOn: fc.constantFrom('new', 'new', 'new', 'statusChanged'),
	/** 'Emit Existing Since', in hours before the first poll. */
	existing: fc.constantFrom(null, null, null, 12, 72),
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
	listsBelow: fc.constantFrom(true, true, false),
	flat: fc.constantFrom(null, 0, 1, 2, 4),
	chosen: fc.option(fc.subarray([0, 1, 2, 3, 4], { minLength: 1 }), { freq: 3 }),
	unscoped: fc.tuple(unscoped, unscoped),
});
export type Setup = typeof setupArbitrary extends fc.Arbitrary<infer S> ? S : never;

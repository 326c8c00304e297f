/** What happens in a history: to the lists, and to n8n. */
import fc from 'fast-check';
import { COMPANIES, WINDOW } from './setups';

const place = { company: fc.nat(COMPANIES - 1), list: fc.nat(1) };
const inTime = fc.constantFrom<number>(0, 0, 0, 1, 2, 4, WINDOW);
const create = fc.record({ do: fc.constant('create' as const), ...place, late: inTime });
/** Several at once in one list, so that it has pages. */
const burst = fc.record({
	do: fc.constant('burst' as const),
	...place,
	lates: fc.array(inTime, { minLength: 2, maxLength: 4, size: 'max' }),
});
const setStatus = fc.record({
	do: fc.constant('status' as const),
	of: fc.nat(),
	status: fc.constantFrom('Running', 'Completed', 'Stopped'),
});
const remove = fc.record({ do: fc.constant('delete' as const), of: fc.nat() });
const restore = fc.record({ do: fc.constant('restore' as const), of: fc.nat() });
/** Anything that happens to the lists. */
export const change = fc.oneof(
	{ weight: 6, arbitrary: create },
	{ weight: 1, arbitrary: burst },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('same moment' as const), ...place, of: fc.nat() }) },
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('too late' as const),
			...place,
			late: fc.constantFrom<number>(6, 11, 60, 400),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('future' as const), ...place, ahead: fc.constantFrom(1, 30) }) },
	{ weight: 3, arbitrary: remove },
	{ weight: 1, arbitrary: restore },
	{ weight: 2, arbitrary: setStatus },
);
/** What happens to the lists while a poll reads them: at one moment, or at several. */
const moments = fc.array(fc.record({ after: fc.nat(6), changes: fc.array(change, { minLength: 1, maxLength: 3 }) }), {
	minLength: 1,
	maxLength: 3,
});
const pass = fc.record({ do: fc.constant('pass' as const), hours: fc.constantFrom(0.01, 1, 3, 7, 60) });
const poll = fc.record({ do: fc.constant('poll' as const) });
const shiftingPoll = fc.record({ do: fc.constant('shifting poll' as const), moments });
/** A poll whose time is up after so many requests. */
const cutPoll = fc.record({ do: fc.constant('cut poll' as const), after: fc.constantFrom(0, 0, 1, 1, 2, 4) });
const troubles = [
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('failing page' as const),
			page: fc.constantFrom(undefined, 1, 2),
			list: fc.nat(1),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('failing company' as const), company: fc.nat(COMPANIES - 1) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('failing details' as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('activation' as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('overlapping polls' as const), after: fc.nat(5) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('rename' as const) }) },
];
const step = fc.oneof(
	{ weight: 10, arbitrary: change },
	{ weight: 3, arbitrary: pass },
	{ weight: 6, arbitrary: poll },
	{ weight: 2, arbitrary: shiftingPoll },
	{ weight: 1, arbitrary: cutPoll },
	...troubles,
);
/** A busy time: newer records in front of older ones, more than a poll can read. */
const busy = fc.tuple(
	burst,
	fc.record({ do: fc.constant('pass' as const), hours: fc.constantFrom(1, 3) }),
	burst,
	fc.oneof(cutPoll, shiftingPoll),
);
/** What concerns a status, and all else that leaves no doubt about which status a poll has seen. */
const statusStep = fc.oneof(
	{
		weight: 2,
		arbitrary: fc.record({ do: fc.constant('create' as const), ...place, late: fc.constantFrom<number>(0, 1, 300) }),
	},
	{ weight: 6, arbitrary: setStatus },
	{ weight: 1, arbitrary: remove },
	{ weight: 1, arbitrary: restore },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('pass' as const), hours: fc.constantFrom(0.01, 1, 60) }) },
	{ weight: 6, arbitrary: poll },
	{ weight: 1, arbitrary: cutPoll },
	...troubles,
);
export type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
export type Moments = typeof moments extends fc.Arbitrary<infer T> ? T : never;
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/**
 * Whether a change at one moment can hide a record from every page without a trace: one is deleted, and another comes
 * that is not new, so that neither the number of records nor an unknown one tells.
 */
export const mayHide = (changes: Change[]) =>
	changes.some((each) => each.do === 'delete') &&
	changes.some((each) => each.do === 'restore' || each.do === 'too late');

export const pageSizes = fc.constantFrom(1, 2, 3, 3, 5, undefined, undefined, undefined);
// The sandwich of a poll between two batches of changes is what breaks a trigger, so there are many of both.
export const steps = fc
	.array(
		fc.oneof(
			{ weight: 10, arbitrary: step.map((each): Step[] => [each]) },
			{ weight: 1, arbitrary: fc.array(busy, { minLength: 2, maxLength: 3 }).map((all): Step[] => all.flat()) },
		),
		{
			minLength: 3,
			maxLength: 18,
			size: 'max',
		},
	)
	.map((all) => all.flat());

/** What there is before the first poll, where statuses are watched. */
export const begin = fc.array(
	fc.record({ do: fc.constant('create' as const), ...place, late: fc.constantFrom<number>(0, 1, 300) }),
	{ maxLength: 6, size: 'max' },
);
export const rest = fc.array(statusStep, { minLength: 3, maxLength: 24, size: 'max' });

/**
 * Uses random histories to test what docs/triggers.md promises for events of people: each event that is listed within the
 * window is emitted once, for its company, and nothing else is emitted. Set RUNS=2000 to run more histories, and SEED=fresh
 * to run different ones.
 */
import fc from 'fast-check';
import { startStandIn } from '../stand-in';
import { EventHistory, type EventSetup, type EventStep } from './eventHistory';
import { CAMPAIGN_COUNT, GAP_KINDS, PEOPLE_COUNT } from './eventPlatform';
import { PollingFixture } from './pollingFixture';

const RUNS = Number(process.env.RUNS ?? 15);
const { SEED = '5' } = process.env;
const seed = SEED === 'fresh' ? Math.floor(performance.timeOrigin) % 2 ** 31 : Number(SEED);
const COMPANY_COUNT = 5;

const TREES: Array<Array<number | null>> = [
	[null, null, null, null, null],
	[null, 0, 1, null, 3],
	[null, 0, 0, null, null],
];

/** Most steps belong to the same two companies, so that several of them concern the same events. */
const companyArbitrary = fc.oneof(
	{ weight: 2, arbitrary: fc.constantFrom(0, 1) },
	{ weight: 1, arbitrary: fc.nat(COMPANY_COUNT - 1) },
);
const setupArbitrary: fc.Arbitrary<EventSetup> = fc.record({
	parents: fc.constantFrom(...TREES),
	shouldListDescendants: fc.boolean(),
	leadingChildCount: fc.constantFrom(null, 0, 1),
	selectedCompanies: fc.oneof(
		{ weight: 3, arbitrary: fc.constant(null) },
		{ weight: 1, arbitrary: fc.uniqueArray(companyArbitrary, { minLength: 1, maxLength: 4 }) },
	),
	pageSize: fc.constantFrom(1, 2, 100),
	windowDays: fc.constantFrom(1, 2, 5),
	includeUnconfirmed: fc.boolean(),
	roundsToDays: fc.boolean(),
	hasDisplayTimes: fc.boolean(),
	maxTimelinePageSize: fc.constantFrom(2, 100),
});

const eventFields = {
	owner: companyArbitrary,
	person: fc.nat(PEOPLE_COUNT - 1),
	campaign: fc.nat(CAMPAIGN_COUNT - 1),
	actionType: fc.constantFrom('LinkClicked', 'TrainingCompleted'),
};
const createArbitrary: fc.Arbitrary<EventStep> = fc.record({
	type: fc.constant('create' as const),
	delayHours: fc.constantFrom(0, 0, 0, 3, 20, 60),
	count: fc.constantFrom(1, 1, 1, 2),
	...eventFields,
});
const failureArbitrary: fc.Arbitrary<EventStep> = fc.record({
	type: fc.constant('fail' as const),
	company: companyArbitrary,
});
const gapArbitrary: fc.Arbitrary<EventStep> = fc.record({
	type: fc.constant('leave a gap' as const),
	company: companyArbitrary,
	gap: fc.constantFrom(...GAP_KINDS),
});
const pollArbitrary: fc.Arbitrary<EventStep> = fc.record({ type: fc.constant('poll' as const) });
const pollWithGapArbitrary: fc.Arbitrary<EventStep> = fc.record({
	type: fc.constant('poll with a gap' as const),
	gap: fc.constantFrom(...GAP_KINDS),
	hours: fc.constantFrom(1, 30, 100, 200),
	...eventFields,
});
/** A step before the first poll. */
const initialStepArbitrary: fc.Arbitrary<EventStep> = fc.oneof(
	{ weight: 8, arbitrary: createArbitrary },
	{ weight: 1, arbitrary: failureArbitrary },
	{ weight: 1, arbitrary: gapArbitrary },
);
const stepArbitrary: fc.Arbitrary<EventStep> = fc.oneof(
	{ weight: 8, arbitrary: createArbitrary },
	{ weight: 8, arbitrary: pollArbitrary },
	{
		weight: 3,
		arbitrary: fc.record({ type: fc.constant('advance time' as const), hours: fc.constantFrom(1, 1, 6, 30, 100, 200) }),
	},
	{ weight: 2, arbitrary: failureArbitrary },
	{ weight: 1, arbitrary: fc.record({ type: fc.constant('refuse' as const), company: companyArbitrary }) },
	{ weight: 1, arbitrary: gapArbitrary },
	{ weight: 3, arbitrary: pollWithGapArbitrary },
	{ weight: 2, arbitrary: fc.record({ type: fc.constant('repair' as const) }) },
	{ weight: 3, arbitrary: fc.record({ type: fc.constant('confirm' as const), ...eventFields }) },
	{ weight: 1, arbitrary: fc.record({ type: fc.constant('remove' as const), index: fc.nat(30) }) },
	{ weight: 1, arbitrary: fc.record({ type: fc.constant('list again' as const), index: fc.nat(30) }) },
	{ weight: 1, arbitrary: fc.record({ type: fc.constant('restart n8n' as const) }) },
	{ weight: 1, arbitrary: fc.record({ type: fc.constant('poll twice at once' as const) }) },
	{
		weight: 2,
		arbitrary: fc.record({
			type: fc.constant('poll while creating' as const),
			afterRequests: fc.nat(12),
			...eventFields,
		}),
	},
);

let fixture: PollingFixture;
beforeAll(async () => {
	fixture = new PollingFixture(await startStandIn({ companyCount: COMPANY_COUNT, profile: 'deployed' }));
	// The pauses between retries are multiplied by a random number. With 0, they take no time.
	jest.spyOn(Math, 'random').mockReturnValue(0);
	jest.spyOn(Date, 'now').mockImplementation(() => fixture.now);
});
afterAll(async () => {
	jest.restoreAllMocks();
	await fixture.standIn.close();
});

test('each event is emitted once, for its company', async () => {
	let requiredCount = 0;
	const property = fc.asyncProperty(
		setupArbitrary,
		fc.array(initialStepArbitrary, { maxLength: 6 }),
		fc.oneof(pollArbitrary, pollWithGapArbitrary),
		fc.array(stepArbitrary, { minLength: 10, maxLength: 40, size: 'max' }),
		async (setup, initialSteps, firstPoll, steps) => {
			const history = new EventHistory(fixture, setup);
			await history.run([...initialSteps, firstPoll, ...steps]);
			requiredCount += history.requiredCount;
		},
	);
	const details = await fc.check(property, { numRuns: RUNS, seed, endOnFailure: true });
	if (details.failed)
		throw new Error(
			`seed ${details.seed}, after ${details.numRuns}: ${fc.stringify(details.counterexample)}\n${String(details.errorInstance)}`,
		);
	expect(requiredCount).toBeGreaterThan(RUNS);
}, 7_200_000);

/**
 * Uses random sequences of events to test what docs/triggers.md promises: each record that appears in a list within 24 hours of its
 * create time is emitted once, for its company, and nothing else is emitted. This is true whatever happens to lists,
 * companies and n8n between the polls. Set RUNS=2000 to run more sequences, and SEED=fresh to run
 * different ones.
 */
import fc from 'fast-check';
import { startStandIn } from '../stand-in';
import { History } from './history';
import { PollingFixture } from './pollingFixture';
import { COMPANY_COUNT, creationArbitrary, setupArbitrary, stepArbitrary } from './steps';

const RUNS = Number(process.env.RUNS ?? 25);
const { SEED = '5' } = process.env;
const seed = SEED === 'fresh' ? Math.floor(performance.timeOrigin) % 2 ** 31 : Number(SEED);

let contractFixture: PollingFixture;
/** The fixture for histories with reported emails, which a platform as in the contract doesn't have. */
let deployedFixture: PollingFixture;
/** The fixture of the current history. */
let fixture: PollingFixture;
beforeAll(async () => {
	contractFixture = new PollingFixture(await startStandIn({ companyCount: COMPANY_COUNT }));
	deployedFixture = new PollingFixture(await startStandIn({ companyCount: COMPANY_COUNT, profile: 'deployed' }));
	fixture = contractFixture;
	// The pauses between retries are multiplied by a random number. With 0, they take no time.
	jest.spyOn(Math, 'random').mockReturnValue(0);
	jest.spyOn(Date, 'now').mockImplementation(() => fixture.now);
});
afterAll(async () => {
	jest.restoreAllMocks();
	await contractFixture.standIn.close();
	await deployedFixture.standIn.close();
});

test('each record is emitted once, for its company', async () => {
	const property = fc.asyncProperty(
		setupArbitrary,
		fc.array(creationArbitrary, { maxLength: 6 }),
		fc.array(stepArbitrary, { minLength: 10, maxLength: 40, size: 'max' }),
		async (setup, initialRecords, steps) => {
			fixture = setup.lists.includes('reported') ? deployedFixture : contractFixture;
			await new History(fixture, setup).run(initialRecords, steps);
		},
	);
	const details = await fc.check(property, { numRuns: RUNS, seed });
	if (details.failed)
		throw new Error(
			`seed ${details.seed}, after ${details.numRuns}: ${fc.stringify(details.counterexample)}\n${String(details.errorInstance)}`,
		);
}, 7_200_000);

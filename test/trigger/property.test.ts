/**
 * The promise of the triggers (docs/triggers.md), as a property: whatever happens to lists, companies and n8n between the polls,
 * each record that is listed within 24 hours of its create time is given once, as its own company's, and nothing else is.
 * RUNS=2000 SEED=fresh runs more histories than usual, and others.
 */
import fc from 'fast-check';
import { startStandIn } from '../stand-in';
import { History } from './history';
import { PollingFixture } from './pollingFixture';
import { COMPANIES, createArbitrary, setupArbitrary, stepArbitrary } from './steps';

const RUNS = Number(process.env.RUNS ?? 25);
const { SEED = '5' } = process.env;
const seed = SEED === 'fresh' ? Math.floor(performance.timeOrigin) % 2 ** 31 : Number(SEED);

let contract: PollingFixture;
/** What the contract does not have. */
let beside: PollingFixture;
let fixture: PollingFixture;
beforeAll(async () => {
	contract = fixture = new PollingFixture(await startStandIn({ companyCount: COMPANIES }));
	beside = new PollingFixture(await startStandIn({ companyCount: COMPANIES, profile: 'deployed' }));
	// Pauses between tries are random: here they take no time.
	jest.spyOn(Math, 'random').mockReturnValue(0);
	jest.spyOn(Date, 'now').mockImplementation(() => fixture.now);
});
afterAll(async () => {
	jest.restoreAllMocks();
	await contract.standIn.close();
	await beside.standIn.close();
});

test('each record is given once, as its own company’s', async () => {
	const property = fc.asyncProperty(
		setupArbitrary,
		fc.array(createArbitrary, { maxLength: 6 }),
		fc.array(stepArbitrary, { minLength: 10, maxLength: 40, size: 'max' }),
		async (chosen, before, steps) => {
			fixture = chosen.lists.includes('reported') ? beside : contract;
			await new History(fixture, chosen).run(before, steps);
		},
	);
	const details = await fc.check(property, { numRuns: RUNS, seed });
	if (details.failed)
		throw new Error(
			`seed ${details.seed}, after ${details.numRuns}: ${fc.stringify(details.counterexample)}\n${String(details.errorInstance)}`,
		);
}, 7_200_000);

/**
 * The promise of the triggers, as a property: whatever happens to the lists and between the polls, every record that
 * became visible after the baseline and is there at a successful poll is given in exactly one execution.
 * A history holds what nobody thought of, so this is the test that has found most of what the triggers had wrong. A small
 * change of the sources is noticed sooner by the tests beside it, and what is found here is to become one of those.
 * LONG_RUN=1 runs many more histories, RUNS as many as it says; SEED repeats a run.
 */
import fc from 'fast-check';
import { deepOr } from '../setup/depth';
import { startService } from '../stand-in';
import { PollingFixture } from './pollingFixture';
import { allFigures, figures } from './property/figures';
import { History } from './property/history';
import { COMPANIES, setups, WINDOW, type Setup } from './property/setups';
import { begin, change, pageSizes, rest, steps, type Change, type Step } from './property/steps';
import type { Platform } from './property/told';

const RUNS = Number(process.env.RUNS ?? (process.env.LONG_RUN ? 10_000 : deepOr(300, 4)));
const SEED = process.env.SEED === undefined ? undefined : Number(process.env.SEED);
const LIMIT_MS = process.env.LONG_RUN ? 36_000_000 : 600_000;

let platform: Platform;
beforeAll(async () => {
	const service = await startService({ companies: COMPANIES });
	platform = { service, fixture: new PollingFixture(service), elapsed: 0 };
	// Pauses between tries are random: here they take no time.
	jest.spyOn(Math, 'random').mockReturnValue(0);
	const performanceNow = performance.now.bind(performance);
	jest.spyOn(performance, 'now').mockImplementation(() => performanceNow() + platform.elapsed);
});
afterAll(async () => await platform.service.close());

async function live(
	setup: Setup,
	pageSize: number | undefined,
	before: Change[],
	steps: Step[],
	watchesStatus: boolean,
): Promise<void> {
	figures.histories++;
	platform.fixture.clear();
	const active = setup.make(platform.service, {
		lateArrivals: WINDOW,
		askEachEvery: 0,
		...(pageSize ? { pageSize } : {}),
	});
	if (watchesStatus) active.parameters.triggerOn = 'statusChanged';
	const history = new History(platform, setup, active, watchesStatus);
	for (const each of before) history.apply(each);
	await history.run(steps);
}

const told = (
	details: Pick<
		fc.RunDetails<unknown>,
		'seed' | 'counterexamplePath' | 'numRuns' | 'numShrinks' | 'counterexample' | 'errorInstance'
	>,
) =>
	`seed ${details.seed}, path ${String(details.counterexamplePath)}, after ${details.numRuns} histories and ${details.numShrinks} shrinks:\n${fc.stringify(details.counterexample)}\n${details.errorInstance instanceof Error ? details.errorInstance.message : ''}`;

async function holds(property: fc.IAsyncProperty<[Setup, number | undefined, Change[], Step[]]>, numRuns: number) {
	// In time for the seed and the shortest history so far to be printed, however slow the machine is.
	const details = await fc.check(property, {
		numRuns,
		interruptAfterTimeLimit: LIMIT_MS * 0.9,
		markInterruptAsFailure: true,
		...(SEED === undefined ? {} : { seed: SEED }),
		...(process.env.REPLAY ? { path: process.env.REPLAY } : {}),
		endOnFailure: process.env.REPLAY !== undefined || process.env.QUICK !== undefined,
	});
	if (details.failed) throw new Error(told(details));
}

test(
	'every record that becomes visible is given once',
	async () => {
		const property = fc.asyncProperty(
			fc.constantFrom(...setups),
			pageSizes,
			fc.array(change, { maxLength: 6, size: 'max' }),
			steps,
			async (setup, size, before, after) => {
				await live(setup, size, before, after, false);
			},
		);
		await holds(property, Math.ceil(RUNS * 0.8));
	},
	LIMIT_MS,
);

test(
	'every change of a status is given once',
	async () => {
		const property = fc.asyncProperty(
			fc.constantFrom(...setups),
			pageSizes,
			begin,
			rest,
			async (setup, size, before, after) => {
				await live(setup, size, before, after, true);
			},
		);
		await holds(property, Math.floor(RUNS * 0.2));
	},
	LIMIT_MS,
);

afterAll(() => void process.stderr.write(allFigures()));

import { candidatesFor, mostHits, type Candidate, type Order } from './candidates';
import type { Mutant } from './mutants';
import type { Coverage, Plan } from './plan';
import type { Outcome, Sandbox } from './sandbox';

/** What became of a mutant. Uncovered: no test runs through it. */
export interface Verdict {
	mutant: Mutant;
	status: 'killed' | 'timed out' | 'survived' | 'uncovered';
	/** What noticed it: a test, or that a test file could not be loaded. */
	by?: string;
	/** How many test files it was run with, of those that run through it. */
	files: { shown: number; of: number };
}

/** What all trials share. */
export interface Trials {
	sandbox: Sandbox;
	coverages: readonly Coverage[];
	plan: Pick<Plan, 'sample' | 'sources'>;
	/** By which of the sources each of them is imported. */
	importers: ReadonlyMap<string, string[]>;
	order: Order;
	/** How long the tests of one mutant may take together, in ms, by what they took without one. */
	mostMs: number;
}

/** Time that a run has besides its tests: Jest's start, and for each file the loading. */
const START_MS = 60_000;
const FILE_MS = 5000;
/** How much longer than without a mutant the tests may take. */
const SLOWER = 5;
/**
 * How often a mutant may be executed before it counts as an endless loop, or a hundred times the usual number if that
 * is more.
 */
const HITS = 10_000;

/**
 * Runs the tests with one mutant. If it is noticed only after other test files have passed, the test that noticed it is
 * run again, because a test that fails by chance does not count.
 * @throws Error when Jest could not run at all
 */
export async function tryMutant(mutant: Mutant, trials: Trials): Promise<Verdict> {
	const { sandbox, coverages, plan, importers, order, mostMs } = trials;
	const all = candidatesFor(mutant, coverages, { sources: plan.sources, importers });
	const shown = order.of(mutant, all, mostMs);
	const files = { shown: shown.length, of: all.length };
	const hitLimit = HITS + 100 * mostHits(mutant, coverages);
	const run = async (candidates: readonly Candidate[]): Promise<Outcome> => {
		const testsMs = candidates.reduce((sum, { durationMs }) => sum + durationMs, 0);
		const skip = Object.fromEntries(candidates.map((each) => [each.file, each.skip]));
		return await sandbox.run(
			{ ...plan, mutant: mutant.id, hitLimit, skip },
			candidates.map(({ file }) => file),
			{ timeoutMs: START_MS + FILE_MS * candidates.length + SLOWER * testsMs },
		);
	};
	for (let left = shown; left.length > 0;) {
		const { passed, timedOut, failure, output } = await run(left);
		if (passed) return { mutant, status: 'survived', files };
		if (timedOut) return { mutant, status: 'timed out', files };
		if (!failure) {
			if (!output.includes('Test suite failed to run')) throw new Error(`Jest did not run:\n${output}`);
			return { mutant, status: 'killed', by: 'a test file that could not be loaded', files };
		}
		const at = left.findIndex(({ file }) => file === failure.file);
		const by = left[at];
		if (!by) throw new Error(`A test file failed that was not run: ${failure.file}`);
		const others = Object.keys(coverages.find(({ file }) => file === by.file)?.tests ?? {});
		const again = { ...by, skip: others.filter((test) => test !== failure.test) };
		if (at === 0 || !(await run([again])).passed) {
			order.learn(mutant, failure.file);
			return { mutant, status: 'killed', by: `${failure.file} > ${failure.test}`, files };
		}
		left = left.slice(at + 1);
	}
	return { mutant, status: shown.length === 0 ? 'uncovered' : 'survived', files };
}

import type { Mutant } from './mutants';
import { HOOKS, LOADING, type Coverage, type Plan } from './plan';

/** Tests that look at everything a node offers, and so at code that runs while a source is loaded. */
const OVERVIEWS = [
	...['tools/docs/generated.test.ts', 'test/upgrade/upgrade.test.ts'],
	...['test/nodes/coverage.test.ts', 'test/nodes/descriptions.test.ts'],
];

/** A test file that is run with a mutant. */
export interface Candidate {
	file: string;
	/** The tests in it that cannot notice the mutant. */
	skip: string[];
	/** How long the other tests take, in ms, without loading. */
	durationMs: number;
	/** Whether they run something of the mutant's own source. */
	isNear: boolean;
}

/** What runs a source when it is loaded: the source itself, those that import it, and all that import these; by index. */
function dependents(file: string, { sources, importers }: Surroundings): Set<number> {
	const seen = new Set([file]);
	// A set can grow while it is gone through.
	for (const each of seen) for (const importer of importers.get(each) ?? []) seen.add(importer);
	return new Set([...seen].map((each) => sources.findIndex((source) => source.file === each)));
}

/** What is known of the sources. */
export interface Surroundings {
	sources: Plan['sources'];
	/** By which of the sources each of them is imported. */
	importers: ReadonlyMap<string, string[]>;
}

/**
 * The tests that may notice a mutant, because they execute it. Code that runs while a source is loaded is executed by
 * every test that loads the source: such a mutant is only tried with tests that later execute something of that source,
 * or of a source that depends on it, and with the tests that look at everything a node offers.
 */
export function candidatesFor(mutant: Mutant, coverages: readonly Coverage[], surroundings: Surroundings): Candidate[] {
	const own = surroundings.sources.findIndex(({ file }) => file === mutant.file);
	const related = dependents(mutant.file, surroundings);
	return coverages.flatMap(({ file, tests, hits, ran }) => {
		const isHit = (test: string) => (hits[test]?.[mutant.id] ?? 0) > 0;
		const isRun = (test: string) => ran[test]?.some((index) => related.has(index)) ?? false;
		const isLoaded = isHit(LOADING);
		const names = Object.keys(tests);
		const isForAll = isHit(HOOKS) || (isLoaded && (isRun(HOOKS) || OVERVIEWS.includes(file)));
		const shown = new Set(isForAll ? names : names.filter((test) => isHit(test) || (isLoaded && isRun(test))));
		if (shown.size === 0) return [];
		return {
			file,
			skip: names.filter((test) => !shown.has(test)),
			durationMs: [...shown].reduce((sum, test) => sum + (tests[test] ?? 0), 0),
			isNear: OVERVIEWS.includes(file) || [...shown].some((test) => isHit(test) || ran[test]?.includes(own)),
		};
	});
}

/** How often a mutant was run through in the test file that does so most often. */
export const mostHits = ({ id }: Mutant, coverages: readonly Coverage[]): number =>
	Math.max(0, ...coverages.map(({ hits }) => Object.values(hits).reduce((sum, counts) => sum + (counts[id] ?? 0), 0)));

/** What it takes to load n8n and a test file, about, in ms. */
const LOADING_MS = 3000;

/** The folder of the tests of a source. */
function mirrorOf(source: string): string {
	const [, folder, room = ''] = source.split('/');
	if (folder !== 'shared' || room === 'campaign') return 'test/nodes/';
	return `test/${['operation', 'scope'].includes(room) ? 'engine' : room}/`;
}

/**
 * Orders the test files so that a mutant is noticed early: it remembers which test files noticed others of the same
 * source.
 */
export class Order {
	readonly #noticed = new Map<string, number>();

	/** Remembers that a test file has noticed a mutant. */
	learn({ file: source }: Mutant, file: string): void {
		const key = `${source} ${file}`;
		this.#noticed.set(key, (this.#noticed.get(key) ?? 0) + 1);
	}

	/**
	 * @param mostMs how long the tests may take together, in ms; the first file is always among them
	 * @returns the test files that are run with the mutant, in this order
	 */
	of({ file: source }: Mutant, candidates: readonly Candidate[], mostMs: number): Candidate[] {
		const mirror = mirrorOf(source);
		const rank = ({ file, durationMs, isNear }: Candidate) => {
			const expected =
				(this.#noticed.get(`${source} ${file}`) ?? 0) + (file.startsWith(mirror) ? 4 : 0) + (isNear ? 2 : 0);
			return (LOADING_MS + durationMs) / (1 + expected);
		};
		let sum = 0;
		return candidates
			.map((candidate) => ({ candidate, rank: rank(candidate) }))
			.sort((a, b) => a.rank - b.rank)
			.flatMap(({ candidate }) => {
				if (sum > 0 && sum + candidate.durationMs > mostMs) return [];
				sum += candidate.durationMs;
				return candidate;
			});
	}
}

import { HOOKS, LOADING, type Coverage, type Plan } from './plan';
import type { Mutant } from './mutants';

/** Tests that look at all that every node offers, so at what a source says while it is loaded as well. */
const OVERVIEWS = ['tools/docs/generated.test.ts', 'test/upgrade/upgrade.test.ts', 'test/nodes/coverage.test.ts'];

/** A test file that a mutant is shown to. */
export interface Candidate {
	file: string;
	/** The tests in it that cannot notice. */
	skip: string[];
	/** What the others take, in ms, without the loading. */
	durationMs: number;
}

/**
 * Which tests run through a mutant, and so may notice it. What runs while a source is loaded is run through by every
 * test there is: such a mutant is shown to the tests that run something of that source later, and to the overviews.
 */
export function candidatesFor(mutant: Mutant, coverages: Coverage[], sources: Plan['sources']): Candidate[] {
	const source = sources.findIndex(({ file }) => file === mutant.file);
	return coverages.flatMap(({ file, tests, hits, ran }) => {
		const isHit = (test: string) => (hits[test]?.[mutant.id] ?? 0) > 0;
		const isLoaded = isHit(LOADING);
		const isRun = (test: string) => ran[test]?.includes(source) ?? false;
		const all = isHit(HOOKS) || (isLoaded && (isRun(HOOKS) || OVERVIEWS.includes(file)));
		const names = Object.keys(tests);
		const shown = all ? names : names.filter((test) => isHit(test) || (isLoaded && isRun(test)));
		if (shown.length === 0) return [];
		return {
			file,
			skip: names.filter((test) => !shown.includes(test)),
			durationMs: shown.reduce((sum, test) => sum + (tests[test] ?? 0), 0),
		};
	});
}

/** How often a mutant was run through at most in one test file. */
export const mostHits = (mutant: Mutant, coverages: Coverage[]): number =>
	Math.max(
		0,
		...coverages.map(({ hits }) => Object.values(hits).reduce((sum, counts) => sum + (counts[mutant.id] ?? 0), 0)),
	);

/** What one run of Jest is to do; environment.ts reads it from the file that MUTATION_PLAN names. */
export interface Plan {
	/** The folder of the checkout that the tests run in. */
	root: string;
	/** The mutant that is switched on; without one it is noted which mutants each test runs through. */
	mutant?: string;
	/** How often a switched-on mutant may be run through in a test file before it counts as a loop without an end. */
	hitLimit?: number;
	/** Tests that need not run, by test file. */
	skip: Record<string, string[]>;
	/** The mutants whose coverage is noted. */
	mutants: string[];
	/** Of each source, the first and the last number of its mutants. */
	sources: Array<{ file: string; first: number; last: number }>;
	/** The folder for what is noted: a file for each test file, and `killed.json`. */
	notes: string;
}

/** What a test file ran through. */
export interface Coverage {
	/** The test file, relative to the checkout. */
	file: string;
	/** Each test with the milliseconds that it took. */
	tests: Record<string, number>;
	/** How often each mutant was run through, by test; LOADING and HOOKS beside them. */
	hits: Record<string, Record<string, number>>;
	/** The sources of which something ran, by their place in the plan, by test. */
	ran: Record<string, number[]>;
}

/** A test that failed. */
export interface Failure {
	file: string;
	test: string;
	message: string;
}

/** What runs while a test file is loaded, and in its beforeAll and afterAll: all its tests rest on it. */
export const LOADING = '(loading)';
export const HOOKS = '(hooks)';

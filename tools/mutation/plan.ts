/** What one run of Jest is to do. environment.ts reads it from the file that MUTATION_PLAN names. */
export interface Plan {
	/** The folder of the copy that the tests run in. */
	root: string;
	/** The folder for what environment.ts writes down. */
	notes: string;
	/** The mutant that is switched on; without one, it is noted which mutants each test runs through. */
	mutant?: string;
	/** How often the mutant may be run through in one test file before that counts as a loop without an end. */
	hitLimit?: number;
	/** Tests that are not run, by test file. */
	skip: Record<string, string[]>;
	/** The mutants of the sample, whose coverage is noted. */
	sample: string[];
	/** Of each source, the first and the last number of its mutants. */
	sources: Array<{ file: string; first: number; last: number }>;
}

/** What the tests of one file run through. */
export interface Coverage {
	/** The test file, relative to the copy. */
	file: string;
	/** Each test by its full name, with the milliseconds that it took. */
	tests: Record<string, number>;
	/** How often each mutant of the sample was run through, by test; LOADING and HOOKS beside them. */
	hits: Record<string, Record<string, number>>;
	/** Of which sources something was run, by their index in the plan, by test; LOADING and HOOKS beside them. */
	ran: Record<string, number[]>;
}

/** A test that failed. */
export interface Failure {
	file: string;
	test: string;
	message: string;
}

/** Stands for a test: what runs while a source is loaded, which every test of the file depends on. */
export const LOADING = '(loading)';
/** Stands for a test: what beforeAll and afterAll run, which every test of the file depends on. */
export const HOOKS = '(hooks)';
/** The note of the first test that failed. */
export const FAILURE_NOTE = 'failure.json';

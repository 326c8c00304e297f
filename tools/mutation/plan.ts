import { z } from 'zod';

const counts = z.record(z.number());

/** What one run of Jest does. mutationEnvironment.ts reads it from the file that MUTATION_PLAN names. */
export const planSchema = z.object({
	/** The folder of the copy that the tests run in. */
	root: z.string(),
	/** The folder for what the environment writes down. */
	notes: z.string(),
	/** The active mutant; without one, the run records which mutants each test executes. */
	mutant: z.string().optional(),
	/** How often the mutant may be executed in one test file before it counts as an endless loop. */
	hitLimit: z.number().optional(),
	/** Tests that are not run, by test file. */
	skip: z.record(z.array(z.string())),
	/** The mutants of the sample, whose coverage is noted. */
	sample: z.array(z.string()),
	/** Of each source, the first and the last number of its mutants. */
	sources: z.array(z.object({ file: z.string(), first: z.number(), last: z.number() })),
});
export type Plan = z.infer<typeof planSchema>;

/** What the tests of one file execute. */
export const coverageSchema = z.object({
	/** The test file, relative to the copy. */
	file: z.string(),
	/** Each test by its full name, with the milliseconds that it took. */
	tests: counts,
	/** How often each mutant of the sample was executed, by test; also for LOADING and HOOKS. */
	hits: z.record(counts),
	/** Of which sources something was executed, by their index in the plan, by test; also for LOADING and HOOKS. */
	ran: z.record(z.array(z.number())),
});
export type Coverage = z.infer<typeof coverageSchema>;

/** The first test that failed. */
export const failureSchema = z.object({ file: z.string(), test: z.string(), message: z.string() });
export type Failure = z.infer<typeof failureSchema>;

/** Used like the name of a test: code that runs while a source is loaded. */
export const LOADING = '(loading)';
/**
 * Used like the name of a test: code that a test file runs outside of its tests and of the loading of sources, such as
 * beforeAll.
 */
export const HOOKS = '(hooks)';
/** The note of the first test that failed. */
export const FAILURE_NOTE = 'failure.json';

import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment';
import type { Circus } from '@jest/types';

import { FAILURE_NOTE, HOOKS, LOADING, planSchema, type Coverage, type Failure } from './plan';

type Hits = Record<string, number>;

/** An environment of Jest, as far as it is used here. */
interface TestEnvironment {
	global: object;
	teardown(): Promise<void>;
}
type EnvironmentClass = new (config: JestEnvironmentConfig, context: EnvironmentContext) => TestEnvironment;

/** The global `__stryker__`, by which Stryker's instrumented sources know what is switched on, and count. */
interface Switches {
	activeMutant?: string;
	hitCount?: number;
	hitLimit?: number;
	currentTestId: string;
	mutantCoverage: { static: Hits; perTest: Record<string, Hits> };
	/** Called before and after a source is loaded; see mutants.ts. */
	enter: () => void;
	leave: () => void;
}

/** The tests of a describe block, and of those inside it. */
const testsOf = (block: Circus.DescribeBlock): Circus.TestEntry[] =>
	block.children.flatMap((child) => (child.type === 'test' ? [child] : testsOf(child)));

/** A test's full name. */
function nameOf(test: Circus.TestEntry): string {
	const names = [test.name];
	for (let block: Circus.DescribeBlock | undefined = test.parent; block?.parent; block = block.parent)
		names.unshift(block.name);
	return names.join(' > ');
}

const textOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/**
 * The usual environment of the tests, with the mutants. Without an active mutant it records what each test executes.
 * With one, it runs only the tests that may notice it, up to the first that does.
 */
export const mutationEnvironment = (Base: EnvironmentClass): EnvironmentClass =>
	class extends Base {
		readonly #plan = planSchema.parse(JSON.parse(readFileSync(process.env.MUTATION_PLAN ?? '', 'utf8')));
		readonly #file: string;
		readonly #switches: Switches;
		readonly #durations: Coverage['tests'] = {};
		#hasFailed = false;

		constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
			super(config, context);
			const { root, mutant, hitLimit } = this.#plan;
			this.#file = relative(root, context.testPath);
			const outer: string[] = [];
			this.#switches = {
				...(mutant === undefined ? {} : { activeMutant: mutant, hitCount: 0, hitLimit }),
				currentTestId: HOOKS,
				mutantCoverage: { static: {}, perTest: {} },
				enter: () => {
					outer.push(this.#switches.currentTestId);
					this.#switches.currentTestId = LOADING;
				},
				leave: () => {
					this.#switches.currentTestId = outer.pop() ?? HOOKS;
				},
			};
			Object.assign(this.global, { __stryker__: this.#switches });
		}

		async handleTestEvent(event: Circus.AsyncEvent, { rootDescribeBlock }: Circus.State): Promise<void> {
			if (event.name === 'run_start') {
				const skip = new Set(this.#plan.skip[this.#file]);
				for (const test of testsOf(rootDescribeBlock)) if (skip.has(nameOf(test))) test.mode = 'skip';
			} else if (event.name === 'hook_start') {
				if (event.hook.type.endsWith('All')) this.#switches.currentTestId = HOOKS;
			} else if (event.name === 'test_start') {
				this.#switches.currentTestId = nameOf(event.test);
				if (this.#hasFailed) event.test.mode = 'skip';
			} else if (event.name === 'test_done') {
				const name = nameOf(event.test);
				this.#durations[name] = (this.#durations[name] ?? 0) + (event.test.duration ?? 0);
				const [error] = event.test.errors.flat() as unknown[];
				if (error !== undefined) this.#noteFailure(name, error);
			}
		}

		override async teardown(): Promise<void> {
			if (this.#plan.mutant === undefined) this.#noteCoverage();
			await super.teardown();
		}

		#note(name: string, what: Coverage | Failure): void {
			writeFileSync(join(this.#plan.notes, name), JSON.stringify(what));
		}

		#noteFailure(test: string, error: unknown): void {
			if (this.#hasFailed || this.#plan.mutant === undefined) return;
			this.#hasFailed = true;
			this.#note(FAILURE_NOTE, { file: this.#file, test, message: textOf(error) });
		}

		#noteCoverage(): void {
			const sample = new Set(this.#plan.sample);
			const hits: Coverage['hits'] = {};
			const ran: Coverage['ran'] = {};
			for (const [test, counts] of Object.entries(this.#switches.mutantCoverage.perTest)) {
				const ids = Object.keys(counts).map(Number);
				hits[test] = Object.fromEntries(Object.entries(counts).filter(([id]) => sample.has(id)));
				ran[test] = this.#plan.sources.flatMap(({ first, last }, index) =>
					ids.some((id) => id >= first && id <= last) ? [index] : [],
				);
			}
			const coverage: Coverage = { file: this.#file, tests: this.#durations, hits, ran };
			this.#note(`${this.#file.replaceAll('/', '+')}.json`, coverage);
		}
	};

import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment';
import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';

import { HOOKS, LOADING, type Coverage, type Failure, type Plan } from './plan';

/** What Stryker's instrumented sources read and write: the global `__stryker__`. */
interface Switches {
	activeMutant?: string;
	currentTestId: string;
	hitCount?: number;
	hitLimit?: number;
	/** Called before and after a source is loaded. */
	enter: () => void;
	leave: () => void;
	mutantCoverage: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

const readPlan = (): Plan => JSON.parse(readFileSync(process.env.MUTATION_PLAN ?? '', 'utf8')) as Plan;

/** The tests of a describe block and of those in it. */
const testsOf = (block: Circus.DescribeBlock): Circus.TestEntry[] =>
	block.children.flatMap((child) => (child.type === 'test' ? [child] : testsOf(child)));

/** A test's full name. */
function nameOf(test: Circus.TestEntry): string {
	const parts = [test.name];
	for (let block: Circus.DescribeBlock | undefined = test.parent; block?.parent; block = block.parent)
		parts.unshift(block.name);
	return parts.join(' > ');
}

/**
 * The Node environment in which the tests meet the mutants: either it notes which mutants each test runs through, or it
 * switches one on, runs only the tests that may notice, and ends at the first that does.
 */
export default class MutationEnvironment extends TestEnvironment {
	readonly #plan = readPlan();
	readonly #file: string;
	readonly #switches: Switches;
	readonly #tests: Coverage['tests'] = {};
	#isOver = false;

	constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
		super(config, context);
		const { root, mutant, hitLimit } = this.#plan;
		this.#file = relative(root, context.testPath);
		const outer: string[] = [];
		this.#switches = {
			currentTestId: LOADING,
			enter: () => {
				outer.push(this.#switches.currentTestId);
				this.#switches.currentTestId = LOADING;
			},
			leave: () => {
				this.#switches.currentTestId = outer.pop() ?? LOADING;
			},
			mutantCoverage: { static: {}, perTest: {} },
			...(mutant === undefined ? {} : { activeMutant: mutant, hitCount: 0, hitLimit }),
		};
		Object.assign(this.global, { __stryker__: this.#switches });
	}

	async handleTestEvent(event: Circus.AsyncEvent, { rootDescribeBlock }: Circus.State): Promise<void> {
		if (event.name === 'run_start') {
			const skip = new Set(this.#plan.skip[this.#file]);
			for (const test of testsOf(rootDescribeBlock)) if (skip.has(nameOf(test))) test.mode = 'skip';
		}
		if (event.name === 'hook_start' && event.hook.type.endsWith('All')) this.#switches.currentTestId = HOOKS;
		if (event.name === 'test_start') {
			this.#switches.currentTestId = nameOf(event.test);
			if (this.#isOver) event.test.mode = 'skip';
		}
		if (event.name === 'test_done') {
			const name = nameOf(event.test);
			this.#tests[name] = (this.#tests[name] ?? 0) + (event.test.duration ?? 0);
			if (event.test.errors.length > 0) this.#failed(name, event.test.errors);
		}
	}

	override async teardown(): Promise<void> {
		if (this.#plan.mutant === undefined) this.#noteCoverage();
		await super.teardown();
	}

	#failed(test: string, errors: Circus.TestError[]): void {
		if (this.#isOver || this.#plan.mutant === undefined) return;
		this.#isOver = true;
		const [first] = errors.flat() as unknown[];
		const message = first instanceof Error || (typeof first === 'object' && first !== null && 'message' in first) ? String(first.message) : String(first);
		const failure: Failure = { file: this.#file, test, message };
		writeFileSync(join(this.#plan.notes, 'killed.json'), JSON.stringify(failure));
	}

	#noteCoverage(): void {
		const wanted = new Set(this.#plan.mutants);
		const { sources } = this.#plan;
		const { perTest } = this.#switches.mutantCoverage;
		const hits: Coverage['hits'] = {};
		const ran: Coverage['ran'] = {};
		for (const [test, counts] of Object.entries(perTest)) {
			hits[test] = Object.fromEntries(Object.entries(counts).filter(([id]) => wanted.has(id)));
			const ids = Object.keys(counts).map(Number);
			ran[test] = sources.flatMap(({ first, last }, index) => (ids.some((id) => id >= first && id <= last) ? [index] : []));
		}
		const coverage: Coverage = { file: this.#file, tests: this.#tests, hits, ran };
		writeFileSync(join(this.#plan.notes, `${this.#file.replaceAll('/', '+')}.json`), JSON.stringify(coverage));
	}
}

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { packageRoot } from '../../test/n8n-core/package';
import type { Instrumented } from './mutants';
import { FAILURE_NOTE, failureSchema, type Failure, type Plan } from './plan';

const CONFIG = 'tools/mutation/jest.config.mjs';

/** What Node.js prints when it ends for want of memory. */
const OUT_OF_MEMORY = 'JavaScript heap out of memory';

/** What came of one run of Jest. */
export interface Outcome {
	passed: boolean;
	/** Whether it was ended because it took too long, or ended itself because it took too much memory. */
	timedOut: boolean;
	/** The first test that failed; none where a test file could not be loaded. */
	failure: Failure | undefined;
	/** What Jest printed. */
	output: string;
	/** The folder of what environment.ts wrote down. */
	notes: string;
}

/** The files below these folders that git knows or would add, relative to the package. */
export const filesIn = (...folders: string[]): string[] =>
	execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...folders], {
		cwd: packageRoot,
		encoding: 'utf8',
	})
		.split('\n')
		.filter((path) => path !== '' && existsSync(join(packageRoot, path)));

/** A copy of the checkout in which the sources hold all mutants, and in which Jest runs the tests. */
export class Sandbox {
	readonly #folder = mkdtempSync(join(tmpdir(), 'mutation-'));
	#runs = 0;

	/** @param excluded test files and folders that are never run */
	constructor(
		{ files }: Instrumented,
		private readonly excluded: readonly string[],
	) {
		for (const path of filesIn()) {
			mkdirSync(dirname(join(this.#folder, path)), { recursive: true });
			cpSync(join(packageRoot, path), join(this.#folder, path));
		}
		for (const { name, content } of files) writeFileSync(join(this.#folder, name), content);
		symlinkSync(join(packageRoot, 'node_modules'), join(this.#folder, 'node_modules'));
	}

	/**
	 * Runs Jest.
	 * @param plan with a mutant, the files are run one after the other up to the first that fails
	 * @param files the test files, in their order; none means all
	 * @param limits how many processes run the tests, and after how many ms they are ended
	 */
	async run(
		plan: Omit<Plan, 'root' | 'notes'>,
		files: readonly string[],
		{ workers = 1, timeoutMs }: { workers?: number; timeoutMs: number },
	): Promise<Outcome> {
		const notes = join(this.#folder, '.cache', `run-${++this.#runs}`);
		mkdirSync(notes, { recursive: true });
		const planFile = join(notes, 'plan.json');
		writeFileSync(planFile, JSON.stringify({ ...plan, root: this.#folder, notes } satisfies Plan));
		const { mutant } = plan;
		const args = [
			...[join(this.#folder, 'node_modules/jest/bin/jest.js'), '--config', CONFIG],
			...(mutant === undefined ? ['--maxWorkers', String(workers)] : ['--runInBand', '--bail']),
			...(files.length > 0 ? ['--runTestsByPath', ...files] : []),
		];
		const child = spawn(process.execPath, args, {
			cwd: this.#folder,
			stdio: ['ignore', 'pipe', 'pipe'],
			env: {
				...process.env,
				MUTATION_EXCLUDED: JSON.stringify(this.excluded),
				MUTATION_PLAN: planFile,
				MUTATION_ORDER: files.join(','),
				// For processes that a test starts.
				...(mutant === undefined ? {} : { __STRYKER_ACTIVE_MUTANT__: mutant }),
			},
		});
		const printed: Buffer[] = [];
		for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => printed.push(chunk));
		let timedOut = false;
		const timer = setTimeout(() => {
			timedOut = true;
			child.kill('SIGKILL');
		}, timeoutMs);
		const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
		clearTimeout(timer);
		const note = join(notes, FAILURE_NOTE);
		const output = Buffer.concat(printed).toString();
		return {
			passed: status === 0,
			// A loop without an end that collects something uses up the memory before the time.
			timedOut: timedOut || output.includes(OUT_OF_MEMORY),
			failure: existsSync(note) ? failureSchema.parse(JSON.parse(readFileSync(note, 'utf8'))) : undefined,
			output,
			notes,
		};
	}

	remove(): void {
		rmSync(this.#folder, { recursive: true, force: true });
	}
}

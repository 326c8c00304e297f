import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { packageRoot } from '../../test/n8n-core/package';
import type { Instrumented } from './mutants';
import type { Failure, Plan } from './plan';

const CONFIG = 'jest.mutation.config.mjs';

/** What came of one run of Jest. */
export interface Outcome {
	passed: boolean;
	timedOut: boolean;
	/** The test that noticed, unless a test file could not even be loaded. */
	failure?: Failure;
	/** What Jest printed. */
	output: string;
}

/** The files that git knows or would take, relative to the package. */
export const checkedOut = (...under: string[]): string[] =>
	execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...under], { cwd: packageRoot, encoding: 'utf8' })
		.split('\n')
		.filter((path) => path !== '' && existsSync(join(packageRoot, path)));

/** A copy of the checkout in which the sources hold all mutants. */
export class Sandbox {
	readonly folder = mkdtempSync(join(tmpdir(), 'mutation-'));
	#runs = 0;

	constructor({ files }: Instrumented, excluded: readonly string[]) {
		for (const path of checkedOut()) {
			mkdirSync(dirname(join(this.folder, path)), { recursive: true });
			cpSync(join(packageRoot, path), join(this.folder, path));
		}
		for (const { name, content } of files) writeFileSync(join(this.folder, name), content);
		symlinkSync(join(packageRoot, 'node_modules'), join(this.folder, 'node_modules'));
		writeFileSync(
			join(this.folder, CONFIG),
			`import base from './jest.config.mjs';
export default {
	...base,
	testEnvironment: '<rootDir>/tools/mutation/environment.ts',
	testSequencer: '<rootDir>/tools/mutation/sequencer.cjs',
	testPathIgnorePatterns: [...base.testPathIgnorePatterns, ...${JSON.stringify(excluded.map((path) => `/${path}`))}],
};
`,
		);
	}

	/**
	 * Runs Jest.
	 * @param files the test files in their order; none: all
	 * @param timeoutMs after which it is ended
	 */
	async run(plan: Omit<Plan, 'root' | 'notes'>, files: string[], workers: number, timeoutMs: number): Promise<Outcome & { notes: string }> {
		const notes = join(this.folder, '.cache', `run-${++this.#runs}`);
		mkdirSync(notes, { recursive: true });
		const planFile = join(notes, 'plan.json');
		writeFileSync(planFile, JSON.stringify({ ...plan, root: this.folder, notes } satisfies Plan));
		const { mutant } = plan;
		const jest = [
			join(this.folder, 'node_modules/jest/bin/jest.js'),
			...['--config', CONFIG],
			...(mutant === undefined ? ['--maxWorkers', String(workers)] : ['--bail', '--runInBand']),
			...(files.length > 0 ? ['--runTestsByPath', ...files] : []),
		];
		const child = spawn(process.execPath, jest, {
			cwd: this.folder,
			detached: true,
			stdio: ['ignore', 'pipe', 'pipe'],
			env: {
				...process.env,
				MUTATION_PLAN: planFile,
				MUTATION_ORDER: files.join(','),
				...(mutant === undefined ? {} : { __STRYKER_ACTIVE_MUTANT__: mutant }),
			},
		});
		let output = '';
		for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
		let timedOut = false;
		const timer = setTimeout(() => {
			timedOut = true;
			if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
		}, timeoutMs);
		const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
		clearTimeout(timer);
		const killed = join(notes, 'killed.json');
		const failure = existsSync(killed) ? (JSON.parse(readFileSync(killed, 'utf8')) as Failure) : undefined;
		return { passed: status === 0, timedOut, output, notes, ...(failure ? { failure } : {}) };
	}

	remove(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}
}

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * How the test processes collect garbage, which Jest starts with this process's own options: a test's objects are short-lived
 * and many, so room for more of them means fewer collections, and the cores are busy with tests anyway. Together this saves
 * a sixth of the time.
 */
const GARBAGE = ['--max-semi-space-size=128', '--single-threaded-gc'];

/** What all test processes share is a folder, named in the environment that they inherit. */
export default async function globalSetup(): Promise<void> {
	process.execArgv.push(...GARBAGE);
	process.env.HARNESS_FOLDER = await mkdtemp(join(tmpdir(), 'n8n-harness-'));
}

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One folder for all test processes, named in the environment that they inherit. */
export default async function globalSetup(): Promise<void> {
	process.env.HARNESS_FOLDER = await mkdtemp(join(tmpdir(), 'n8n-harness-'));
}

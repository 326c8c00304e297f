import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { RunningN8n } from '../../real-n8n/start';

/** Which of these texts stand in n8n's log, or anywhere in its folder: its database with the saved executions, its event log, its files. */
export async function findTextsKeptByN8n({ userFolder, logFile }: RunningN8n, texts: string[]): Promise<string[]> {
	const entries = await readdir(userFolder, { recursive: true, withFileTypes: true });
	const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
	const found = new Set<string>();
	for (const path of [...paths, logFile]) {
		// A file may be gone a moment later.
		const content = await readFile(path).catch(() => Buffer.alloc(0));
		for (const text of texts) if (content.includes(text)) found.add(text);
	}
	return [...found];
}

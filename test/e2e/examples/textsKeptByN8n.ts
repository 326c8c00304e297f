import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { RunningN8n } from '../../real-n8n/startN8n';

/**
 * Finds out which of these texts n8n has stored in its log or anywhere in its folder. The folder contains the database with the
 * executions, the event log and files.
 * @returns the stored texts
 */
export async function findStoredTexts({ userFolder, logFile }: RunningN8n, texts: string[]): Promise<string[]> {
	const entries = await readdir(userFolder, { recursive: true, withFileTypes: true });
	const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
	const keptTexts = new Set<string>();
	for (const path of [...paths, logFile]) {
		// A file may be deleted at any time.
		const content = await readFile(path).catch(() => Buffer.alloc(0));
		for (const text of texts) if (content.includes(text)) keptTexts.add(text);
	}
	return [...keptTexts];
}

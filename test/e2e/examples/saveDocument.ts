import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Saves a document of an example in the folder that the environment variable DOCUMENTS names. Does nothing without it. The pictures
 * in docs/.images/examples show such documents.
 */
export async function saveDocument(name: string, text: string): Promise<void> {
	const { DOCUMENTS: folder } = process.env;
	if (folder === undefined) return;
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, name), text);
}

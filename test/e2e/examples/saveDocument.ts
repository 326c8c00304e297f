import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Saves a document that an example has created in the folder that the environment variable DOCUMENTS names. Does nothing if the
 * variable isn't set. Some pictures in docs/.images/examples show such documents.
 */
export async function saveDocument(name: string, text: string): Promise<void> {
	const { DOCUMENTS: folder } = process.env;
	if (folder === undefined) return;
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, name), text);
}

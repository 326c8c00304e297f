import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Keeps a document that an example has made in the folder that DOCUMENTS names, if it names one: for the pictures in docs/images/examples. */
export async function saveDocument(name: string, text: string): Promise<void> {
	const { DOCUMENTS: folder } = process.env;
	if (folder === undefined) return;
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, name), text);
}

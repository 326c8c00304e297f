import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Finds the first program with one of these names in the folders of the PATH, and then in `furtherFolders`. @returns its path */
export function findProgram(names: string[], furtherFolders: string[] = []): string | undefined {
	const folders = [...(process.env.PATH ?? '').split(delimiter), ...furtherFolders];
	return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram);
}

/** Returns true if the path is a program that the current user may run. */
export function isProgram(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

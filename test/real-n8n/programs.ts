import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program by one of its names, the first that is there: on the PATH, then in further folders. */
export function findProgram(names: string[], furtherFolders: string[] = []): string | undefined {
	const folders = [...(process.env.PATH ?? '').split(delimiter), ...furtherFolders];
	return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram);
}

/** Whether there is a program at the path that this person may run. */
export function isProgram(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

import { rm } from 'node:fs/promises';

/** Deletes the folder that `createSharedFolder` has created. */
export default async function deleteSharedFolder(): Promise<void> {
	const folder = process.env.HARNESS_FOLDER;
	if (folder) await rm(folder, { recursive: true, force: true });
}

import { watch } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import ts from 'typescript';

import { name } from '../../package.json';
import type { Cleanups } from '../../test/real-n8n/stage';

const ROOT = join(__dirname, '..', '..');

/** With it n8n loads a package again when one of its files changes, and tells the editor. */
export const RELOADING = { N8N_DEV_RELOAD: 'true' };

/** Keeps the package that an n8n has loaded as the sources are: what changes is compiled into it, or copied. */
export async function watchSources(userFolder: string, cleanups: Cleanups): Promise<void> {
	const dist = join(userFolder, '.n8n', 'nodes', 'node_modules', name, 'dist');
	// With these n8n would take the descriptions from them, not from the nodes.
	for (const folder of ['known', 'types']) await rm(join(dist, folder), { recursive: true });

	const say = (text: string) => console.log(`${new Date().toLocaleTimeString()}  ${text.trimEnd()}`);
	const textOf = ({ messageText }: ts.Diagnostic) => ts.flattenDiagnosticMessageText(messageText, '\n');
	const host = ts.createWatchCompilerHost(
		join(ROOT, 'tsconfig.json'),
		{ outDir: dist },
		ts.sys,
		ts.createEmitAndSemanticDiagnosticsBuilderProgram,
		(mistake) =>
			say(ts.formatDiagnostic(mistake, { ...ts.sys, getCanonicalFileName: (path) => path, getNewLine: () => '\n' })),
		(status) => say(textOf(status)),
	);
	const program = ts.createWatchProgram(host);
	cleanups.push(async () => program.close());
	for (const folder of ['nodes', 'icons']) {
		const watcher = watch(join(ROOT, folder), { recursive: true }, (_, file) => {
			const path = join(folder, file ?? '');
			if (!/\.(svg|png)$|__schema__.*\.json$/.test(path)) return;
			cp(join(ROOT, path), join(dist, path)).then(
				() => say(`${path} was copied.`),
				(error: Error) => say(error.message),
			);
		});
		cleanups.push(async () => watcher.close());
	}
}

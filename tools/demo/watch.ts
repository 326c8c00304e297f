import { watch } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import ts from 'typescript';

import { name } from '../../package.json';
import type { Cleanups } from '../../test/real-n8n/testEnvironment';

const ROOT = join(__dirname, '..', '..');

/** The setting that makes n8n reload a package when one of its files changes. */
export const RELOAD_SETTINGS = { N8N_DEV_RELOAD: 'true' };

/** Watches the source files. Compiles or copies every changed file into the package that n8n runs. */
export async function watchSources(userFolder: string, cleanups: Cleanups): Promise<void> {
	const distFolder = join(userFolder, '.n8n', 'nodes', 'node_modules', name, 'dist');
	// If these folders existed, n8n would read the node descriptions from them instead of from the compiled nodes.
	for (const folder of ['known', 'types']) await rm(join(distFolder, folder), { recursive: true });

	const print = (text: string) => console.log(`${new Date().toLocaleTimeString()}  ${text.trimEnd()}`);
	const formatMessage = ({ messageText }: ts.Diagnostic) => ts.flattenDiagnosticMessageText(messageText, '\n');
	const host = ts.createWatchCompilerHost(
		join(ROOT, 'tsconfig.json'),
		{ outDir: distFolder },
		ts.sys,
		ts.createEmitAndSemanticDiagnosticsBuilderProgram,
		(diagnostic) =>
			print(
				ts.formatDiagnostic(diagnostic, { ...ts.sys, getCanonicalFileName: (path) => path, getNewLine: () => '\n' }),
			),
		(status) => print(formatMessage(status)),
	);
	const program = ts.createWatchProgram(host);
	cleanups.push(async () => program.close());
	for (const folder of ['nodes', 'icons']) {
		const watcher = watch(join(ROOT, folder), { recursive: true }, (_, file) => {
			const path = join(folder, file ?? '');
			if (!/\.(svg|png)$|__schema__.*\.json$/.test(path)) return;
			cp(join(ROOT, path), join(distFolder, path)).then(
				() => print(`${path} was copied.`),
				(error: Error) => print(error.message),
			);
		});
		cleanups.push(async () => watcher.close());
	}
}

import { join } from 'node:path';
import ts from 'typescript';

import { packageRoot } from '../../test/n8n-core/package';
import { buildOptions } from './imports';
import { applied, type Mutant } from './mutants';

/** Errors about names that a mutant no longer uses are ignored. */
const UNUSED = { noUnusedLocals: false, noUnusedParameters: false };

/**
 * Checks whether a mutant passes the type check. One that does not can never be published, so no test needs to notice
 * it. The source itself and the sources that import it are checked.
 * @param files the sources, relative to the package
 * @param importers by which of the sources each of them is imported
 */
export function typeChecker(
	files: readonly string[],
	importers: ReadonlyMap<string, string[]>,
): (mutant: Mutant) => boolean {
	const options = { ...buildOptions(), ...UNUSED };
	const paths = files.map((file) => join(packageRoot, file));
	const changed = new Map<string, { text: string; version: number }>();
	const service = ts.createLanguageService({
		getCompilationSettings: () => options,
		getScriptFileNames: () => paths,
		getScriptVersion: (path) => String(changed.get(path)?.version ?? 0),
		getScriptSnapshot: (path) => {
			const text = changed.get(path)?.text ?? ts.sys.readFile(path);
			return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
		},
		getCurrentDirectory: () => packageRoot,
		getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
		fileExists: (path) => ts.sys.fileExists(path),
		readFile: (path) => ts.sys.readFile(path),
		directoryExists: (path) => ts.sys.directoryExists(path),
		getDirectories: (path) => ts.sys.getDirectories(path),
	});
	let version = 0;
	return (mutant) => {
		const path = join(packageRoot, mutant.file);
		const source = ts.sys.readFile(path) ?? '';
		changed.set(path, { text: applied(source, mutant), version: ++version });
		const passes = [mutant.file, ...(importers.get(mutant.file) ?? [])]
			.map((file) => join(packageRoot, file))
			.every(
				(each) => service.getSyntacticDiagnostics(each).length + service.getSemanticDiagnostics(each).length === 0,
			);
		changed.set(path, { text: source, version: ++version });
		return passes;
	};
}

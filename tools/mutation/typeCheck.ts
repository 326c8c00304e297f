import { join } from 'node:path';
import ts from 'typescript';

import { packageRoot } from '../../test/n8n-core/package';
import { applied, type Mutant } from './mutants';

/** Diagnostics that say nothing about types: what a mutant no longer uses. */
const UNUSED = { noUnusedLocals: false, noUnusedParameters: false };

/** The options of the build, as tsconfig.build.json has them. */
function buildOptions(): ts.CompilerOptions {
	const read: { config?: unknown } = ts.readConfigFile(join(packageRoot, 'tsconfig.build.json'), (path) =>
		ts.sys.readFile(path),
	);
	return { ...ts.parseJsonConfigFileContent(read.config, ts.sys, packageRoot).options, ...UNUSED };
}

/** Which of the sources import each of them, by absolute paths. */
function importersOf(paths: readonly string[], options: ts.CompilerOptions): Map<string, string[]> {
	const importers = new Map<string, string[]>();
	for (const path of paths)
		for (const { fileName } of ts.preProcessFile(ts.sys.readFile(path) ?? '').importedFiles) {
			const target = ts.resolveModuleName(fileName, path, options, ts.sys).resolvedModule?.resolvedFileName;
			if (target !== undefined) importers.set(target, [...(importers.get(target) ?? []), path]);
		}
	return importers;
}

/**
 * Tells whether a mutant passes the type check. One that does not can never be published, so no test needs to notice it.
 * The source itself and the sources that import it are checked.
 * @param files the sources, relative to the package
 */
export function typeChecker(files: readonly string[]): (mutant: Mutant) => boolean {
	const options = buildOptions();
	const paths = files.map((file) => join(packageRoot, file));
	const importers = importersOf(paths, options);
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
		const passes = [path, ...(importers.get(path) ?? [])].every(
			(each) => service.getSyntacticDiagnostics(each).length + service.getSemanticDiagnostics(each).length === 0,
		);
		changed.set(path, { text: source, version: ++version });
		return passes;
	};
}

import { join } from 'node:path';
import ts from 'typescript';

import { packageRoot } from '../../test/n8n-core/package';
import { applied, type Mutant } from './mutants';

/**
 * Knows whether a mutant passes the type check: one that does not can never be shipped, so no test has to find it.
 * Looked at are the source itself and those that import it.
 */
export function typeChecker(files: string[]): (mutant: Mutant) => boolean {
	const config = ts.readConfigFile(join(packageRoot, 'tsconfig.build.json'), (path) => ts.sys.readFile(path));
	const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, packageRoot);
	const paths = files.map((file) => join(packageRoot, file));
	const changed = new Map<string, { text: string; version: number }>();
	let version = 0;
	const service = ts.createLanguageService({
		getCompilationSettings: () => ({ ...options, noUnusedLocals: false, noUnusedParameters: false }),
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
	const importers = new Map<string, string[]>();
	for (const path of paths) {
		const text = ts.sys.readFile(path) ?? '';
		for (const { fileName } of ts.preProcessFile(text).importedFiles) {
			const target = ts.resolveModuleName(fileName, path, options, ts.sys).resolvedModule?.resolvedFileName;
			if (target !== undefined) importers.set(target, [...(importers.get(target) ?? []), path]);
		}
	}
	return (mutant) => {
		const path = join(packageRoot, mutant.file);
		changed.set(path, { text: applied(ts.sys.readFile(path) ?? '', mutant), version: ++version });
		const looked = [path, ...(importers.get(path) ?? [])];
		const isFine = looked.every(
			(one) => service.getSyntacticDiagnostics(one).length === 0 && service.getSemanticDiagnostics(one).length === 0,
		);
		changed.set(path, { text: ts.sys.readFile(path) ?? '', version: ++version });
		return isFine;
	};
}

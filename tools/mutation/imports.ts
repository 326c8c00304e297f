import { join, relative } from 'node:path';
import ts from 'typescript';

import { packageRoot } from '../../test/n8n-core/package';

/** The options of the build, as tsconfig.build.json has them. */
export function buildOptions(): ts.CompilerOptions {
	const read: { config?: unknown } = ts.readConfigFile(join(packageRoot, 'tsconfig.build.json'), (path) =>
		ts.sys.readFile(path),
	);
	return ts.parseJsonConfigFileContent(read.config, ts.sys, packageRoot).options;
}

/** By which of the sources each of them is imported. @param files relative to the package, as what is given back */
export function importersOf(files: readonly string[]): Map<string, string[]> {
	const options = buildOptions();
	const importers = new Map<string, string[]>();
	for (const file of files) {
		const path = join(packageRoot, file);
		for (const { fileName } of ts.preProcessFile(ts.sys.readFile(path) ?? '').importedFiles) {
			const found = ts.resolveModuleName(fileName, path, options, ts.sys).resolvedModule?.resolvedFileName;
			if (found === undefined) continue;
			const target = relative(packageRoot, found);
			importers.set(target, [...(importers.get(target) ?? []), file]);
		}
	}
	return importers;
}

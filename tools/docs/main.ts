// npm run generate: writes the files that are generated from the nodes and from the output of their operations.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PACKAGE_ROOT } from '../../test/n8n-core/package';
import { findDifferences } from './files';
import { documentAll } from './run';

async function generate(): Promise<void> {
	const documentation = await documentAll();
	for (const { path, content } of findDifferences(documentation)) {
		const file = join(PACKAGE_ROOT, path);
		mkdirSync(dirname(file), { recursive: true });
		if (content === undefined) rmSync(file);
		else writeFileSync(file, content);
		console.log(path);
	}
}

generate().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

// npm run generate: writes the files that are made from the nodes and from the output of their operations.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../test/n8n-core/package';
import { differences } from './files';
import { runAll } from './run';

async function main(): Promise<void> {
	const documentation = await runAll();
	const different = (['pages', 'schemas', 'codexes'] as const).flatMap((kind) => differences(kind, documentation));
	for (const { path, content } of different) {
		const file = join(packageRoot, path);
		mkdirSync(dirname(file), { recursive: true });
		if (content === undefined) rmSync(file);
		else writeFileSync(file, content);
		console.log(path);
	}
	console.log(different.length === 0 ? 'Everything is up to date.' : `${different.length} files written or removed.`);
}

void main();

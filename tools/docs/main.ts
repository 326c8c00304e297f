// npm run docs, npm run schemas: writes what is made from the nodes and from what their operations give.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../test/n8n-core/package';
import { differences, KINDS } from './files';
import { runAll } from './run';

const isKind = (name = ''): name is keyof typeof KINDS => Object.hasOwn(KINDS, name);

async function main(kind?: string): Promise<void> {
	if (!isKind(kind)) throw new Error(`Say what to write: ${Object.keys(KINDS).join(' or ')}`);
	const different = differences(kind, await runAll());
	for (const { path, content } of different) {
		const file = join(packageRoot, path);
		mkdirSync(dirname(file), { recursive: true });
		if (content === undefined) rmSync(file);
		else writeFileSync(file, content);
		console.log(path);
	}
	console.log(different.length === 0 ? 'Everything is up to date.' : `${different.length} files written or removed.`);
}

void main(process.argv[2]);

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { INodeTypeDescription } from 'n8n-workflow';
import { z } from 'zod';
import { packageRoot } from '../n8n-core/package';
import { writeLiteral } from './literal';

const reportSchema = z.array(
	z.object({
		plugin: z.string(),
		messages: z.array(
			z.object({ file: z.string(), rule: z.string().nullable(), message: z.string(), line: z.number() }),
		),
	}),
);

function writeNodeSource(className: string, { inputs, outputs, ...description }: INodeTypeDescription): string {
	const connections = (list: unknown) => writeLiteral(list).replaceAll('"main"', 'NodeConnectionTypes.Main');
	return `import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

export class ${className} implements INodeType {
	description: INodeTypeDescription = {
		inputs: ${connections(inputs)},
		outputs: ${connections(outputs)},
		${writeLiteral(description).slice(1)};
}
`;
}

/**
 * n8n's lint rules read sources, so they see nothing of what builder functions make. This writes the descriptions as
 * they are at run time into the sources of a package of their own and lets the scan read those.
 */
export async function findScanFaults(
	nodes: Array<{ file: string; description: INodeTypeDescription }>,
): Promise<string[]> {
	const folder = await mkdtemp(join(tmpdir(), 'rules-'));
	try {
		for (const name of ['package.json', 'icons', 'credentials']) {
			await cp(join(packageRoot, name), join(folder, name), { recursive: true });
		}
		for (const { file, description } of nodes) {
			const target = join(folder, relative(packageRoot, file));
			const className = description.name.charAt(0).toUpperCase() + description.name.slice(1);
			await mkdir(dirname(target), { recursive: true });
			await writeFile(target, writeNodeSource(className, description));
		}
		const scan = join(__dirname, 'scan-rules.mjs');
		const { stdout } = await promisify(execFile)(process.execPath, [scan, folder], {
			// With NODE_ENV 'test' the plugin believes that it tests itself.
			env: { ...process.env, NODE_ENV: 'production' },
			maxBuffer: 64 * 1024 * 1024,
		});
		const found = reportSchema
			.parse(JSON.parse(stdout))
			.flatMap(({ messages }) => messages)
			.map(({ file, rule, message, line }) => `${file}:${line} ${rule}: ${message}`);
		return [...new Set(found)];
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

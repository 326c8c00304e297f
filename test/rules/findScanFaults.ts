import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { INodeTypeDescription } from 'n8n-workflow';
import { z } from 'zod';
import { PACKAGE_ROOT } from '../n8n-core/package';
import { writeLiteral } from './writeLiteral';

const reportSchema = z.array(
	z.object({
		pluginVersion: z.string(),
		messages: z.array(
			z.object({ file: z.string(), rule: z.string().nullable(), message: z.string(), line: z.number() }),
		),
	}),
);

/** Writes the source of a node class whose description is a literal. */
function writeNodeSource(className: string, description: INodeTypeDescription): string {
	const { inputs, outputs, ...otherMembers } = description;
	const writeConnections = (connections: unknown) =>
		writeLiteral(connections).replaceAll('"main"', 'NodeConnectionTypes.Main');
	return `import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

export class ${className} implements INodeType {
	description: INodeTypeDescription = {
		inputs: ${writeConnections(inputs)},
		outputs: ${writeConnections(outputs)},
		${writeLiteral(otherMembers).slice(1)};
}
`;
}

/**
 * Runs n8n's scan on the descriptions that exist at run time. The scan reads only literals in source files, so it misses the texts and
 * fields that functions build. Therefore the descriptions are written as literals into the source files of a temporary package.
 * @returns one line per finding
 */
export async function findScanFaults(
	nodes: Array<{ file: string; description: INodeTypeDescription }>,
): Promise<string[]> {
	const folder = await mkdtemp(join(tmpdir(), 'rules-'));
	try {
		for (const name of ['package.json', 'icons', 'credentials']) {
			await cp(join(PACKAGE_ROOT, name), join(folder, name), { recursive: true });
		}
		for (const { file, description } of nodes) {
			const target = join(folder, relative(PACKAGE_ROOT, file));
			const className = description.name.charAt(0).toUpperCase() + description.name.slice(1);
			await mkdir(dirname(target), { recursive: true });
			await writeFile(target, writeNodeSource(className, description));
		}
		const scan = join(__dirname, 'scan-rules.mjs');
		const { stdout } = await promisify(execFile)(process.execPath, [scan, folder], {
			// With NODE_ENV 'test', n8n's lint plugin behaves as in its own tests.
			env: { ...process.env, NODE_ENV: 'production' },
			maxBuffer: 64 * 1024 * 1024,
		});
		const findings = reportSchema
			.parse(JSON.parse(stdout))
			.flatMap(({ messages }) => messages)
			.map(({ file, rule, message, line }) => `${file}:${line} ${rule}: ${message}`);
		return [...new Set(findings)];
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

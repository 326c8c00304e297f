import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { INodeTypeDescription } from 'n8n-workflow';
import { z } from 'zod';

import { readDefinition } from '../../builder/definitions';
import { compare } from '../../builder/pairs';
import { manifest } from '../../n8n-core/package';
import { installN8n } from '../../real-n8n/install';
import { END_WITH_PARENT, runCommand } from '../../real-n8n/processes';
import { showStep } from '../../real-n8n/steps';

const nodes = z.array(
	z.custom<INodeTypeDescription>(
		(value) => z.object({ name: z.string(), properties: z.array(z.unknown()) }).safeParse(value).success,
	),
);

/** How much of a node an AI is told. */
export interface Told {
	node: string;
	operations: number;
	/** Pairs of an operation and a field, fields inside others too. */
	pairs: number;
	told: number;
	characters: number;
}

/**
 * Has n8n make the definitions of our nodes as it makes them for an AI, and compares them with the nodes.
 * @param served what n8n serves to its editor as /types/nodes.json
 * @param results a folder for the definitions
 */
export async function toldByN8n(served: unknown, results: string): Promise<{ table: Told[]; failures: string[] }> {
	const prefix = `${manifest.name}.`;
	// n8n adds a copy of each node as a tool.
	const ours = nodes
		.parse(served)
		.filter(({ name }) => name.startsWith(prefix) && !name.endsWith('Tool'))
		.sort((one, other) => one.name.localeCompare(other.name));
	const [descriptions, result] = [join(results, 'descriptions.json'), join(results, 'told.json')];
	await writeFile(descriptions, JSON.stringify(ours));
	const { folder, node } = await installN8n(showStep);
	const args = [...END_WITH_PARENT, join(__dirname, 'told.cjs'), join(folder, 'node_modules'), descriptions, result];
	await runCommand(node, args, { logFile: join(results, 'told.log'), cwd: results });
	const definitions = z.record(z.string()).parse(JSON.parse(await readFile(result, 'utf8')));

	const failures = ours.length === manifest.n8n.nodes.length ? [] : [`n8n serves ${ours.length} of our nodes.`];
	const table = ours.map((description): Told => {
		const name = description.name.slice(prefix.length);
		const definition = definitions[description.name] ?? '';
		const operations = readDefinition(definition);
		const { pairs, told, findings } = compare(description, operations);
		failures.push(...findings.map((finding) => `${name}: ${finding}.`));
		return {
			node: name,
			operations: operations.filter(({ operation }) => /^[a-z]/i.test(operation)).length,
			pairs,
			told,
			characters: definition.length,
		};
	});
	return { table, failures };
}

/** The same for all nodes together. */
export const together = (table: Told[]): Told =>
	table.reduce(
		(sum, { operations, pairs, told, characters }) => ({
			...sum,
			operations: sum.operations + operations,
			pairs: sum.pairs + pairs,
			told: sum.told + told,
			characters: sum.characters + characters,
		}),
		{ node: 'all', operations: 0, pairs: 0, told: 0, characters: 0 },
	);

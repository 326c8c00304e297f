import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';
import ts from 'typescript';
import { z } from 'zod';

import { installN8n } from '../../real-n8n/install';
import { END_WITH_PARENT, runCommand } from '../../real-n8n/processes';
import { showStep } from '../../real-n8n/steps';
import { manifest } from '../../n8n-core/package';
import { fieldsOf, optionsOf } from '../../rules/walk';
import { describedNodes, type Hour, type Step } from './step';

/** The types of each node, in TypeScript, as n8n hands them to an AI. */
async function typesByNode({ client, results }: Hour): Promise<Record<string, string>> {
	const named = z.array(z.object({ name: z.string() }).passthrough());
	const described = named.parse(await (await client.file('/types/nodes.json')).json());
	const ours = described.filter(({ name }) => name.startsWith(`${manifest.name}.`));
	const [descriptions, result] = [join(results, 'descriptions.json'), join(results, 'types.json')];
	await writeFile(descriptions, JSON.stringify(ours));
	const { folder, node } = await installN8n(showStep);
	const args = [...END_WITH_PARENT, join(__dirname, 'builder.cjs'), join(folder, 'node_modules'), descriptions, result];
	await runCommand(node, args, { logFile: join(results, 'builder.log'), cwd: results });
	return z.record(z.string()).parse(JSON.parse(await readFile(result, 'utf8')));
}

/** The fields of a type with those inside them, by their paths: "filters", "filters.searchText". */
function pathsIn(type: ts.Node, above = ''): string[] {
	const paths: string[] = [];
	type.forEachChild((child) => {
		if (!ts.isPropertySignature(child)) return void paths.push(...pathsIn(child, above));
		const path = above + child.name.getText().replace(/^['"]|['"]$/g, '');
		paths.push(path, ...(child.type ? pathsIn(child.type, `${path}.`) : []));
	});
	return paths;
}

/** What the types say of each operation, or, of a node without any, of the whole node. */
function toldOf(types: string): Map<string, Set<string>> {
	const file = ts.createSourceFile('types.ts', types, ts.ScriptTarget.Latest, true);
	const told = new Map<string, Set<string>>();
	for (const statement of file.statements) {
		const isBlock = ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement);
		if (!isBlock || !statement.name.text.endsWith('Params')) continue;
		const operation = /^\s*operation: '(\w+)';$/m.exec(statement.getText())?.[1] ?? '';
		told.set(operation, new Set(pathsIn(statement)));
	}
	return told;
}

/** The fields that a person sees of an operation, by their paths; of a node without operations, all of them. */
function seenOf(properties: INodeProperties[], operation: string): Set<string> {
	const shown = properties.filter(({ name, type, displayOptions }) => {
		if (['resource', 'operation'].includes(name) || ['notice', 'hidden'].includes(type)) return false;
		return operation === '' || displayOptions?.show?.['operation']?.includes(operation) === true;
	});
	return new Set(
		fieldsOf({ properties: shown }).flatMap(({ property, path }) => (property.type === 'notice' ? [] : [path])),
	);
}

/**
 * n8n's generator puts every field of every operation into a block of that operation, so that an AI that builds a
 * workflow knows which fields an operation has.
 */
export const toldToBuilder: Step = async (hour) => {
	const types = await typesByNode(hour);
	const count = { operations: 0, pairs: 0, inside: 0, ofTriggers: 0, characters: 0 };
	const missing: string[] = [];
	for (const { name, properties } of await describedNodes()) {
		const text = types[`${manifest.name}.${name}`] ?? '';
		count.characters += text.length;
		const told = toldOf(text);
		const choice = properties.find((property) => property.name === 'operation');
		for (const operation of choice ? optionsOf(choice).map(({ value }) => String(value)) : ['']) {
			if (operation !== '') count.operations++;
			for (const path of seenOf(properties, operation)) {
				count[operation === '' ? 'ofTriggers' : path.includes('.') ? 'inside' : 'pairs']++;
				if (told.get(operation)?.has(path) !== true) missing.push(`${name} ${operation}: ${path}`);
			}
		}
	}
	const all = count.pairs + count.inside + count.ofTriggers;
	assert.deepEqual(missing, [], `An AI is not told of ${missing.length} of ${all} fields.`);
	return `${count.pairs} of ${count.pairs} pairs of ${count.operations} operations and their fields, ${count.inside} fields inside those, ${count.ofTriggers} of triggers; ${count.characters} characters`;
};

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { z } from 'zod';

export const packageRoot = join(__dirname, '..', '..');

const manifestSchema = z.object({
	name: z.string(),
	homepage: z.string().url(),
	n8n: z.object({ nodes: z.array(z.string()), credentials: z.array(z.string()) }),
});

export const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')));

/** dist/nodes/X/X.node.js, as package.json lists it, comes from nodes/X/X.node.ts. */
export const toSourcePath = (listed: string): string =>
	join(packageRoot, listed.replace(/^dist\//, '').replace(/\.js$/, '.ts'));

const isConstructor = (value: unknown): value is new () => object => typeof value === 'function';

/** The class of a source file as n8n finds it: the export named like the file, up to its first dot. */
export async function loadClass(sourceFile: string): Promise<new () => object> {
	const [className = ''] = basename(sourceFile).split('.');
	const exported = z.record(z.unknown()).parse(await import(sourceFile))[className];
	if (!isConstructor(exported)) throw new Error(`${sourceFile} exports no class named ${className}`);
	return exported;
}

const isNodeType = (value: object): value is INodeType => 'description' in value;
const isCredentialType = (value: object): value is ICredentialType => 'name' in value && 'properties' in value;

const instances = new WeakMap<new () => object, object>();

/** The only instance of a class, as n8n makes one of each node and credential and keeps it. */
export function getInstance<T extends object>(of: new () => T): T {
	const known = instances.get(of);
	if (known instanceof of) return known;
	const made = new of();
	instances.set(of, made);
	return made;
}

type InstanceFactory = (of: new () => object) => object;

/**
 * @param fileOf which file stands for the listed one: its source, unless given
 * @param make makes an instance, or finds the one that there is
 */
export async function loadNode(listed: string, fileOf = toSourcePath, make: InstanceFactory = getInstance): Promise<INodeType> {
	const node = make(await loadClass(fileOf(listed)));
	if (!isNodeType(node)) throw new Error(`${listed} is not a node`);
	return node;
}

/** Another instance than the one that `loadNode` finds. */
export const createNode = async (listed: string) => loadNode(listed, toSourcePath, (of) => new of());

export async function loadCredentialTypes(fileOf = toSourcePath): Promise<ICredentialType[]> {
	return await Promise.all(
		manifest.n8n.credentials.map(async (listed) => {
			const type = getInstance(await loadClass(fileOf(listed)));
			if (!isCredentialType(type)) throw new Error(`${listed} is not a credential`);
			return type;
		}),
	);
}

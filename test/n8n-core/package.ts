import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { z } from 'zod';

/** The root folder of this package. */
export const PACKAGE_ROOT = join(__dirname, '..', '..');

const manifestSchema = z.object({
	name: z.string(),
	homepage: z.string().url(),
	n8n: z.object({ nodes: z.array(z.string()), credentials: z.array(z.string()) }),
});

/** The parts of package.json that the harness reads. */
export const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')));

/** Returns the source file of a built file in package.json: dist/nodes/X/X.node.js is built from nodes/X/X.node.ts. */
export function toSourcePath(builtPath: string): string {
	return join(PACKAGE_ROOT, builtPath.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
}

const isConstructor = (value: unknown): value is new () => object => typeof value === 'function';

/**
 * Loads the class of a file, as n8n does. The export has the name of the file up to its first dot.
 * @throws Error if there is none
 */
export async function loadClass(sourceFile: string): Promise<new () => object> {
	const [className = ''] = basename(sourceFile).split('.');
	const exportedValue = z.record(z.unknown()).parse(await import(sourceFile))[className];
	if (!isConstructor(exportedValue)) throw new Error(`${sourceFile} exports no class named ${className}`);
	return exportedValue;
}

const isNodeType = (value: object): value is INodeType => 'description' in value;
const isCredentialType = (value: object): value is ICredentialType => 'name' in value && 'properties' in value;

const instances = new WeakMap<new () => object, object>();

/** Returns the only instance of a class. n8n also creates each node and credential once, and keeps it. */
export function getInstance<T extends object>(instanceClass: new () => T): T {
	const existingInstance = instances.get(instanceClass);
	if (existingInstance instanceof instanceClass) return existingInstance;
	const newInstance = new instanceClass();
	instances.set(instanceClass, newInstance);
	return newInstance;
}

type InstanceFactory = (instanceClass: new () => object) => object;

/**
 * Loads a node.
 * @param builtPath the file that package.json lists
 * @param toFilePath returns the file to load instead; by default the source file
 * @param getNodeInstance returns an instance of the node's class; by default its only instance
 * @throws Error if the file contains no node
 */
export async function loadNode(
	builtPath: string,
	toFilePath = toSourcePath,
	getNodeInstance: InstanceFactory = getInstance,
): Promise<INodeType> {
	const node = getNodeInstance(await loadClass(toFilePath(builtPath)));
	if (!isNodeType(node)) throw new Error(`${builtPath} is not a node`);
	return node;
}

/** Creates a new instance of a node, which is not the one that `loadNode` returns. */
export function createNode(builtPath: string): Promise<INodeType> {
	return loadNode(builtPath, toSourcePath, (nodeClass) => new nodeClass());
}

/**
 * Loads the credential types of this package.
 * @param toFilePath returns the file to load; by default the source file
 */
export async function loadCredentialTypes(toFilePath = toSourcePath): Promise<ICredentialType[]> {
	return await Promise.all(
		manifest.n8n.credentials.map(async (builtPath) => {
			const type = getInstance(await loadClass(toFilePath(builtPath)));
			if (!isCredentialType(type)) throw new Error(`${builtPath} is not a credential`);
			return type;
		}),
	);
}

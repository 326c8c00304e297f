import { basename, dirname } from 'node:path';
import { z } from 'zod';
import type { Operation } from '../../nodes/core/operation/defineOperation';
import { loadNode, manifest, toSourcePath } from '../n8n-core/package';

/** An operation and its node. */
export interface ListedOperation {
	/** The name of the node's folder: "Company". */
	node: string;
	/** The path of the node's compiled file in package.json. */
	nodePath: string;
	operation: Operation;
}

/**
 * Lists the endpoints that an operation uses, such as "POST /api/scim/search". A composite operation uses the endpoints of its
 * dependencies.
 */
export const listEndpointKeys = ({ endpoint, dependencies = [] }: Operation): string[] =>
	endpoint === null ? dependencies.flatMap(listEndpointKeys) : [endpoint];

const isOperation = (value: unknown): value is Operation =>
	z.object({ value: z.string(), endpoint: z.string().nullable(), run: z.function() }).safeParse(value).success;

/** Loads the property `operations` of a node. @returns an empty list for a trigger @throws ZodError if an entry is not an operation */
export async function loadOperations(nodePath: string): Promise<Operation[]> {
	const node = await loadNode(nodePath);
	if (!('operations' in node)) return [];
	const operationSchema = z.custom<Operation>(
		isOperation,
		`${nodePath} has an operation without value, endpoint or run`,
	);
	return z.array(operationSchema).parse(node.operations);
}

/** Lists every operation of every node in package.json. */
export async function loadAllOperations(): Promise<ListedOperation[]> {
	const operationsByNode = await Promise.all(
		manifest.n8n.nodes.map(async (nodePath) => {
			const node = basename(dirname(toSourcePath(nodePath)));
			const operations = await loadOperations(nodePath);
			return operations.map((operation): ListedOperation => ({ node, nodePath, operation }));
		}),
	);
	return operationsByNode.flat();
}

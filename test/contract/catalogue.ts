import { basename, dirname } from 'node:path';
import { z } from 'zod';
import type { Operation } from '../../nodes/core/operation/defineOperation';
import type { NodeResource } from '../../nodes/core/operation/nodeResource';
import { loadNode, manifest, toSourcePath } from '../n8n-core/package';
import { formatOperationKey } from './operationKeys';

/** An operation and its node. */
export interface ListedOperation {
	/** The name of the node's folder: "Company". */
	node: string;
	/** The path of the node's compiled file in package.json. */
	nodePath: string;
	/** The value of the operation's n8n resource: "campaignJob". */
	resource: string;
	/** The key by which tests name the operation: "campaignJob.getMany" (see `formatOperationKey`). */
	key: string;
	operation: Operation;
}

/**
 * Lists the endpoints that an operation uses, such as "POST /api/scim/search". A composite operation uses the endpoints of its
 * dependencies.
 */
export const listEndpointKeys = ({ endpoint, dependencies = [] }: Operation): string[] =>
	endpoint === null ? dependencies.flatMap(listEndpointKeys) : [endpoint];

const operationSchema = z.custom<Operation>(
	(value) =>
		z.object({ value: z.string(), endpoint: z.string().nullable(), run: z.function() }).safeParse(value).success,
	'This operation has no value, endpoint or run',
);

const resourcesSchema = z.array(
	z.object({
		value: z.string(),
		name: z.string(),
		defaultOperation: z.string(),
		operations: z.array(operationSchema),
	}),
);

/** Loads the property `resources` of a node. @returns an empty list for a trigger @throws ZodError if an entry is not a resource */
export async function loadResources(nodePath: string): Promise<NodeResource[]> {
	const node = await loadNode(nodePath);
	return 'resources' in node ? resourcesSchema.parse(node.resources) : [];
}

/** Lists the operations of a node. @returns an empty list for a trigger */
export async function loadOperations(nodePath: string): Promise<ListedOperation[]> {
	const node = basename(dirname(toSourcePath(nodePath)));
	const resources = await loadResources(nodePath);
	return resources.flatMap((resource) =>
		resource.operations.map((operation): ListedOperation => ({
			node,
			nodePath,
			resource: resource.value,
			key: formatOperationKey(node, resource.value, operation.value),
			operation,
		})),
	);
}

/** Lists every operation of every node in package.json. */
export async function loadAllOperations(): Promise<ListedOperation[]> {
	const operationsByNode = await Promise.all(manifest.n8n.nodes.map(loadOperations));
	return operationsByNode.flat();
}

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { Operation } from '../../nodes/core/operation/defineOperation';
import { manifest, sourceOf } from '../n8n-core/package';

/** An operation and the node that it belongs to. */
export interface Listed {
	/** The node's folder: "Company". */
	node: string;
	/** The node as package.json lists it. */
	listed: string;
	operation: Operation;
}

/** The requests that an operation is, or is made of, as rows of the contract's table. */
export const keysOf = ({ endpoint, uses = [] }: Operation): string[] =>
	endpoint === null ? uses.flatMap(keysOf) : [endpoint];

const isOperation = (value: unknown): value is Operation =>
	z.object({ value: z.string(), endpoint: z.string().nullable(), run: z.function() }).safeParse(value).success;

/** Every operation of every node that package.json lists; triggers have none. */
export async function allOperations(): Promise<Listed[]> {
	const ofNodes = await Promise.all(
		manifest.n8n.nodes
			.filter((listed) => existsSync(join(dirname(sourceOf(listed)), 'operations.ts')))
			.map(async (listed) => {
				const folder = dirname(sourceOf(listed));
				const { operations } = z
					.object({ operations: z.array(z.unknown()) })
					.parse(await import(join(folder, 'operations.ts')));
				return operations.map((operation): Listed => {
					if (!isOperation(operation)) throw new Error(`${folder} has an operation that is none`);
					return { node: basename(folder), listed, operation };
				});
			}),
	);
	return ofNodes.flat();
}

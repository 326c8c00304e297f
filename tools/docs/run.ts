import { relative } from 'node:path';
import type { IDataObject, INodeTypeDescription } from 'n8n-workflow';
import { z } from 'zod';
import { VERSIONS } from '../../nodes/shared/form/version';
import type { Operation } from '../../nodes/shared/operation/operation';
import type { ContractKey } from '../../nodes/shared/transport/request';
import { runNode } from '../../test/n8n-core';
import { packageRoot, sourceOf } from '../../test/n8n-core/package';
import { allOperations, cases, type Case } from '../../test/cases';
import { OperationFixture, itemWith } from '../../test/cases/operationFixture';

/** An operation with what it asks for and what it gives. */
export interface Ran {
	operation: Operation;
	requests: ContractKey[];
	/** Items of the newest version of the node. */
	items: IDataObject[];
	/** Items of each version of the node. */
	itemsOf: Map<number, IDataObject[]>;
	/** What of the items must not be written down. */
	secrets: string[];
}

/** A node with its operations, in the order in which it offers them. */
export interface Documented {
	folder: string;
	/** Its hidden parameter: "company". */
	resource: string;
	description: INodeTypeDescription;
	/** Where its codex file is in the repository. */
	codexFile: string;
	operations: Ran[];
}

const isKey = (key: string | null): key is ContractKey =>
	key !== null && /^(GET|POST|PUT|PATCH|DELETE) \/api\//.test(key);

/** @throws Error where it has no case, fails or gives nothing */
async function ran(ground: OperationFixture, node: string, operation: Operation): Promise<Ran> {
	const found = cases.find((each) => each.node === node && each.operation === operation.value);
	if (!found) throw new Error(`${node}, ${operation.value}: there is no case in test/cases`);
	ground.service.reset();
	const { requests } = await found.prepare(ground.customer);
	const itemsOf = new Map<number, IDataObject[]>();
	let ofNewest: RanOnce = { items: [], secrets: [] };
	for (const version of VERSIONS) {
		ofNewest = await ranOnce(ground, found, operation, version);
		itemsOf.set(version, ofNewest.items);
	}
	const keys = operation.steps?.map(({ contract }) => contract) ?? requests ?? [operation.contract];
	return { operation, requests: keys.filter(isKey), itemsOf, ...ofNewest };
}

type RanOnce = Pick<Ran, 'items' | 'secrets'>;

async function ranOnce(
	ground: OperationFixture,
	found: Case,
	operation: Operation,
	typeVersion: number,
): Promise<RanOnce> {
	const { node } = found;
	ground.service.reset();
	const { parameters, files, secrets } = await found.prepare(ground.customer);
	// With every company, what is added to each company's items is seen too; one company is enough for that.
	const every = { companyScope: 'every', companyFilter: { nameContains: ground.customer.company.companyName } };
	const { items } = await runNode({
		node: ground.node(node),
		parameters: { operation: operation.value, ...parameters, ...(operation.scope === 'companies' ? every : {}) },
		credential: ground.credential,
		typeVersion,
		items: [await itemWith(files)],
	});
	if (items.length === 0) throw new Error(`${node}, ${operation.value}: nothing came out`);
	return { items: items.map(({ json }) => json), secrets: secrets?.(items) ?? [] };
}

/** Runs every operation against the stand-in service. @throws Error naming the operation that cannot be run */
export async function runAll(): Promise<Documented[]> {
	const ground = new OperationFixture();
	await ground.start('contract');
	const nodes = new Map<string, Documented>();
	try {
		for (const { node: folder, listed, operation } of await allOperations()) {
			const { description } = ground.node(folder);
			const resource = z.string().parse(description.properties.find(({ name }) => name === 'resource')?.default);
			const codexFile = relative(packageRoot, sourceOf(listed)).replaceAll('\\', '/').replace(/\.ts$/, '.json');
			const node = nodes.get(folder) ?? { folder, resource, description, codexFile, operations: [] };
			nodes.set(folder, node);
			node.operations.push(await ran(ground, folder, operation));
		}
	} finally {
		await ground.service.close();
	}
	for (const { operations } of nodes.values())
		operations.sort((one, other) => one.operation.name.localeCompare(other.operation.name));
	return [...nodes.values()];
}

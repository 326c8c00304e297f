/** What the tests of the operations share: a stand-in service of either personality, and runs in n8n's engine. */
import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
	type INodeType,
} from 'n8n-workflow';
import { CredentialStore, loadNode, runNode, storeBinary, type RunOptions, type RunResult } from '../n8n-core';
import type { PersonalityName, ServiceOptions } from '../stand-in';
import { allOperations, type Case, type InputFile, type Listed, type Run } from '.';
import { CustomerFixture } from './customerFixture';

/** A personality, and what a test's title calls it. */
interface Described {
	personality: PersonalityName;
	named: string;
}

/** Both personalities of the service, for describe.each. */
export const PERSONALITIES = [
	{ personality: 'contract', named: "the contract's names" },
	{ personality: 'deployed', named: 'a live deployment' },
] as const satisfies readonly Described[];

/** The cases that a personality can run: the contract has none that are beside it. */
export const servedBy = (personality: PersonalityName, all: readonly Case[]): Case[] =>
	all.filter(({ isBeside }) => !isBeside || personality === 'deployed');

/**
 * Deals a list out to the personalities of the service, so that together they try all of it once; what is beside the contract
 * to the one that has it.
 */
export const shareOf = <T extends object | string>(personality: PersonalityName, all: readonly T[]): T[] => {
	const place = PERSONALITIES.findIndex((each) => each.personality === personality);
	return all.filter((each, index) =>
		typeof each === 'object' && 'isBeside' in each && each.isBeside === true
			? personality === 'deployed'
			: index % PERSONALITIES.length === place,
	);
};

/** A service for one part of a test file, as seeded before every test. */
export class OperationFixture {
	private started: CustomerFixture | undefined;
	private store: CredentialStore | undefined;
	private operations: Listed[] = [];
	private readonly nodes = new Map<string, INodeType>();

	get customer(): CustomerFixture {
		if (!this.started) throw new Error('The service is not started yet');
		return this.started;
	}

	get service() {
		return this.customer.service;
	}

	async start(personality: PersonalityName, more: ServiceOptions = {}): Promise<void> {
		this.started = await CustomerFixture.start({ personality, companies: 40, ...more });
		await this.loadNodes();
	}

	async loadNodes(): Promise<void> {
		this.operations = await allOperations();
		for (const { node, listed } of this.operations)
			if (!this.nodes.has(node)) this.nodes.set(node, await loadNode(listed));
	}

	/** The credential that all runs share, and with it the token. */
	get credential(): CredentialStore {
		return (this.store ??= this.newCredential());
	}

	/** The same credential, with the highest level of what AI agents may do. */
	get agentCredential(): CredentialStore {
		this.credential.data.agentsMay = 'email';
		return this.credential;
	}

	newCredential(who?: Parameters<CustomerFixture['credential']>[0], more: IDataObject = {}): CredentialStore {
		return new CredentialStore({ ...this.customer.credential(who), ...asData(more) });
	}

	/** Of all nodes. */
	get folders(): string[] {
		return [...this.nodes.keys()];
	}

	node(folder: string): INodeType {
		const node = this.nodes.get(folder);
		if (!node) throw new Error(`There is no node ${folder}`);
		return node;
	}

	operation(folder: string, value: string): Listed['operation'] {
		const found = this.operations.find(({ node, operation }) => node === folder && operation.value === value);
		if (!found) throw new Error(`${folder} has no operation ${value}`);
		return found.operation;
	}

	/** What was asked of the service since the log was cleared, tokens aside. */
	get asked() {
		return this.service.log.filter(({ route }) => route !== TOKEN);
	}
}

export const TOKEN = 'POST /connect/token';

const asData = (more: IDataObject) =>
	Object.fromEntries(Object.entries(more).map(([name, value]) => [name, String(value)]));

/** Starts a service for the tests around it. Pauses between tries are random and up to half a minute: here they take no time. */
export function operationFixture(personality: PersonalityName, more: ServiceOptions = {}): OperationFixture {
	const made = new OperationFixture();
	beforeAll(async () => made.start(personality, more));
	beforeEach(() => {
		made.service.reset();
		jest.spyOn(Math, 'random').mockReturnValue(0);
	});
	afterEach(() => jest.restoreAllMocks());
	afterAll(async () => made.service.close());
	return made;
}

/** One input item with the files that a case needs. */
export async function itemWith(
	files: Record<string, InputFile> = {},
	json: IDataObject = {},
): Promise<INodeExecutionData> {
	const stored = Object.entries(files).map(
		async ([field, { content, ...file }]) => [field, await storeBinary(content, file)] as const,
	);
	return { json, binary: Object.fromEntries(await Promise.all(stored)) };
}

/** Runs what a case has prepared. An error has all texts that a person sees, not only its title. */
export async function runCase(
	g: OperationFixture,
	{ node, operation }: Pick<Case, 'node' | 'operation'>,
	run: Pick<Run, 'parameters' | 'files'>,
	more: Partial<RunOptions> = {},
): Promise<RunResult> {
	const options = {
		node: g.node(node),
		parameters: { operation, ...run.parameters },
		credential: g.credential,
		items: [await itemWith(run.files)],
	};
	return await runNode({ ...options, ...more }).catch((error: unknown) => {
		if (error instanceof NodeApiError || error instanceof NodeOperationError)
			throw new Error(`${error.message}: ${error.description ?? ''}`, { cause: error });
		throw error;
	});
}

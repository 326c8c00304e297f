/** What the tests of the operations share: a stand-in service of either personality, and runs in n8n's engine. */
import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
	type INodeType,
} from 'n8n-workflow';
import { CredentialStore, loadNode, runNode, storeBinary, type RunOptions, type RunResult } from '../n8n-core';
import type { ProfileName, StandInOptions } from '../stand-in';
import { loadAllOperations, type Case, type InputFile, type ListedOperation, type CaseRun } from '.';
import { CustomerFixture } from './customerFixture';

/** A personality, and what a test's title calls it. */
interface TestedProfile {
	profile: ProfileName;
	title: string;
}

/** Both personalities of the service, for describe.each. */
export const TESTED_PROFILES = [
	{ profile: 'contract', title: "the contract's names" },
	{ profile: 'deployed', title: 'a live deployment' },
] as const satisfies readonly TestedProfile[];

/** The cases that a personality can run: the contract has none that are beside it. */
export const filterServedCases = (personality: ProfileName, all: readonly Case[]): Case[] =>
	all.filter(({ isOutsideContract: isBeside }) => !isBeside || personality === 'deployed');

/**
 * Deals a list out to the personalities of the service, so that together they try all of it once; what is beside the contract
 * to the one that has it.
 */
export const takeShare = <T extends object | string>(personality: ProfileName, all: readonly T[]): T[] => {
	const place = TESTED_PROFILES.findIndex((each) => each.personality === personality);
	return all.filter((each, index) =>
		typeof each === 'object' && 'isBeside' in each && each.isBeside === true
			? personality === 'deployed'
			: index % TESTED_PROFILES.length === place,
	);
};

/** A service for one part of a test file, as seeded before every test. */
export class OperationFixture {
	private startedCustomer: CustomerFixture | undefined;
	private sharedCredential: CredentialStore | undefined;
	private operations: ListedOperation[] = [];
	private readonly nodes = new Map<string, INodeType>();

	get customer(): CustomerFixture {
		if (!this.startedCustomer) throw new Error('The service is not started yet');
		return this.startedCustomer;
	}

	get standIn() {
		return this.customer.standIn;
	}

	async start(personality: ProfileName, more: StandInOptions = {}): Promise<void> {
		this.startedCustomer = await CustomerFixture.start({ profile: personality, companyCount: 40, ...more });
		await this.loadNodes();
	}

	async loadNodes(): Promise<void> {
		this.operations = await loadAllOperations();
		for (const { node: getNode, nodePath: listed } of this.operations)
			if (!this.nodes.has(getNode)) this.nodes.set(getNode, await loadNode(listed));
	}

	/** The credential that all runs share, and with it the token. */
	get credential(): CredentialStore {
		return (this.sharedCredential ??= this.createCredential());
	}

	/** The same credential, with the highest level of what AI agents may do. */
	get agentCredential(): CredentialStore {
		this.credential.data.agentsMay = 'email';
		return this.credential;
	}

	createCredential(who?: Parameters<CustomerFixture['buildCredentialData']>[0], more: IDataObject = {}): CredentialStore {
		return new CredentialStore({ ...this.customer.buildCredentialData(who), ...toTextValues(more) });
	}

	/** Of all nodes. */
	get nodeFolders(): string[] {
		return [...this.nodes.keys()];
	}

	getNode(folder: string): INodeType {
		const getNode = this.nodes.get(folder);
		if (!getNode) throw new Error(`There is no node ${folder}`);
		return getNode;
	}

	getOperation(folder: string, value: string): ListedOperation['operation'] {
		const found = this.operations.find(({ node: getNode, operation: getOperation }) => getNode === folder && getOperation.value === value);
		if (!found) throw new Error(`${folder} has no operation ${value}`);
		return found.operation;
	}

	/** What was asked of the service since the log was cleared, tokens aside. */
	get requests() {
		return this.standIn.log.filter(({ route }) => route !== TOKEN_ROUTE);
	}
}

export const TOKEN_ROUTE = 'POST /connect/token';

const toTextValues = (more: IDataObject) =>
	Object.fromEntries(Object.entries(more).map(([name, value]) => [name, String(value)]));

/** Starts a service for the tests around it. Pauses between tries are random and up to half a minute: here they take no time. */
export function createOperationFixture(personality: ProfileName, more: StandInOptions = {}): OperationFixture {
	const made = new OperationFixture();
	beforeAll(async () => made.start(personality, more));
	beforeEach(() => {
		made.standIn.reset();
		jest.spyOn(Math, 'random').mockReturnValue(0);
	});
	afterEach(() => jest.restoreAllMocks());
	afterAll(async () => made.standIn.close());
	return made;
}

/** One input item with the files that a case needs. */
export async function createInputItem(
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
	run: Pick<CaseRun, 'parameters' | 'inputFiles'>,
	more: Partial<RunOptions> = {},
): Promise<RunResult> {
	const options = {
		node: g.getNode(node),
		parameters: { operation, ...run.parameters },
		credential: g.credential,
		items: [await createInputItem(run.inputFiles)],
	};
	return await runNode({ ...options, ...more }).catch((error: unknown) => {
		if (error instanceof NodeApiError || error instanceof NodeOperationError)
			throw new Error(`${error.message}: ${error.description ?? ''}`, { cause: error });
		throw error;
	});
}

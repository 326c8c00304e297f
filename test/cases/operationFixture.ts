/** The fixture for tests of operations: a stand-in with one of the profiles, and runs in n8n's workflow engine. */
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
import { TOKEN_ROUTE } from '../stand-in/faults';
import { parseOperationKey } from '../contract/operationKeys';
import { closeFakeServers } from '../n8n-core/nodeFixture';
import { CustomerFixture } from './customerFixture';

/** A platform profile, and its name in test titles. */
interface TestedProfile {
	profile: ProfileName;
	title: string;
}

/** Both profiles, for describe.each. */
export const TESTED_PROFILES = [
	{ profile: 'contract', title: "the contract's names" },
	{ profile: 'deployed', title: 'a live deployment' },
] as const satisfies readonly TestedProfile[];

/** Returns the cases that a profile can run. The contract's platform lacks the operations outside the contract. */
export function filterServedCases(profileName: ProfileName, cases: readonly Case[]): Case[] {
	return cases.filter(({ isOutsideContract }) => !isOutsideContract || profileName === 'deployed');
}

/**
 * Divides a list between the profiles, and returns the entries that one profile must test. Each entry is tested with
 * only one profile. Entries outside the contract are tested with 'deployed'.
 */
export function selectEntriesForProfile<T extends object | string>(
	profileName: ProfileName,
	entries: readonly T[],
): T[] {
	const profileIndex = TESTED_PROFILES.findIndex(({ profile }) => profile === profileName);
	return entries.filter((entry, index) =>
		typeof entry === 'object' && 'isOutsideContract' in entry && entry.isOutsideContract === true
			? profileName === 'deployed'
			: index % TESTED_PROFILES.length === profileIndex,
	);
}

/** The stand-in and all nodes, for one group of tests in a file. */
export class OperationFixture {
	private startedCustomer: CustomerFixture | undefined;
	private sharedCredential: CredentialStore | undefined;
	private operations: ListedOperation[] = [];
	private readonly nodes = new Map<string, INodeType>();

	/**
	 * The stand-in and its customer.
	 * @throws Error before `start`
	 */
	get customer(): CustomerFixture {
		if (!this.startedCustomer) throw new Error('The service is not started yet');
		return this.startedCustomer;
	}

	get standIn() {
		return this.customer.standIn;
	}

	/** Starts the stand-in, and loads every node of the package. */
	async start(profileName: ProfileName, options: StandInOptions = {}): Promise<void> {
		this.startedCustomer = await CustomerFixture.start({ profile: profileName, companyCount: 40, ...options });
		await this.loadNodes();
	}

	/** Loads every node of the package. */
	async loadNodes(): Promise<void> {
		this.operations = await loadAllOperations();
		for (const { node, nodePath } of this.operations)
			if (!this.nodes.has(node)) this.nodes.set(node, await loadNode(nodePath));
	}

	/** The credential that all runs share, including its token. */
	get credential(): CredentialStore {
		return (this.sharedCredential ??= this.createCredential());
	}

	/** The shared credential, in which reading this property sets the highest access level for AI agents. */
	get agentCredential(): CredentialStore {
		this.credential.data.agentsMay = 'email';
		return this.credential;
	}

	/** Creates a credential without a token. */
	createCredential(
		clientName?: Parameters<CustomerFixture['buildCredentialData']>[0],
		overrides: IDataObject = {},
	): CredentialStore {
		return new CredentialStore({ ...this.customer.buildCredentialData(clientName), ...toTextValues(overrides) });
	}

	/** The names of the folders of all nodes. */
	get nodeFolders(): string[] {
		return [...this.nodes.keys()];
	}

	/**
	 * Returns the node of a folder.
	 * @throws Error if there is none
	 */
	getNode(folder: string): INodeType {
		const node = this.nodes.get(folder);
		if (!node) throw new Error(`There is no node ${folder}`);
		return node;
	}

	/**
	 * Returns an operation of a node. @param key the operation's key, such as 'campaignJob.getMany'
	 * @throws Error if there is none
	 */
	getOperation(folder: string, key: string): ListedOperation['operation'] {
		const entry = this.operations.find((listed) => listed.node === folder && listed.key === key);
		if (!entry) throw new Error(`${folder} has no operation ${key}`);
		return entry.operation;
	}

	/** The requests since the log was cleared, without token requests. */
	get requests() {
		return this.standIn.log.filter(({ route }) => route !== TOKEN_ROUTE);
	}
}

export { TOKEN_ROUTE };

function toTextValues(values: IDataObject): Record<string, string> {
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/**
 * Creates a fixture that starts before the surrounding tests, and resets before each of them. Random retry pauses are set
 * to zero.
 */
export function createOperationFixture(profileName: ProfileName, options: StandInOptions = {}): OperationFixture {
	const fixture = new OperationFixture();
	beforeAll(() => fixture.start(profileName, options));
	beforeEach(() => {
		fixture.standIn.reset();
		jest.spyOn(Math, 'random').mockReturnValue(0);
	});
	afterEach(() => {
		jest.restoreAllMocks();
		closeFakeServers();
	});
	afterAll(() => fixture.standIn.close());
	return fixture;
}

/** Creates an input item with the files of a case. */
export async function createInputItem(
	files: Record<string, InputFile> = {},
	json: IDataObject = {},
): Promise<INodeExecutionData> {
	const binaryEntries = Object.entries(files).map(
		async ([field, { content, ...file }]) => [field, await storeBinary(content, file)] as const,
	);
	return { json, binary: Object.fromEntries(await Promise.all(binaryEntries)) };
}

/**
 * Runs an operation with the parameters and files of its case. The message of a thrown error includes its description.
 */
export async function runCase(
	fixture: OperationFixture,
	{ node, operation }: Pick<Case, 'node' | 'operation'>,
	run: Pick<CaseRun, 'parameters' | 'inputFiles'>,
	overrides: Partial<RunOptions> = {},
): Promise<RunResult> {
	const options = {
		node: fixture.getNode(node),
		parameters: { ...parseOperationKey(node, operation), ...run.parameters },
		credential: fixture.credential,
		items: [await createInputItem(run.inputFiles)],
	};
	return await runNode({ ...options, ...overrides }).catch((error: unknown) => {
		if (error instanceof NodeApiError || error instanceof NodeOperationError)
			throw new Error(`${error.message}: ${error.description ?? ''}`, { cause: error });
		throw error;
	});
}

import {
	NodeConnectionTypes,
	UnexpectedError,
	Workflow,
	deepCopy,
	type ICredentialType,
	type IDataObject,
	type INode,
	type INodeType,
	type IWorkflowExecuteAdditionalData,
	type IWorkflowSettings,
	type OnError,
} from 'n8n-workflow';
import { CredentialStore, HarnessCredentialsHelper } from './credentials';
import type { LoadedCore } from './loadCore';
import { createNodeTypes } from './node-types';
import { loadCredentialTypes, manifest } from './package';
import { parseCredentialData, parseNodeParameters } from './schemas';

/** The node under test, and its place in the workflow. */
export interface NodeOptions {
	node: INodeType;
	parameters: IDataObject;
	/** The data of a new credential, or a store that several runs share, including its token. */
	credential?: IDataObject | CredentialStore;
	/** The credential types that n8n knows. By default, these are the types of this package. */
	credentialTypes?: ICredentialType[];
	/** The ID of the workflow. The default is 'harness'. */
	workflowId?: string;
	/** The name of the node in the workflow. The default is its display name. */
	name?: string;
	onError?: OnError;
	retryOnFail?: boolean;
	alwaysOutputData?: boolean;
	/** The version of the node in the workflow. The default is the newest. */
	typeVersion?: number;
	/** True if an AI agent uses the node as a tool. */
	isTool?: boolean;
	/** The static data that earlier polls have saved, in the format of IWorkflowBase.staticData. */
	staticData?: IDataObject;
	/** Settings of the workflow, in addition to the harness's own. */
	settings?: IWorkflowSettings;
}

/** The type of the node that outputs the items of a test. */
export const INPUT_NODE_TYPE: INodeType = {
	description: {
		displayName: 'Input',
		name: 'input',
		group: ['input'],
		version: 1,
		description: 'Hands over the items of a test',
		defaults: { name: 'Input' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	},
	execute: async () => [[]],
};

export const INPUT_NODE: INode = {
	id: 'input',
	name: 'Input',
	type: 'harness.input',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

function getLatestVersion(version: number | number[]): number {
	return Array.isArray(version) ? Math.max(...version) : version;
}

/** Creates a function that throws, in place of an n8n function that the harness does not support. */
function createUnsupportedFunction(featureName: string): () => Promise<never> {
	return async () => {
		throw new UnexpectedError(`The test harness has no ${featureName}`);
	};
}

/**
 * Builds a workflow of two nodes, Input and the node under test, with the defaults that n8n sets.
 * @returns the workflow, the node under test, and the data that n8n passes to a run
 */
export async function buildWorkflow({ core, Container }: LoadedCore, options: NodeOptions) {
	const { description } = options.node;
	const store =
		options.credential instanceof CredentialStore
			? options.credential
			: new CredentialStore(parseCredentialData(options.credential ?? {}));
	const credentials = Object.fromEntries(
		options.credential
			? (description.credentials ?? []).map(({ name }) => [name, { id: store.id, name: store.name }])
			: [],
	);
	const type = `${manifest.name}.${description.name}${options.isTool ? 'Tool' : ''}`;
	const name = options.name ?? description.displayName;
	const testedNode: INode = {
		id: 'node-under-test',
		name,
		type,
		typeVersion: options.typeVersion ?? getLatestVersion(description.version),
		position: [200, 0],
		parameters: deepCopy(parseNodeParameters(options.parameters)),
		credentials,
	};
	if (options.onError) testedNode.onError = options.onError;
	if (options.retryOnFail) {
		testedNode.retryOnFail = true;
		// By default, n8n waits a second before it tries again.
		testedNode.waitBetweenTries = 1;
	}
	if (options.alwaysOutputData) testedNode.alwaysOutputData = true;
	const workflow = new Workflow({
		id: options.workflowId ?? 'harness',
		name: 'Harness',
		nodes: [INPUT_NODE, testedNode],
		connections: { Input: { main: [[{ node: name, type: NodeConnectionTypes.Main, index: 0 }]] } },
		active: false,
		nodeTypes: createNodeTypes({ [INPUT_NODE.type]: INPUT_NODE_TYPE, [type]: options.node }),
		settings: { executionOrder: 'v1', ...options.settings },
		staticData: options.staticData ?? {},
	});
	const node = workflow.getNode(name);
	if (!node) throw new UnexpectedError('The workflow lost its node');
	const additionalData = await createAdditionalData({ core, Container }, store, options.credentialTypes);
	return { workflow, node, additionalData };
}

/** Returns the first node of a harness workflow. */
export function getInputNode(workflow: Workflow): INode {
	const inputNode = workflow.getNode(INPUT_NODE.name);
	if (!inputNode) throw new UnexpectedError('The workflow has no Input');
	return inputNode;
}

/**
 * Creates the data that n8n passes to a run, with a store in place of the database.
 * @param types the credential types that n8n knows; by default those of this package
 */
export async function createAdditionalData(
	{ core, Container }: LoadedCore,
	store: CredentialStore,
	types?: ICredentialType[],
): Promise<IWorkflowExecuteAdditionalData> {
	return {
		credentialsHelper: new HarnessCredentialsHelper(core, store, types ?? (await loadCredentialTypes())),
		externalSecretsProxy: Container.get(core.ExternalSecretsProxy),
		executionId: 'harness-execution',
		currentNodeExecutionIndex: 0,
		restApiUrl: 'http://127.0.0.1/rest',
		instanceBaseUrl: 'http://127.0.0.1/',
		formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
		webhookBaseUrl: 'http://127.0.0.1/webhook',
		webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
		webhookTestBaseUrl: 'http://127.0.0.1/webhook-test',
		variables: {},
		executeWorkflow: createUnsupportedFunction('sub-workflows'),
		getRunExecutionData: createUnsupportedFunction('stored executions'),
		startRunnerTask: createUnsupportedFunction('task runner'),
		logAiEvent: () => {},
	};
}

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
import type { LoadedCore } from './core';
import { createNodeTypes } from './node-types';
import { loadCredentialTypes, manifest } from './package';
import { parseCredentialData, parseNodeParameters } from './shapes';

export interface NodeOptions {
	node: INodeType;
	parameters: IDataObject;
	/** The data of a new credential, or a store that several runs share and with it the token. */
	credential?: IDataObject | CredentialStore;
	/** The package's own, unless given. */
	credentialTypes?: ICredentialType[];
	/** The node's name in the workflow. */
	/** The ID of its workflow, where several are to be told apart. */
	workflowId?: string;
	name?: string;
	onError?: OnError;
	retryOnFail?: boolean;
	alwaysOutputData?: boolean;
	/** The node's version in the workflow; the newest, unless given. */
	typeVersion?: number;
	/** Whether it stands in the workflow as the tool of an AI agent. */
	asTool?: boolean;
	/** What earlier polls have left, as in IWorkflowBase.staticData. */
	staticData?: IDataObject;
	/** The workflow's own, beside the harness's. */
	settings?: IWorkflowSettings;
}

/** The node type that hands over a run's items. */
export const inputType: INodeType = {
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

export const inputNode: INode = {
	id: 'input',
	name: 'Input',
	type: 'harness.input',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const getLatestVersion = (version: number | number[]): number => (Array.isArray(version) ? Math.max(...version) : version);

const createUnsupportedFunction = (what: string) => async (): Promise<never> => {
	throw new UnexpectedError(`The test harness has no ${what}`);
};

/** A workflow of two nodes, Input and the node, made and defaulted by n8n, with what n8n hands to a run of it. */
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
	const type = `${manifest.name}.${description.name}${options.asTool ? 'Tool' : ''}`;
	const name = options.name ?? description.displayName;
	const workflow = new Workflow({
		id: options.workflowId ?? 'harness',
		name: 'Harness',
		nodes: [
			inputNode,
			{
				id: 'node-under-test',
				name,
				type,
				typeVersion: options.typeVersion ?? getLatestVersion(description.version),
				position: [200, 0],
				parameters: deepCopy(parseNodeParameters(options.parameters)),
				credentials,
				...(options.onError ? { onError: options.onError } : {}),
				// By default n8n waits a second before it tries again.
				...(options.retryOnFail ? { retryOnFail: true, waitBetweenTries: 1 } : {}),
				...(options.alwaysOutputData ? { alwaysOutputData: true } : {}),
			},
		],
		connections: { Input: { main: [[{ node: name, type: NodeConnectionTypes.Main, index: 0 }]] } },
		active: false,
		nodeTypes: createNodeTypes({ [inputNode.type]: inputType, [type]: options.node }),
		settings: { executionOrder: 'v1', ...options.settings },
		staticData: options.staticData ?? {},
	});
	const node = workflow.getNode(name);
	if (!node) throw new UnexpectedError('The workflow lost its node');
	const additionalData = await createAdditionalData({ core, Container }, store, options.credentialTypes);
	return { workflow, node, additionalData };
}

/** The node that a workflow of the harness begins with. */
export function getInputNode(workflow: Workflow): INode {
	const input = workflow.getNode(inputNode.name);
	if (!input) throw new UnexpectedError('The workflow has no Input');
	return input;
}

/** What n8n hands to a run, with a store in place of the database. @param types the package's own, unless given */
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

/**
 * Runs a node as n8n does: with n8n-core's own workflow engine, execution contexts, OAuth2 requests and binary data, over
 * real HTTP. Only the database is replaced, by CredentialStore.
 */
import type { Readable } from 'node:stream';
import {
	NodeConnectionTypes,
	UnexpectedError,
	createRunExecutionData,
	deepCopy,
	type IBinaryData,
	type IDataObject,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodePropertyOptions,
	type INodeType,
	type IRun,
	type IWorkflowExecuteAdditionalData,
	type NodeExecutionHint,
	type Workflow,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { loadCore, type LoadedCore } from './loadCore';
import { parseNodeParameters } from './schemas';
import { getInputNode, buildWorkflow, type NodeOptions } from './workflow';

export { CredentialStore } from './credentials';
export { loadNode, loadCredentialTypes } from './package';
export type { NodeOptions } from './workflow';

/**
 * The storage of binary data: inside the items as base64 ('memory'), or in n8n's own store in a temporary folder
 * ('filesystem').
 */
export type BinaryMode = 'memory' | 'filesystem';

/** The options of one run of a node. */
export interface RunOptions extends NodeOptions {
	/** The input items. The default is one empty item. */
	items?: INodeExecutionData[];
	binaryMode?: BinaryMode;
	/** Cancels the execution, as the Stop button does. */
	signal?: AbortSignal;
	mode?: WorkflowExecuteMode;
}

/** The result of one run of a node. */
export interface RunResult {
	items: INodeExecutionData[];
	/** The messages that the node sent to the browser's console. n8n passes them on only in mode 'manual'. */
	uiMessages: unknown[];
	/** The items that n8n has sent to the error output. Set only with onError 'continueErrorOutput'. */
	errorItems?: INodeExecutionData[];
	hints: NodeExecutionHint[];
	/** The execution as n8n would save it. */
	run: IRun;
}

/** The mode of the process's binary data store; undefined until this test file has set it. */
let currentBinaryMode: BinaryMode | undefined;

/**
 * Sets the storage of binary data. As in n8n, there is one store per process, so runs with different modes must not
 * overlap.
 * @returns the store
 */
export async function setBinaryMode(mode: BinaryMode) {
	const { core, Container } = await loadCore();
	const binaryDataService = Container.get(core.BinaryDataService);
	if (mode === currentBinaryMode) return binaryDataService;
	const config = Container.get(core.BinaryDataConfig);
	// The mode 'default' has no store, so n8n keeps binary data in the items.
	config.mode = mode === 'memory' ? 'default' : 'filesystem';
	await binaryDataService.init();
	currentBinaryMode = mode;
	return binaryDataService;
}

interface WorkflowExecution {
	/** The workflow. Its first node must be the harness's Input node. */
	workflow: Workflow;
	additionalData: IWorkflowExecuteAdditionalData;
	/** The items that the Input node outputs. */
	items: INodeExecutionData[];
	mode?: WorkflowExecuteMode;
	signal?: AbortSignal | undefined;
}

/**
 * Runs a workflow from its Input node in n8n's own engine.
 * @returns the execution as n8n would save it
 */
export async function executeWorkflow({ core }: LoadedCore, options: WorkflowExecution): Promise<IRun> {
	const { workflow, additionalData, items, mode = 'trigger', signal } = options;
	const inputNode = getInputNode(workflow);
	const now = new Date();
	const hooks = new core.ExecutionLifecycleHooks(mode, 'harness-execution', {
		id: workflow.id,
		name: 'Harness',
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: now,
		updatedAt: now,
		nodes: Object.values(workflow.nodes),
		connections: workflow.connectionsBySourceNode,
	});
	const engine = new core.WorkflowExecute(
		Object.assign(additionalData, { hooks }),
		mode,
		createRunExecutionData({
			executionData: { nodeExecutionStack: [{ node: inputNode, data: { main: [[{ json: {} }]] }, source: null }] },
			resultData: { pinData: { [inputNode.name]: deepCopy(items) } },
		}),
	);
	const execution = engine.processRunExecutionData(workflow);
	const cancel = () => execution.cancel();
	signal?.addEventListener('abort', cancel, { once: true });
	if (signal?.aborted) cancel();
	return await execution.finally(() => signal?.removeEventListener('abort', cancel));
}

/**
 * Runs a node in a workflow, and returns its outputs.
 * @throws the error that the node threw, if the workflow failed
 */
export async function runNode(options: RunOptions): Promise<RunResult> {
	const loadedCore = await loadCore();
	await setBinaryMode(options.binaryMode ?? 'filesystem');
	const thrownErrors: unknown[] = [];
	const node: INodeType = {
		...options.node,
		description: options.node.description,
		async execute() {
			try {
				return (await options.node.execute?.call(this)) ?? null;
			} catch (error) {
				thrownErrors.push(error);
				throw error;
			}
		},
	};
	const mode = options.mode ?? 'trigger';
	const { workflow, node: testedNode, additionalData } = await buildWorkflow(loadedCore, { ...options, node });
	const items = options.items ?? [{ json: {} }];
	const uiMessages: unknown[] = [];
	additionalData.sendDataToUI = (_type, data) => {
		uiMessages.push(...[data].flat().map((event) => event.messages));
	};
	const run = await executeWorkflow(loadedCore, { workflow, additionalData, items, mode, signal: options.signal });

	const { error } = run.data.resultData;
	if (error) {
		if (thrownErrors.length > 0) throw thrownErrors.at(-1);
		// The error comes from n8n itself, which saves only its fields.
		throw new Error(error.message, { cause: error });
	}
	const taskData = run.data.resultData.runData[testedNode.name]?.[0];
	const [mainOutput, errorOutput] = taskData?.data?.main ?? [];
	const result: RunResult = { items: mainOutput ?? [], uiMessages, hints: taskData?.hints ?? [], run };
	if (options.onError === 'continueErrorOutput') result.errorItems = errorOutput ?? [];
	return result;
}

/**
 * Reads the content of an item's binary field, wherever n8n has saved it.
 * @throws UnexpectedError if the field is missing
 */
export async function readBinary(item: INodeExecutionData | undefined, field = 'data'): Promise<Buffer> {
	const data = item?.binary?.[field];
	if (!data) throw new UnexpectedError(`The item has no binary field "${field}"`);
	const { core, Container } = await loadCore();
	return await Container.get(core.BinaryDataService).getAsBuffer(data);
}

/** Saves binary data for an input item, as an earlier node would have done. */
export async function storeBinary(
	content: Buffer | Readable,
	file: { fileName: string; mimeType: string },
	mode: BinaryMode = 'filesystem',
): Promise<IBinaryData> {
	const binaryDataService = await setBinaryMode(mode);
	const location = { type: 'execution', workflowId: 'harness', executionId: 'harness-execution' } as const;
	return await binaryDataService.store(location, content, { ...file, data: '' });
}

/** The options of a call to a method of a node. */
interface MethodOptions extends NodeOptions {
	/** The name of the method. */
	method: string;
	/** The path of the parameter. Lists need it if they depend on other parameters in the same collection. */
	path?: string;
}

async function createLoadOptionsContext(options: MethodOptions) {
	const loadedCore = await loadCore();
	const { workflow, node, additionalData } = await buildWorkflow(loadedCore, options);
	additionalData.currentNodeParameters = parseNodeParameters(node.parameters);
	return new loadedCore.core.LoadOptionsContext(workflow, node, additionalData, options.path ?? '');
}

/** Loads the list of a resource locator, as the editor does. */
export async function callListSearch(
	options: MethodOptions & { filter?: string; paginationToken?: string },
): Promise<INodeListSearchResult> {
	const method = options.node.methods?.listSearch?.[options.method];
	if (!method) throw new UnexpectedError(`The node has no list search "${options.method}"`);
	return await method.call(await createLoadOptionsContext(options), options.filter, options.paginationToken);
}

/** Loads the options of a drop-down list, as the editor does. */
export async function callLoadOptions(options: MethodOptions): Promise<INodePropertyOptions[]> {
	const method = options.node.methods?.loadOptions?.[options.method];
	if (!method) throw new UnexpectedError(`The node has no loadOptions method "${options.method}"`);
	return await method.call(await createLoadOptionsContext(options));
}

/**
 * Runs the node as a tool, in the same way as n8n's AI agents.
 * @returns the text that the agent receives
 */
export async function runTool(options: RunOptions & { toolArguments?: IDataObject }): Promise<string> {
	const loadedCore = await loadCore();
	await setBinaryMode(options.binaryMode ?? 'filesystem');
	const { makeHandleToolInvocation } =
		await import('n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data');
	const { workflow, node, additionalData } = await buildWorkflow(loadedCore, { ...options, isTool: true });
	const runExecutionData = createRunExecutionData();
	const invoke = makeHandleToolInvocation(
		(runIndex) =>
			new loadedCore.core.SupplyDataContext(
				workflow,
				node,
				additionalData,
				options.mode ?? 'trigger',
				runExecutionData,
				runIndex,
				[],
				{},
				NodeConnectionTypes.AiTool,
				{ node, data: { main: [[]] }, source: null },
				[],
				options.signal,
			),
		node,
		options.node,
		runExecutionData,
	);
	return await invoke(options.toolArguments ?? {});
}

/**
 * Runs one poll.
 * @returns the items, and the static data that n8n would save for the next poll
 */
export async function runPoll(
	options: NodeOptions & { mode?: WorkflowExecuteMode; activation?: WorkflowActivateMode },
): Promise<{ items: INodeExecutionData[] | null; staticData: IDataObject }> {
	const loadedCore = await loadCore();
	const { workflow, node, additionalData } = await buildWorkflow(loadedCore, options);
	const context = new loadedCore.core.PollContext(
		workflow,
		node,
		additionalData,
		options.mode ?? 'trigger',
		options.activation ?? 'activate',
	);
	const output = (await options.node.poll?.call(context)) ?? null;
	return { items: output?.[0] ?? null, staticData: deepCopy(workflow.staticData) };
}

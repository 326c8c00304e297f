/**
 * Runs a node as n8n does: n8n-core's own workflow engine, execution contexts, OAuth2 requests and binary data, over
 * real HTTP. Only the database is replaced (CredentialStore).
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
import { loadCore, type LoadedCore } from './core';
import { parseNodeParameters } from './shapes';
import { getInputNode, buildWorkflow, type NodeOptions } from './workflow';

export { CredentialStore } from './credentials';
export { loadNode, loadCredentialTypes } from './package';
export type { NodeOptions } from './workflow';

/** 'memory': base64 in the items. 'filesystem': n8n's own store, in a temporary folder. */
export type BinaryMode = 'memory' | 'filesystem';

export interface RunOptions extends NodeOptions {
	/** One empty item, unless given. */
	items?: INodeExecutionData[];
	binaryMode?: BinaryMode;
	/** Cancels the execution as the Stop button does. */
	signal?: AbortSignal;
	mode?: WorkflowExecuteMode;
}

export interface RunResult {
	items: INodeExecutionData[];
	/** What the node said to the browser's console; n8n passes it on in mode 'manual' only. */
	uiMessages: unknown[];
	/** The error output, after n8n's own routing; only with onError 'continueErrorOutput'. */
	errors?: INodeExecutionData[];
	hints: NodeExecutionHint[];
	/** What n8n would keep of the execution. */
	run: IRun;
}

/** What the process's store was last set up for, by this test file. */
let binaryModeInUse: BinaryMode | undefined;

/** Chooses where binary data goes. The store is one per process, as in n8n: runs with different modes must not overlap. */
export async function useBinaryMode(mode: BinaryMode) {
	const { core, Container } = await loadCore();
	const service = Container.get(core.BinaryDataService);
	if (mode === binaryModeInUse) return service;
	const config = Container.get(core.BinaryDataConfig);
	// Without a manager for its mode, n8n keeps binary data in the items: 'default' is the mode that has none.
	config.mode = mode === 'memory' ? 'default' : 'filesystem';
	await service.init();
	binaryModeInUse = mode;
	return service;
}

interface WorkflowExecution {
	/** Its first node is the harness's own Input. */
	workflow: Workflow;
	additionalData: IWorkflowExecuteAdditionalData;
	/** What Input hands over. */
	items: INodeExecutionData[];
	mode?: WorkflowExecuteMode;
	signal?: AbortSignal | undefined;
}

/** Runs a workflow from its Input node on, in n8n's own engine, and returns what n8n would keep of it. */
export async function executeWorkflow({ core }: LoadedCore, options: WorkflowExecution): Promise<IRun> {
	const { workflow, additionalData, items, mode = 'trigger', signal } = options;
	const input = getInputNode(workflow);
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
			executionData: { nodeExecutionStack: [{ node: input, data: { main: [[{ json: {} }]] }, source: null }] },
			resultData: { pinData: { [input.name]: deepCopy(items) } },
		}),
	);
	const running = engine.processRunExecutionData(workflow);
	const cancel = () => running.cancel();
	signal?.addEventListener('abort', cancel, { once: true });
	if (signal?.aborted) cancel();
	return await running.finally(() => signal?.removeEventListener('abort', cancel));
}

/**
 * Runs the node in a workflow and returns its outputs. Throws the error that the node threw, if the workflow failed.
 */
export async function runNode(options: RunOptions): Promise<RunResult> {
	const loaded = await loadCore();
	await useBinaryMode(options.binaryMode ?? 'filesystem');
	const thrown: unknown[] = [];
	const node: INodeType = {
		...options.node,
		description: options.node.description,
		async execute() {
			try {
				return (await options.node.execute?.call(this)) ?? null;
			} catch (error) {
				thrown.push(error);
				throw error;
			}
		},
	};
	const mode = options.mode ?? 'trigger';
	const { workflow, node: underTest, additionalData } = await buildWorkflow(loaded, { ...options, node });
	const items = options.items ?? [{ json: {} }];
	const messages: unknown[] = [];
	additionalData.sendDataToUI = (_type, data) => void messages.push(...[data].flat().map((each) => each.messages));
	const run = await executeWorkflow(loaded, { workflow, additionalData, items, mode, signal: options.signal });

	const { error } = run.data.resultData;
	if (error) {
		if (thrown.length > 0) throw thrown.at(-1);
		// An error of n8n itself, of which it keeps only the fields.
		throw new Error(error.message, { cause: error });
	}
	const task = run.data.resultData.runData[underTest.name]?.[0];
	const [first, second] = task?.data?.main ?? [];
	return {
		items: first ?? [],
		uiMessages: messages,
		...(options.onError === 'continueErrorOutput' ? { errors: second ?? [] } : {}),
		hints: task?.hints ?? [],
		run,
	};
}

/** The content of an item's binary field, from wherever n8n has put it. */
export async function readBinary(item: INodeExecutionData | undefined, field = 'data'): Promise<Buffer> {
	const data = item?.binary?.[field];
	if (!data) throw new UnexpectedError(`The item has no binary field "${field}"`);
	const { core, Container } = await loadCore();
	return await Container.get(core.BinaryDataService).getAsBuffer(data);
}

/** Binary data for an input item, put away as an earlier node would have done. */
export async function storeBinary(
	content: Buffer | Readable,
	file: { fileName: string; mimeType: string },
	mode: BinaryMode = 'filesystem',
): Promise<IBinaryData> {
	const service = await useBinaryMode(mode);
	const { workflowId, executionId } = { workflowId: 'harness', executionId: 'harness-execution' };
	return await service.store({ type: 'execution', workflowId, executionId }, content, { ...file, data: '' });
}

interface MethodOptions extends NodeOptions {
	method: string;
	/** Where the parameter stands, for lists that depend on their neighbours. */
	path?: string;
}

async function createLoadOptionsContext(options: MethodOptions) {
	const loaded = await loadCore();
	const { workflow, node, additionalData } = await buildWorkflow(loaded, options);
	additionalData.currentNodeParameters = parseNodeParameters(node.parameters);
	return new loaded.core.LoadOptionsContext(workflow, node, additionalData, options.path ?? '');
}

/** A resource locator's list, as the editor asks for it. */
export async function callListSearch(
	options: MethodOptions & { filter?: string; paginationToken?: string },
): Promise<INodeListSearchResult> {
	const method = options.node.methods?.listSearch?.[options.method];
	if (!method) throw new UnexpectedError(`The node has no list search "${options.method}"`);
	return await method.call(await createLoadOptionsContext(options), options.filter, options.paginationToken);
}

/** A drop-down's options, as the editor asks for them. */
export async function callLoadOptions(options: MethodOptions): Promise<INodePropertyOptions[]> {
	const method = options.node.methods?.loadOptions?.[options.method];
	if (!method) throw new UnexpectedError(`The node has no loadOptions method "${options.method}"`);
	return await method.call(await createLoadOptionsContext(options));
}

/** The node as an AI agent's tool: n8n's own invocation, which answers with the text that the agent gets. */
export async function runTool(options: RunOptions & { toolArguments?: IDataObject }): Promise<string> {
	const loaded = await loadCore();
	await useBinaryMode(options.binaryMode ?? 'filesystem');
	const { makeHandleToolInvocation } =
		await import('n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data');
	const { workflow, node, additionalData } = await buildWorkflow(loaded, { ...options, asTool: true });
	const runExecutionData = createRunExecutionData();
	const invoke = makeHandleToolInvocation(
		(runIndex) =>
			new loaded.core.SupplyDataContext(
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

/** One poll. The static data returned is what n8n would keep for the next one. */
export async function runPoll(
	options: NodeOptions & { mode?: WorkflowExecuteMode; activation?: WorkflowActivateMode },
): Promise<{ items: INodeExecutionData[] | null; staticData: IDataObject }> {
	const loaded = await loadCore();
	const { workflow, node, additionalData } = await buildWorkflow(loaded, options);
	const context = new loaded.core.PollContext(
		workflow,
		node,
		additionalData,
		options.mode ?? 'trigger',
		options.activation ?? 'activate',
	);
	const output = (await options.node.poll?.call(context)) ?? null;
	return { items: output?.[0] ?? null, staticData: deepCopy(workflow.staticData) };
}

import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';

/** Who calls the node. */
export interface Caller {
	/** Whether the node itself is a tool of an AI agent. */
	isTool: boolean;
	/** Whether an AI agent calls it, as a tool or in a workflow that is the agent's tool. */
	isAgent: boolean;
	/**
	 * Whether another workflow called the workflow that the node is in. n8n tells such a workflow only of the agent that
	 * called it directly, as its tool, so there may be one further up.
	 */
	isCalled: boolean;
}

/**
 * Finds out who calls the node. n8n tells it in several ways, and none of them in every case: the variant of a node that is
 * a tool has a type that ends with "Tool" in all contexts, also in those whose `isToolExecution` answers false; a context
 * that supplies data to an agent answers true; the agents that n8n 2.41 itself has run a node outside of any workflow, in the
 * mode "internal", which nothing else runs in; and a workflow that an agent calls has the agent's callback manager. It has
 * none if a client of n8n's MCP Server Trigger calls it, or a workflow between it and the agent, or if it was resumed after
 * a wait: then n8n 1.123 to 2.41 tell only that a workflow was called, by the mode "integrated".
 */
export function callerOf(context: IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions): Caller {
	const isTool =
		/Tool$/i.test(context.getNode().type) ||
		('isToolExecution' in context && context.isToolExecution() === true) ||
		// A list in the editor has that mode too, but no input.
		('getInputData' in context && context.getMode() === 'internal');
	const hasAgent =
		'getParentCallbackManager' in context &&
		typeof context.getParentCallbackManager === 'function' &&
		(context.getParentCallbackManager() ?? undefined) !== undefined;
	const isCalled = 'getInputData' in context && context.getMode() === 'integrated';
	return { isTool, isAgent: isTool || hasAgent, isCalled };
}

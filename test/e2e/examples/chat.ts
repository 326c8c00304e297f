import { findTrigger, type ExampleSettings } from '../../real-n8n/examples';
import { waitInN8n, type ExampleContext } from './registerCheck';
import { startModel } from './fakeModel';

/** The public chat of an example with an AI assistant, while the example is active. */
export interface Chat {
	/** Sends a message to the assistant. */
	sendText: (text: string) => Promise<Response>;
	/** Waits until the assistant has answered all messages. @throws Error if the last execution failed */
	waitForEnd: () => Promise<void>;
	close: () => Promise<void>;
}

/**
 * Makes the chat of an example with an AI assistant public, as the example's page says, and activates the example.
 * @param disabledNodes the names of nodes to disable
 */
export async function openChat(
	{ environment, client, prepareWorkflow }: ExampleContext,
	{ settings, disabledNodes = [] }: { settings?: ExampleSettings; disabledNodes?: string[] } = {},
): Promise<Chat> {
	const workflow = await prepareWorkflow(settings);
	const webhookId = crypto.randomUUID();
	const triggerName = findTrigger(workflow).name;
	const nodes = workflow.nodes.map((node) => {
		if (node.name === triggerName) return { ...node, webhookId, parameters: { ...node.parameters, public: true } };
		return disabledNodes.includes(node.name) ? { ...node, disabled: true } : node;
	});
	const id = await client.createWorkflow({ ...workflow, nodes });
	await client.activate(id);
	let messageCount = 0;
	return {
		sendText: async (text) => {
			messageCount++;
			const body = { action: 'sendMessage', sessionId: 'somebody', chatInput: text };
			const headers = { 'content-type': 'application/json' };
			const url = `${environment.n8n.url}/webhook/${webhookId}/chat`;
			return await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
		},
		waitForEnd: async () => {
			await waitInN8n('the execution ended', async () => {
				const executions = await client.readExecutions(id);
				const hasEnded = executions.every(({ status }) => status === 'success' || status === 'error');
				return executions.length >= messageCount && hasEnded;
			});
			const [execution] = await client.readExecutions(id);
			if (execution?.error) throw new Error(`${execution.error.message} ${execution.error.description ?? ''}`);
		},
		close: async () => client.deactivate(id),
	};
}

/** Starts a simulated chat model, saves a credential for it in n8n, and runs `work`. Removes both at the end. */
export async function runWithModel(
	{ client }: ExampleContext,
	work: (model: Awaited<ReturnType<typeof startModel>>) => Promise<void>,
): Promise<void> {
	const model = await startModel();
	// The examples find their credential by this name, so it is deleted before another example creates one with the same name.
	const data = { apiKey: 'sk-of-the-stand-in', url: model.url };
	const credential = await client.createCredential('OpenAI account', 'openAiApi', data);
	try {
		await work(model);
	} finally {
		await client.deleteCredential(credential);
		await model.close();
	}
}

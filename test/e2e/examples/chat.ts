import { findTrigger, type ExampleSettings } from '../../real-n8n/examples';
import { waitInN8n, type ExampleContext } from './check';
import { startModel } from './model';

/** An example with an assistant that is switched on, its chat public as its page says. */
export interface Chat {
	/** Says something to the assistant. */
	say: (text: string) => Promise<Response>;
	/** Waits until all that was said is dealt with. @throws when an execution failed */
	waitForEnd: () => Promise<void>;
	close: () => Promise<void>;
}

/** Switches on an example with an assistant. @param without nodes that are left out */
export async function openChat(
	{ environment: stage, client, prepareWorkflow: workflow }: ExampleContext,
	{ settings, without = [] }: { settings?: ExampleSettings; without?: string[] } = {},
): Promise<Chat> {
	const read = await workflow(settings);
	const webhookId = crypto.randomUUID();
	const trigger = findTrigger(read).name;
	const nodes = read.nodes.map((node) => ({
		...node,
		...(node.name === trigger ? { webhookId, parameters: { ...node.parameters, public: true } } : {}),
		...(without.includes(node.name) ? { disabled: true } : {}),
	}));
	const id = await client.createWorkflow({ ...read, nodes });
	await client.activate(id);
	let messageCount = 0;
	return {
		say: async (text) => {
			messageCount++;
			const body = { action: 'sendMessage', sessionId: 'somebody', chatInput: text };
			const headers = { 'content-type': 'application/json' };
			const url = `${stage.n8n.url}/webhook/${webhookId}/chat`;
			return await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
		},
		waitForEnd: async () => {
			await waitInN8n('the execution ended', async () => {
				const all = await client.readExecutions(id);
				return all.length >= messageCount && all.every(({ status }) => status === 'success' || status === 'error');
			});
			const [execution] = await client.readExecutions(id);
			if (execution?.error) throw new Error(`${execution.error.message} ${execution.error.description ?? ''}`);
		},
		close: async () => client.deactivate(id),
	};
}

/** Starts a stand-in for the chat model, for which n8n has a credential while some work is done. */
export async function withModel(
	{ client }: ExampleContext,
	work: (model: Awaited<ReturnType<typeof startModel>>) => Promise<void>,
): Promise<void> {
	const model = await startModel();
	// n8n finds it by its name, so there must not be another one of that name.
	const data = { apiKey: 'sk-of-the-stand-in', url: model.url };
	const credential = await client.createCredential('OpenAI account', 'openAiApi', data);
	try {
		await work(model);
	} finally {
		await client.deleteCredential(credential);
		await model.close();
	}
}

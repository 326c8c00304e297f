import fastify from 'fastify';
import { z } from 'zod';

const messageSchema = z
	.object({ role: z.string(), content: z.unknown(), tool_call_id: z.string().optional() })
	.passthrough();
const requestSchema = z.object({
	messages: z.array(messageSchema),
	tools: z
		.array(
			z.object({
				function: z
					.object({ name: z.string(), parameters: z.object({ properties: z.record(z.unknown()) }).passthrough() })
					.passthrough(),
			}),
		)
		.default([]),
});
type ModelRequest = z.infer<typeof requestSchema>;

/** A call of a tool by the model. */
type ModelToolCall = [tool: string, toolArguments: Record<string, unknown>];

/** Returns the model's next output: a text, or tool calls. `toolResponses` has the responses of tools since the user's last message. */
type ScriptStep = (toolResponses: string[]) => ModelToolCall[] | string;

/** Starts a simulated chat model with OpenAI's API. Its outputs follow a script. */
export async function startModel() {
	const requests: ModelRequest[] = [];
	let remainingSteps: ScriptStep[] = [];
	const app = fastify({ forceCloseConnections: true });
	app.post('/v1/chat/completions', async ({ body }) => {
		const { messages, tools } = requestSchema.parse(body);
		requests.push({ messages, tools });
		const currentMessages = messages.slice(messages.findLastIndex(({ role }) => role === 'user'));
		const toolResponses = currentMessages
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
		const output = remainingSteps.shift()?.(toolResponses) ?? 'I have nothing more to say.';
		const toolCalls =
			typeof output === 'string'
				? undefined
				: output.map(([name, toolArguments], index) => ({
						id: `call_${requests.length}_${index}`,
						type: 'function',
						function: { name, arguments: JSON.stringify(toolArguments) },
					}));
		const content = typeof output === 'string' ? output : null;
		return {
			id: `answer-${requests.length}`,
			object: 'chat.completion',
			created: 0,
			model: 'stand-in',
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			choices: [
				{
					index: 0,
					finish_reason: toolCalls ? 'tool_calls' : 'stop',
					message: { role: 'assistant', content, tool_calls: toolCalls },
				},
			],
		};
	});
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	return {
		url: `${url}/v1`,
		requests,
		playScript: (script: ScriptStep[]) => {
			remainingSteps = [...script];
		},
		close: () => app.close(),
	};
}

/** Returns the first value of a field in a tool's response, which may contain JSON in strings. @throws Error if there is no such field */
export function readResponseField(toolResponse: string | undefined, field: string): string {
	const match = new RegExp(`\\\\*"${field}\\\\*":\\s*\\\\*"?([^"\\\\,}]+)`).exec(toolResponse ?? '');
	if (!match?.[1]) throw new Error(`The tool's answer has no ${field}: ${toolResponse}`);
	return match[1];
}

import fastify from 'fastify';
import { z } from 'zod';

const messageSchema = z.object({ role: z.string(), content: z.unknown(), tool_call_id: z.string().optional() }).passthrough();
const questionSchema = z.object({
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
type ModelRequest = z.infer<typeof questionSchema>;

/** One thing that the model wants a tool to do. */
type ToolCall = [tool: string, given: Record<string, unknown>];

/** What the model says next, knowing what the tools have answered to this question so far. */
type ScriptStep = (answers: string[]) => ToolCall[] | string;

/** A stand-in for a chat model behind OpenAI's interface that goes through a script. */
export async function startModel() {
	const asked: ModelRequest[] = [];
	let steps: ScriptStep[] = [];
	const app = fastify({ forceCloseConnections: true });
	app.post('/v1/chat/completions', async ({ body }) => {
		const { messages, tools } = questionSchema.parse(body);
		asked.push({ messages, tools });
		const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user'));
		const answers = since
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
		const next = steps.shift()?.(answers) ?? 'I have nothing more to say.';
		const calls =
			typeof next === 'string'
				? undefined
				: next.map(([name, given], index) => ({
						id: `call_${asked.length}_${index}`,
						type: 'function',
						function: { name, arguments: JSON.stringify(given) },
					}));
		return {
			id: `answer-${asked.length}`,
			object: 'chat.completion',
			created: 0,
			model: 'stand-in',
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			choices: [
				{
					index: 0,
					finish_reason: calls ? 'tool_calls' : 'stop',
					message: { role: 'assistant', content: calls ? null : next, ...(calls ? { tool_calls: calls } : {}) },
				},
			],
		};
	});
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	return { url: `${url}/v1`, asked, play: (script: ScriptStep[]) => void (steps = [...script]), close: () => app.close() };
}

/** A field's first value in what a tool answered, however it is wrapped. */
export function readFigure(answer: string | undefined, field: string): string {
	const match = new RegExp(`\\\\*"${field}\\\\*":\\s*\\\\*"?([^"\\\\,}]+)`).exec(answer ?? '');
	if (!match?.[1]) throw new Error(`The tool's answer has no ${field}: ${answer}`);
	return match[1];
}

import { z } from 'zod';

const responseSchema = z.object({
	result: z
		.object({
			tools: z.array(z.object({ name: z.string() })).optional(),
			content: z.array(z.object({ text: z.string() })).optional(),
		})
		.passthrough(),
});
type McpResult = z.infer<typeof responseSchema>['result'];

/** An assistant outside n8n, as far as MCP's streamable HTTP goes. */
export class McpClient {
	private session = '';
	private requestCount = 0;

	constructor(
		private readonly url: string,
		private readonly token: string,
	) {}

	async send(body: object): Promise<Response> {
		return await fetch(this.url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				authorization: `Bearer ${this.token}`,
				...(this.session ? { 'mcp-session-id': this.session } : {}),
			},
			body: JSON.stringify({ jsonrpc: '2.0', ...body }),
		});
	}

	async request(method: string, params: object = {}): Promise<McpResult> {
		const response = await this.send({ id: ++this.requestCount, method, params });
		this.session = response.headers.get('mcp-session-id') ?? this.session;
		const text = await response.text();
		const [, data = text] = /^data: (.*)$/m.exec(text) ?? [];
		return responseSchema.parse(JSON.parse(data)).result;
	}

	async connect(): Promise<void> {
		const clientInfo = { name: 'outside', version: '1' };
		await this.request('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo });
		await this.send({ method: 'notifications/initialized' });
	}

	/** What a tool answers, as text. */
	async callTool(name: string, given: Record<string, string> = {}): Promise<string> {
		const { content = [] } = await this.request('tools/call', { name, arguments: given });
		return content.map(({ text }) => text).join('\n');
	}
}

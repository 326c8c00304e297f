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

/** An MCP client that connects to an MCP server of n8n, with the streamable HTTP transport. */
export class McpClient {
	private sessionId = '';
	private requestCount = 0;

	constructor(
		private readonly url: string,
		private readonly token: string,
	) {}

	/** Sends a JSON-RPC message. */
	async sendMessage(body: object): Promise<Response> {
		const headers: Record<string, string> = {
			'content-type': 'application/json',
			accept: 'application/json, text/event-stream',
			authorization: `Bearer ${this.token}`,
		};
		if (this.sessionId) headers['mcp-session-id'] = this.sessionId;
		return await fetch(this.url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...body }) });
	}

	/** Sends a request. @returns its result */
	async request(method: string, params: object = {}): Promise<McpResult> {
		const response = await this.sendMessage({ id: ++this.requestCount, method, params });
		this.sessionId = response.headers.get('mcp-session-id') ?? this.sessionId;
		const text = await response.text();
		const [, data = text] = /^data: (.*)$/m.exec(text) ?? [];
		return responseSchema.parse(JSON.parse(data)).result;
	}

	/** Opens a session. */
	async connect(): Promise<void> {
		const clientInfo = { name: 'outside', version: '1' };
		await this.request('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo });
		await this.sendMessage({ method: 'notifications/initialized' });
	}

	/** Calls a tool. @returns its response as text */
	async callTool(name: string, toolArguments: Record<string, string> = {}): Promise<string> {
		const { content = [] } = await this.request('tools/call', { name, arguments: toolArguments });
		return content.map(({ text }) => text).join('\n');
	}
}

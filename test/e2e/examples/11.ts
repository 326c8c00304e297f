import type { INode } from 'n8n-workflow';
import { z } from 'zod';

import { ApiClient } from '../../stand-in/apiClient';
import { CREDENTIAL_TYPE } from '../../real-n8n/workflow';
import { checkExample } from './check';

const TOKEN = 'the-token-of-the-assistant';

const answer = z.object({
	result: z
		.object({
			tools: z.array(z.object({ name: z.string() })).optional(),
			content: z.array(z.object({ text: z.string() })).optional(),
		})
		.passthrough(),
});
type Answer = z.infer<typeof answer>['result'];

/** An assistant outside n8n, as far as MCP's streamable HTTP goes. */
class Assistant {
	private session = '';
	private asked = 0;

	constructor(
		private readonly url: string,
		private readonly token: string,
	) {}

	async send(body: object): Promise<Response> {
		return await fetch(this.url, {
			method: 'POST',
			headers: {
				...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
				authorization: `Bearer ${this.token}`,
				...(this.session ? { 'mcp-session-id': this.session } : {}),
			},
			body: JSON.stringify({ jsonrpc: '2.0', ...body }),
		});
	}

	async ask(method: string, params: object = {}): Promise<Answer> {
		const response = await this.send({ id: ++this.asked, method, params });
		this.session = response.headers.get('mcp-session-id') ?? this.session;
		const text = await response.text();
		const [, data = text] = /^data: (.*)$/m.exec(text) ?? [];
		return answer.parse(JSON.parse(data)).result;
	}

	async connect(): Promise<void> {
		const clientInfo = { name: 'outside', version: '1' };
		await this.ask('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo });
		await this.send({ method: 'notifications/initialized' });
	}

	/** What a tool answers, as text. */
	async call(name: string, given: Record<string, string> = {}): Promise<string> {
		const { content = [] } = await this.ask('tools/call', { name, arguments: given });
		return content.map(({ text }) => text).join('\n');
	}
}

checkExample(11, async ({ stage, client, service, workflow, same }) => {
	const bakery = service.state.companies.find(({ companyName }) => companyName === 'Golden Crust Bakery');
	if (!bakery) throw new Error('The customer is not there.');
	const customerId = bakery.companyResourceId;
	await client.createCredential('Bearer Auth account', 'httpBearerAuth', { token: TOKEN });
	const data = { ...stage.secrets, readOnly: true };
	const readOnly = await client.createCredential('Read only', CREDENTIAL_TYPE, data);

	const read = await workflow();
	const limited = read.nodes.map((node) =>
		node.credentials?.[CREDENTIAL_TYPE] ? { ...node, credentials: { [CREDENTIAL_TYPE]: readOnly } } : node,
	);
	// What a person might add by mistake: a tool that writes, and one that deletes.
	const added: INode[] = [
		{
			...{ id: 'w', name: 'Make Group', typeVersion: 1, position: [0, 600] },
			type: 'n8n-nodes-security-awareness.securityAwarenessCompanyGroupTool',
			parameters: { operation: 'create', name: 'Gotcha', participantList: customerId },
			credentials: { [CREDENTIAL_TYPE]: readOnly },
		},
		{
			...{ id: 'd', name: 'Delete Client', typeVersion: 1, position: [200, 600] },
			type: 'n8n-nodes-security-awareness.securityAwarenessApiClientTool',
			parameters: {
				operation: 'delete',
				company: { __rl: true, mode: 'id', value: customerId },
				apiClient: { __rl: true, mode: 'id', value: "={{ $fromAI('client', '', 'string') }}" },
			},
			credentials: { [CREDENTIAL_TYPE]: readOnly },
		},
	];
	const webhookId = crypto.randomUUID();
	const nodes = [...limited, ...added].map((node) =>
		node.type.endsWith('.mcpTrigger') ? { ...node, webhookId } : node,
	);
	const toServer = { ai_tool: [[{ node: 'MCP Server', type: 'ai_tool' as const, index: 0 }]] };
	const connections = { ...read.connections, 'Make Group': toServer, 'Delete Client': toServer };
	const id = await client.createWorkflow({ ...read, nodes, connections });
	await client.activate(id);
	try {
		const url = `${stage.n8n.url}/mcp/security-awareness`;
		const stranger = await new Assistant(url, 'another-token').send({ id: 1, method: 'initialize', params: {} });
		same('without the token nobody is answered', [401, 403].includes(stranger.status), true);

		const assistant = new Assistant(url, TOKEN);
		await assistant.connect();
		const { tools = [] } = await assistant.ask('tools/list');
		same(
			'the tools that are offered',
			tools.map(({ name }) => name).sort(),
			[
				...['Delete_Client', 'Enrollments', 'Find_Customers', 'Make_Group'],
				...['Phishing_Figures', 'Phishing_Jobs', 'Training_Figures'],
			].sort(),
		);
		service.clearLog();
		const found = await assistant.call('Find_Customers', { word: 'Golden Crust' });
		same('a customer is found by a word', found.includes(customerId), true);
		const { resourceId: campaign } = service.state.of(customerId).campaigns('phishing')[0] ?? {};
		const summary = `GET /api/phishing-simulator/phishing-campaign-job-report/summary/${campaign}/1`;
		const figures = z.object({ data: z.object({ sent: z.number() }) });
		const apiClient = new ApiClient(service, service.clients.reseller).for(customerId);
		const { sent } = figures.parse((await apiClient.ask(summary)).data).data;
		const told = await assistant.call('Phishing_Figures', { customerId, jobId: `${campaign}/1` });
		same('the figures are those of the service', told.includes(String(sent)), true);

		service.clearLog();
		const written = await assistant.call('Make_Group');
		const deleted = await assistant.call('Delete_Client', {
			client: service.state.of(customerId).clients[0]?.resourceId ?? 'x',
		});
		same(
			'a tool that writes is refused, and says by what',
			[/the credential only allows reading/.test(written), /switch 'Read Only' off/.test(written)],
			[true, true],
		);
		same('one that deletes is refused too', /the credential only allows reading/.test(deleted), true);
		same('nothing was sent for either', service.requests().length, 0);
		console.log(`    The assistant sees: ${written}\n    and: ${deleted}`);
	} finally {
		await client.deactivate(id);
	}
});

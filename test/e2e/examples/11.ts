import { z } from 'zod';

import { ApiClient } from '../../stand-in/apiClient';
import { CREDENTIAL_TYPE, buildPackageNode } from '../../real-n8n/workflow';
import { registerCheck, sort } from './check';
import { McpClient } from './mcp';
import { readFigure as figureOf } from './model';

const TOKEN = 'the-token-of-the-assistant';

registerCheck(11, async ({ environment: stage, client, service, prepareWorkflow: workflow, expectEqual: same }) => {
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
	const toLocator = (value: string) => ({ __rl: true, mode: 'id', value });
	// What a person might add by mistake: a tool that writes, and one that deletes.
	const write = { operation: 'create', name: 'Gotcha', participantList: customerId };
	const remove = {
		operation: 'delete',
		company: toLocator(customerId),
		apiClient: toLocator("={{ $fromAI('client', '', 'string') }}"),
	};
	const added = [
		buildPackageNode('Make Group', 'CompanyGroupTool', write, readOnly),
		buildPackageNode('Delete Client', 'ApiClientTool', remove, readOnly),
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
		const stranger = await new McpClient(url, 'another-token').send({ id: 1, method: 'initialize', params: {} });
		same('without the token nobody is answered', [401, 403].includes(stranger.status), true);

		const assistant = new McpClient(url, TOKEN);
		await assistant.connect();
		const { tools = [] } = await assistant.request('tools/list');
		const usual = ['Enrollments', 'Find_Customers', 'Phishing_Figures', 'Phishing_Jobs', 'Training_Figures'];
		const wanted = sort([...usual, 'Delete_Client', 'Make_Group']);
		same('the tools that are offered', sort(tools.map(({ name }) => name)), wanted);
		service.clearLog();
		const found = await assistant.callTool('Find_Customers', { word: 'Golden Crust' });
		same('a customer is found by a word', found.includes(customerId), true);
		const { resourceId: campaign } = service.state.getCompanyData(customerId).getCampaigns('phishing')[0] ?? {};
		const summary = `GET /api/phishing-simulator/phishing-campaign-job-report/summary/${campaign}/1`;
		const figuresSchema = z.object({ data: z.object({ campaignInfo: z.object({ totalTargetUserCount: z.number() }) }) });
		const api = new ApiClient(service, service.clients.reseller).scopeToCompany(customerId);
		const { campaignInfo } = figuresSchema.parse((await api.send(summary)).data).data;
		const told = await assistant.callTool('Phishing_Figures', { customerId, jobId: `${campaign}/1` });
		const sent = figureOf(told, 'targets');
		same('the figures are those of the service', sent, String(campaignInfo.totalTargetUserCount));

		service.clearLog();
		const apiClient = service.state.getCompanyData(customerId).clients[0]?.resourceId ?? 'x';
		const said = [await assistant.callTool('Make_Group'), await assistant.callTool('Delete_Client', { client: apiClient })];
		same(
			'a tool that writes and one that deletes are refused, say by what, and send nothing',
			[
				/the credential only allows reading/.test(said[0] ?? ''),
				/an AI agent may run/.test(said[1] ?? ''),
				service.getRequests().length,
			],
			[true, true, 0],
		);
		same('and how to put it right', /switch 'Read Only' off/.test(said[0] ?? ''), true);
	} finally {
		await client.deactivate(id);
	}
});

import { z } from 'zod';

import { ApiClient } from '../../stand-in/apiClient';
import { CREDENTIAL_TYPE, buildPackageNode } from '../../real-n8n/workflow';
import { registerCheck, sortForComparison } from './registerCheck';
import { McpClient } from './mcpClient';
import { readResponseField } from './fakeModel';

const MCP_TOKEN = 'the-token-of-the-assistant';

registerCheck(11, async ({ environment, client, service, prepareWorkflow, expectEqual }) => {
	const customerRecord = service.world.companies.find(({ companyName }) => companyName === 'Golden Crust Bakery');
	if (!customerRecord) throw new Error('The customer is not there.');
	const customerId = customerRecord.companyResourceId;
	await client.createCredential('Bearer Auth account', 'httpBearerAuth', { token: MCP_TOKEN });
	const credentialData = { ...environment.secrets, readOnly: true };
	const readOnlyCredential = await client.createCredential('Read only', CREDENTIAL_TYPE, credentialData);

	const preparedWorkflow = await prepareWorkflow();
	const readOnlyNodes = preparedWorkflow.nodes.map((node) =>
		node.credentials?.[CREDENTIAL_TYPE] ? { ...node, credentials: { [CREDENTIAL_TYPE]: readOnlyCredential } } : node,
	);
	const toLocator = (value: string) => ({ __rl: true, mode: 'id', value });
	// A user might add such tools by mistake: one writes, and one deletes.
	const writeParameters = { operation: 'create', name: 'Gotcha', companies: customerId };
	const deleteParameters = {
		operation: 'delete',
		company: toLocator(customerId),
		apiClient: toLocator("={{ $fromAI('client', '', 'string') }}"),
	};
	const writingNodes = [
		buildPackageNode('Make Group', 'CompanyGroupTool', writeParameters, readOnlyCredential),
		buildPackageNode('Delete Client', 'ApiClientTool', deleteParameters, readOnlyCredential),
	];
	const webhookId = crypto.randomUUID();
	const nodes = [...readOnlyNodes, ...writingNodes].map((node) =>
		node.type.endsWith('.mcpTrigger') ? { ...node, webhookId } : node,
	);
	const serverConnection = { ai_tool: [[{ node: 'MCP Server', type: 'ai_tool' as const, index: 0 }]] };
	const connections = {
		...preparedWorkflow.connections,
		'Make Group': serverConnection,
		'Delete Client': serverConnection,
	};
	const id = await client.createWorkflow({ ...preparedWorkflow, nodes, connections });
	await client.activate(id);
	try {
		const url = `${environment.n8n.url}/mcp/security-awareness`;
		const strangerResponse = await new McpClient(url, 'another-token').sendMessage({
			id: 1,
			method: 'initialize',
			params: {},
		});
		expectEqual('requests without the token are refused', [401, 403].includes(strangerResponse.status), true);

		const assistant = new McpClient(url, MCP_TOKEN);
		await assistant.connect();
		const { tools = [] } = await assistant.request('tools/list');
		const exampleTools = ['Enrollments', 'Find_Customers', 'Phishing_Figures', 'Phishing_Jobs', 'Training_Figures'];
		const expectedTools = sortForComparison([...exampleTools, 'Delete_Client', 'Make_Group']);
		expectEqual('all tools are offered', sortForComparison(tools.map(({ name }) => name)), expectedTools);
		service.clearLog();
		const searchResult = await assistant.callTool('Find_Customers', { word: 'Golden Crust' });
		expectEqual('a customer is found by a part of the name', searchResult.includes(customerId), true);
		const { resourceId: campaign } = service.world.getCompanyData(customerId).getCampaigns('phishing')[0] ?? {};
		const summaryRequest = `GET /api/phishing-simulator/phishing-campaign-job-report/summary/${campaign}/1`;
		const figuresSchema = z.object({
			data: z.object({ campaignInfo: z.object({ totalTargetUserCount: z.number() }) }),
		});
		const api = new ApiClient(service, service.clients.reseller).scopeToCompany(customerId);
		const { campaignInfo } = figuresSchema.parse((await api.send(summaryRequest)).data).data;
		const figuresResult = await assistant.callTool('Phishing_Figures', { customerId, jobId: `${campaign}/1` });
		const recipientCount = readResponseField(figuresResult, 'targets');
		expectEqual(
			'the figures are the same as in the service',
			recipientCount,
			String(campaignInfo.totalTargetUserCount),
		);

		service.clearLog();
		const apiClient = service.world.getCompanyData(customerId).clients[0]?.resourceId ?? 'x';
		const refusals = [
			await assistant.callTool('Make_Group'),
			await assistant.callTool('Delete_Client', { client: apiClient }),
		];
		expectEqual(
			'a tool that writes and a tool that deletes are refused with a reason, and send no request',
			[
				/the credential only allows reading/.test(refusals[0] ?? ''),
				/isn't allowed for AI agents/.test(refusals[1] ?? ''),
				service.getRequests().length,
			],
			[true, true, 0],
		);
		expectEqual('the refusal explains how to allow it', /turn off 'Read Only'/.test(refusals[0] ?? ''), true);
	} finally {
		await client.deactivate(id);
	}
});

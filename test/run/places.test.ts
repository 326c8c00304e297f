/** Operations that deployments have at another path than the contract, or not at all. */
import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { RequestError } from '../../nodes/core/http/errors';
import type { ApiRequest } from '../../nodes/core/http/request';
import { HttpClient } from '../../nodes/core/http/client';
import { SecurityAwarenessAccount } from '../../nodes/Account/SecurityAwarenessAccount.node';
import { runNode } from '../n8n-core';
import { startFakeServer, createNodeFixture, catchNodeError, sendJson } from '../n8n-core/nodeFixture';

const b = createNodeFixture({ companyCount: 40 });

/** Two paths of one operation: the contract's, and that of other platforms (deployment facts, "Naming"). */
const [ONE, OTHER] = ['email', 'sms'].map(
	(by) => `/api/smishing-simulator/smishing-campaign-job-report/search-${by}-clicked/x-1`,
) as [string, string];

const request: ApiRequest = {
	endpoint: 'POST /api/smishing-simulator/smishing-campaign-job-report/search-email-clicked/{resourceId}',
	path: { resourceId: 'x-1' },
	purpose: 'ask',
};

/** What a service comes to that answers so by its path: made in a node's own context, each request after the other. */
async function ask(answers: Record<string, [number, unknown]>, requests: ApiRequest[] = [request]) {
	const odd = await startFakeServer((asked, response) =>
		sendJson(response, ...(answers[asked.url ?? ''] ?? [404, undefined])),
	);
	const outcomes: unknown[] = [];
	const node: INodeType = {
		description: new SecurityAwarenessAccount().description,
		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			const service = await HttpClient.open(this);
			for (const each of requests)
				outcomes.push(
					await service.requestJson(each).then(
						({ data }) => data,
						(error: unknown) => (error instanceof RequestError ? error.details : error),
					),
				);
			return [[]];
		},
	};
	await runNode({ node, parameters: {}, credential: odd.store });
	return { outcomes, paths: odd.requests.map(({ url }) => url) };
}
const ok = (data: string): [number, unknown] => [200, { data, status: 'success' }];
const missing = (message: string): [number, unknown] => [404, { data: null, status: 'error', message }];

test('one path after the other is tried', async () => {
	const { outcomes, paths } = await ask({ [OTHER]: ok('second') });
	expect(outcomes).toEqual(['second']);
	expect(paths).toEqual([ONE, OTHER]);
});

test("the contract's path is enough where it is there", async () => {
	expect(await ask({ [ONE]: ok('first') })).toEqual({ outcomes: ['first'], paths: [ONE] });
});

test('any other answer than 404 is the answer', async () => {
	const { outcomes, paths } = await ask({ [OTHER]: [400, { message: 'No.' }] });
	expect(outcomes).toMatchObject([{ status: 400, advice: expect.stringContaining('No.') }]);
	expect(paths).toHaveLength(2);
});

test('where nothing says anything: the platform does not offer it', async () => {
	const { outcomes, paths } = await ask({});
	expect(outcomes).toMatchObject([
		{
			status: 404,
			reason: "this platform does not offer the operation, or has nothing with the ID 'x-1' (404)",
		},
	]);
	expect(paths).toHaveLength(2);
});

test('the first error is told, with what the service says', async () => {
	const { outcomes } = await ask({ [ONE]: missing('The job was not found.') });
	expect(outcomes).toMatchObject([{ advice: expect.stringMatching(/^The service says: The job was not found\./) }]);
});

test('an operation with one path only is told as before', async () => {
	const only: ApiRequest = { ...request, endpoint: 'GET /api/scim/{resourceId}' };
	const { outcomes } = await ask({ '/api/scim/x-1': missing('The integration was not found.') }, [only]);
	expect(outcomes).toMatchObject([{ reason: "nothing was found with the ID 'x-1' (404)" }]);
});

test('a node says so: the agent login of a platform that has none', async () => {
	const odd = await startFakeServer((_request, response) => response.writeHead(404).end());
	const error = await catchNodeError(
		b.run(
			SecurityAwarenessAccount,
			{ operation: 'getAgentLoginUrl', sessionId: 's-1', redirectUrl: 'https://x.example' },
			{ store: odd.store },
		),
	);
	expect(error.message).toBe('Could not get agent login URL: this platform does not offer the operation (404)');
	expect(odd.requests).toHaveLength(2);
});

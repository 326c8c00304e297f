/** Tests operations that have another path on some platforms than in the contract, and operations that some platforms lack. */
import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { RequestError } from '../../nodes/core/http/errors';
import type { ApiRequest } from '../../nodes/core/http/request';
import { HttpClient } from '../../nodes/core/http/client';
import { SecurityAwarenessAccount } from '../../nodes/Account/SecurityAwarenessAccount.node';
import { runNode } from '../n8n-core';
import { startFakeServer, createNodeFixture, catchNodeError, sendJson } from '../n8n-core/nodeFixture';

const fixture = createNodeFixture({ companyCount: 40 });

const REPORT_PATH = '/api/smishing-simulator/smishing-campaign-job-report';
/** The path of the tested operation in the contract. */
const CONTRACT_PATH = `${REPORT_PATH}/search-email-clicked/x-1`;
/** The path of the tested operation on other platforms (deployment facts, "Naming"). */
const ALTERNATIVE_PATH = `${REPORT_PATH}/search-sms-clicked/x-1`;

const request: ApiRequest = {
	endpoint: 'POST /api/smishing-simulator/smishing-campaign-job-report/search-email-clicked/{resourceId}',
	path: { resourceId: 'x-1' },
	purpose: 'ask',
};

/**
 * Sends requests to a fake server, one after the other.
 * @param responses the server's responses by path. The server answers with 404 for any other path.
 * @returns the response data or the error details of each request, and the requested paths
 */
async function sendRequests(responses: Record<string, [number, unknown]>, requests: ApiRequest[] = [request]) {
	const server = await startFakeServer((incoming, response) =>
		sendJson(response, ...(responses[incoming.url ?? ''] ?? [404, undefined])),
	);
	const outcomes: unknown[] = [];
	const node: INodeType = {
		description: new SecurityAwarenessAccount().description,
		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			const client = await HttpClient.open(this);
			for (const currentRequest of requests)
				outcomes.push(
					await client.requestJson(currentRequest).then(
						({ data }) => data,
						(error: unknown) => (error instanceof RequestError ? error.details : error),
					),
				);
			return [[]];
		},
	};
	await runNode({ node, parameters: {}, credential: server.credentialStore });
	return { outcomes, paths: server.requests.map(({ url }) => url) };
}
const createSuccess = (data: string): [number, unknown] => [200, { data, status: 'success' }];
const createNotFound = (message: string): [number, unknown] => [404, { data: null, status: 'error', message }];

test('the second path is tried if the first one is missing', async () => {
	const { outcomes, paths } = await sendRequests({ [ALTERNATIVE_PATH]: createSuccess('second') });
	expect(outcomes).toEqual(['second']);
	expect(paths).toEqual([CONTRACT_PATH, ALTERNATIVE_PATH]);
});

test("the second path is not tried if the contract's path exists", async () => {
	expect(await sendRequests({ [CONTRACT_PATH]: createSuccess('first') })).toEqual({
		outcomes: ['first'],
		paths: [CONTRACT_PATH],
	});
});

test('any other status than 404 is final', async () => {
	const { outcomes, paths } = await sendRequests({ [ALTERNATIVE_PATH]: [400, { message: 'No.' }] });
	expect(outcomes).toMatchObject([{ status: 400, advice: expect.stringContaining('No.') }]);
	expect(paths).toHaveLength(2);
});

test('if both paths are missing, the platform does not offer the operation', async () => {
	const { outcomes, paths } = await sendRequests({});
	expect(outcomes).toMatchObject([
		{
			status: 404,
			reason: "the platform has no record with the ID 'x-1', or does not support this operation (404)",
		},
	]);
	expect(paths).toHaveLength(2);
});

test('the first error is reported with the message of the service', async () => {
	const { outcomes } = await sendRequests({ [CONTRACT_PATH]: createNotFound('The job was not found.') });
	expect(outcomes).toMatchObject([
		{ advice: expect.stringMatching(/^It may have been deleted.* The platform says: The job was not found\.$/) },
	]);
});

test('an operation with only one path has the usual error', async () => {
	const requestWithOnePath: ApiRequest = { ...request, endpoint: 'GET /api/scim/{resourceId}' };
	const { outcomes } = await sendRequests({ '/api/scim/x-1': createNotFound('The integration was not found.') }, [
		requestWithOnePath,
	]);
	expect(outcomes).toMatchObject([{ reason: "the platform has no record with the ID 'x-1' (404)" }]);
});

test('a node reports that the platform has no agent login', async () => {
	const server = await startFakeServer((_request, response) => response.writeHead(404).end());
	const error = await catchNodeError(
		fixture.run(
			SecurityAwarenessAccount,
			{ resource: 'agentSignIn', operation: 'getLoginUrl', sessionId: 's-1', redirectUrl: 'https://x.example' },
			{ credentialStore: server.credentialStore },
		),
	);
	expect(error.message).toBe('Could not get agent login URL: the platform does not support this operation (404)');
	expect(server.requests).toHaveLength(2);
});

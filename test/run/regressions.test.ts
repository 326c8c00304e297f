/** Tests that bugs stay fixed. They were found by an external test of the package. */
import { z } from 'zod';
import { SecurityAwarenessAccount } from '../../nodes/Account/SecurityAwarenessAccount.node';
import { SecurityAwarenessScimIntegration } from '../../nodes/ScimIntegration/SecurityAwarenessScimIntegration.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { startFakeServer, createNodeFixture, catchNodeError, getJson, requireValue } from '../n8n-core/nodeFixture';
import { useSimulatedDate } from '../setup/testClock';

const INTEGRATION_ID = '3f2a9c10-6b1e-4f57-9a53-0d9a4c6be111';

const fixture = createNodeFixture({ companyCount: 40 });
useSimulatedDate();
const getCompanyId = () => requireValue(fixture.standIn.world.companies[3]).companyResourceId;
const buildOneCompany = () => ({ companyScope: 'one', company: { mode: 'id', value: getCompanyId() } });
test.each([
	['in quotes', '"the-token-of-this-once"', 'application/json'],
	['as text', 'the-token-of-this-once', 'text/plain'],
])('a response that is only a token, %s, is not lost', async (_how, body, type) => {
	const server = await startFakeServer((_request, response) => {
		response.writeHead(200, { 'content-type': type }).end(body);
	});
	const { items } = await fixture.run(
		SecurityAwarenessScimIntegration,
		{ operation: 'revokeToken', ...buildOneCompany(), scimIntegration: { mode: 'id', value: INTEGRATION_ID } },
		{ credentialStore: server.credentialStore },
	);
	expect(getJson(items)).toMatchObject([{ resourceId: INTEGRATION_ID, token: 'the-token-of-this-once' }]);
	const login = await fixture.run(
		SecurityAwarenessAccount,
		{ resource: 'agentSignIn', operation: 'exchangeCode', authCode: 'code' },
		{ credentialStore: server.credentialStore },
	);
	expect(JSON.stringify(getJson(login.items))).toContain('the-token-of-this-once');
});

test('a sentence is not a response of the service', async () => {
	const server = await startFakeServer((_request, response) => {
		response.writeHead(200, { 'content-type': 'text/plain' }).end('Service is up and running');
	});
	const error = await catchNodeError(
		fixture.run(
			SecurityAwarenessScimIntegration,
			{ operation: 'revokeToken', ...buildOneCompany(), scimIntegration: { mode: 'id', value: INTEGRATION_ID } },
			{ credentialStore: server.credentialStore },
		),
	);
	expect(error.message).toContain("the response is not in the platform's format");
});

test('an item that makes the node fail stops the reads of the other items', async () => {
	const pageSchema = z.object({ data: z.object({ results: z.array(z.unknown()) }).passthrough() }).passthrough();
	fixture.standIn.setOptions({
		transformEnvelope(envelope) {
			const { data, ...rest } = pageSchema.parse(envelope);
			return { ...rest, data: { ...data, totalNumberOfRecords: 100_000, totalNumberOfPages: 100_000 } };
		},
	});
	const items = ['none', getCompanyId(), getCompanyId()].map((value) => ({ json: { value } }));
	const parameters = {
		operation: 'getMany',
		companyScope: 'one',
		returnAll: true,
		company: { mode: 'id', value: '={{ $json.value }}' },
	};
	const error = await catchNodeError(fixture.run(SecurityAwarenessTargetGroup, parameters, { items }));
	fixture.standIn.setOptions({ transformEnvelope: undefined });
	expect(error.message).toContain("for 'none'");
	const waitAWhile = async () => new Promise((resolve) => setTimeout(resolve, 300));
	// All three items start at the same time, so the requests in flight end during this wait. After it, no request may be sent.
	await waitAWhile();
	const requestCount = fixture.requests.length;
	await waitAWhile();
	expect(fixture.requests.length).toBe(requestCount);
});

/** Errors that an external test of the package found, each reproduced as it was seen there. */
import { z } from 'zod';
import { SecurityAwarenessAccount } from '../../nodes/Account/SecurityAwarenessAccount.node';
import { SecurityAwarenessScimIntegration } from '../../nodes/ScimIntegration/SecurityAwarenessScimIntegration.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { startFakeServer, createNodeFixture, catchNodeError, getJson, requireValue } from '../n8n-core/nodeFixture';
import { useSimulatedClock } from '../setup/turnedClock';

const b = createNodeFixture({ companyCount: 40 });
useSimulatedClock();
const company = () => requireValue(b.standIn.state.companies[3]).companyResourceId;
const one = () => ({ companyScope: 'one', company: { mode: 'id', value: company() } });
test.each([
	['in quotes', '"the-token-of-this-once"', 'application/json'],
	['as text', 'the-token-of-this-once', 'text/plain'],
])('a token that is all there is of an answer, %s, is not lost', async (_how, body, type) => {
	const odd = await startFakeServer((_request, response) => void response.writeHead(200, { 'content-type': type }).end(body));
	const { items } = await b.run(
		SecurityAwarenessScimIntegration,
		{ operation: 'revokeToken', ...one(), scimIntegration: { mode: 'id', value: 'x' } },
		{ store: odd.store },
	);
	expect(getJson(items)).toMatchObject([{ resourceId: 'x', token: 'the-token-of-this-once' }]);
	const login = await b.run(
		SecurityAwarenessAccount,
		{ operation: 'exchangeAgentCode', authCode: 'code' },
		{ store: odd.store },
	);
	expect(JSON.stringify(getJson(login.items))).toContain('the-token-of-this-once');
});

test('a sentence or a page is still no answer of the service', async () => {
	const odd = await startFakeServer(
		(_request, response) =>
			void response.writeHead(200, { 'content-type': 'text/plain' }).end('Service is up and running'),
	);
	const error = await catchNodeError(
		b.run(
			SecurityAwarenessScimIntegration,
			{ operation: 'revokeToken', ...one(), scimIntegration: { mode: 'id', value: 'x' } },
			{ store: odd.store },
		),
	);
	expect(error.message).toContain('the answer is not in the format of this service');
});

test('an item that fails the node stops what is read for the others', async () => {
	const page = z.object({ data: z.object({ results: z.array(z.unknown()) }).passthrough() }).passthrough();
	b.standIn.setOptions({
		transformEnvelope(envelope) {
			const { data, ...rest } = page.parse(envelope);
			return { ...rest, data: { ...data, totalNumberOfRecords: 100_000, totalNumberOfPages: 100_000 } };
		},
	});
	const items = ['none', company(), company()].map((value) => ({ json: { value } }));
	const parameters = {
		operation: 'getMany',
		companyScope: 'one',
		returnAll: true,
		company: { mode: 'id', value: '={{ $json.value }}' },
	};
	const error = await catchNodeError(b.run(SecurityAwarenessTargetGroup, parameters, { items }));
	b.standIn.setOptions({ transformEnvelope: undefined });
	expect(error.message).toContain("for 'none'");
	const aWhile = async () => new Promise((resolve) => setTimeout(resolve, 300));
	// All three begin at once: what was on its way has come then.
	await aWhile();
	const asked = b.requests.length;
	await aWhile();
	expect(b.requests.length).toBe(asked);
});

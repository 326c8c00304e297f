/**
 * An answer without what was asked for is an error: of every operation that reads one record, and of those whose answer is the only
 * place of a secret.
 */
import type { Operation } from '../../nodes/core/operation/defineOperation';
import { getEndpoint } from '../../nodes/core/api/endpoint';
import { cases, type Case } from '../cases';
import { createOperationFixture, runCase } from '../cases/operationFixture';

const g = createOperationFixture('deployed');
afterEach(() => g.standIn.setOptions({ transformEnvelope: undefined }));

/** What a service may answer with that is nothing. */
const NOTHING = {
	'no body': '',
	'an empty object': {},
	'no data': { data: null, status: 'success' },
	'empty data': { data: {}, status: 'success', message: 'Done' },
	'an empty list': { data: [], status: 'success' },
};

/** Lists, of which an empty one is an answer; and what is carried out, whatever comes back. */
const MAY_BE_EMPTY = [
	'getAllGroups',
	'getFields',
	'getMany',
	'getOwn',
	'getInteractions',
	'complete',
	'login',
	'logout',
];

const isAsked = ({ endpoint, outputsSecret, value }: Operation) =>
	endpoint !== null && (endpoint.startsWith('GET ') || outputsSecret === true) && !MAY_BE_EMPTY.includes(value);

/** How a run ends whose own request is answered so: the error's text, or the items. */
async function outcome(each: Case, operation: Operation, answer: unknown): Promise<string> {
	g.standIn.setOptions({ transformEnvelope: undefined });
	const prepared = await each.prepare(g.customer);
	const routes: unknown[] = [operation.endpoint, operation.endpoint && getEndpoint(operation.endpoint).alternativeEndpoint];
	g.standIn.setOptions({ transformEnvelope: (envelope, { route }) => (routes.includes(route) ? answer : envelope) });
	return await runCase(g, each, prepared).then(
		({ items }) => JSON.stringify(items.map(({ json }) => json)),
		(error: unknown) => (error instanceof Error ? error.message : String(error)),
	);
}

test.each(Object.entries(NOTHING))('%s instead of a record, or of a secret', async (_name, answer) => {
	const silent: string[] = [];
	let tried = 0;
	for (const each of cases) {
		const operation = g.getOperation(each.node, each.operation);
		// A file is no record: test/response/files.test.ts.
		if (each.returnsFile || !isAsked(operation)) continue;
		g.standIn.reset();
		const ended = await outcome(each, operation, answer);
		tried++;
		if (!/^Could not .*: (the service (answered without|generated|returned)|.* but the service)/.test(ended))
			silent.push(`${each.node} ${each.operation}: ${ended}`);
	}
	expect(silent).toEqual([]);
	expect(tried).toBeGreaterThan(25);
});

describe('a secret that is missing', () => {
	const said = async (node: string, operation: string, answer: unknown) => {
		const each = cases.find((one) => one.node === node && one.operation === operation);
		if (!each) throw new Error(`There is no case of ${node} ${operation}`);
		return await outcome(each, g.getOperation(node, operation), answer);
	};

	test.each([
		['create', { resourceId: 'x', scimEndpointUrl: 'https://scim.example' }, 'the integration was created, but'],
		['revokeToken', { results: [{ token: null }] }, 'the token was replaced, but'],
	])('SCIM, %s: what was carried out is said, and what to do', async (operation, data, done) => {
		const before = g.customer.companyData.scimIntegrations.map(({ tokenVersion }) => tokenVersion);
		const message = await said('ScimIntegration', operation, { data });
		expect(message).toContain(done);
		expect(message).toMatch(/Do not run this one again|Run the node again: it makes another token/);
		expect(g.customer.companyData.scimIntegrations.map(({ tokenVersion }) => tokenVersion)).not.toEqual(before);
	});

	test('a client ID without its secret are no credentials', async () => {
		const message = await said('ApiClient', 'generateCredentials', { data: { clientId: 'x', clientSecret: '' } });
		expect(message).toContain('the service generated no credentials');
	});
});

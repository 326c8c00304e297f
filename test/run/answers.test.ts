/**
 * An answer without what was asked for is an error: of every operation that reads one record, and of those whose answer is the only
 * place of a secret.
 */
import type { Operation } from '../../nodes/core/operation/defineOperation';
import { getEndpoint } from '../../nodes/core/api/endpoint';
import { cases, type Case } from '../cases';
import { createOperationFixture, runCase } from '../cases/operationFixture';

const fixture = createOperationFixture('deployed');
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

/** What a service may answer with that is nothing. */
const EMPTY_RESPONSES = {
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

const mustReturnData = ({ endpoint, outputsSecret, value }: Operation) =>
	endpoint !== null && (endpoint.startsWith('GET ') || outputsSecret === true) && !MAY_BE_EMPTY.includes(value);

/** How a run ends whose own request is answered so: the error's text, or the items. */
async function runWithResponse(testCase: Case, operation: Operation, response: unknown): Promise<string> {
	fixture.standIn.setOptions({ transformEnvelope: undefined });
	const prepared = await testCase.prepare(fixture.customer);
	const routes: unknown[] = [operation.endpoint, operation.endpoint && getEndpoint(operation.endpoint).alternativeEndpoint];
	fixture.standIn.setOptions({ transformEnvelope: (envelope, { route }) => (routes.includes(route) ? response : envelope) });
	return await runCase(fixture, testCase, prepared).then(
		({ items }) => JSON.stringify(items.map(({ json }) => json)),
		(error: unknown) => (error instanceof Error ? error.message : String(error)),
	);
}

test.each(Object.entries(EMPTY_RESPONSES))('%s instead of a record, or of a secret', async (_name, response) => {
	const withoutError: string[] = [];
	let triedCount = 0;
	for (const testCase of cases) {
		const operation = fixture.getOperation(testCase.node, testCase.operation);
		// A file is no record: test/response/files.test.ts.
		if (testCase.returnsFile || !mustReturnData(operation)) continue;
		fixture.standIn.reset();
		const output = await runWithResponse(testCase, operation, response);
		triedCount++;
		if (!/^Could not .*: (the service (answered without|generated|returned)|.* but the service)/.test(output))
			withoutError.push(`${testCase.node} ${testCase.operation}: ${output}`);
	}
	expect(withoutError).toEqual([]);
	expect(triedCount).toBeGreaterThan(25);
});

describe('a secret that is missing', () => {
	const runOperation = async (node: string, operation: string, response: unknown) => {
		const testCase = cases.find((candidate) => candidate.node === node && candidate.operation === operation);
		if (!testCase) throw new Error(`There is no case of ${node} ${operation}`);
		return await runWithResponse(testCase, fixture.getOperation(node, operation), response);
	};

	test.each([
		['create', { resourceId: 'x', scimEndpointUrl: 'https://scim.example' }, 'the integration was created, but'],
		['revokeToken', { results: [{ token: null }] }, 'the token was replaced, but'],
	])('SCIM, %s: what was carried out is said, and what to do', async (operation, data, doneMessage) => {
		const tokenVersionsBefore = fixture.customer.companyData.scimIntegrations.map(({ tokenVersion }) => tokenVersion);
		const message = await runOperation('ScimIntegration', operation, { data });
		expect(message).toContain(doneMessage);
		expect(message).toMatch(/Do not run this one again|Run the node again: it makes another token/);
		expect(fixture.customer.companyData.scimIntegrations.map(({ tokenVersion }) => tokenVersion)).not.toEqual(tokenVersionsBefore);
	});

	test('a client ID without its secret are no credentials', async () => {
		const message = await runOperation('ApiClient', 'generateCredentials', { data: { clientId: 'x', clientSecret: '' } });
		expect(message).toContain('the service generated no credentials');
	});
});

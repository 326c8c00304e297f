/** Tests that a response without data is an error, for every operation that reads one record or returns a secret. */
import type { Operation } from '../../nodes/core/operation/defineOperation';
import { getEndpoint } from '../../nodes/core/api/endpoint';
import { cases, type Case } from '../cases';
import { createOperationFixture, runCase } from '../cases/operationFixture';

const fixture = createOperationFixture('deployed');
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

/** Responses without data. */
const EMPTY_RESPONSES = {
	'no body': '',
	'an empty object': {},
	'no data': { data: null, status: 'success' },
	'empty data': { data: {}, status: 'success', message: 'Done' },
	'an empty list': { data: [], status: 'success' },
};

/** The operations that accept an empty response: they read a list, or their response has no data. */
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

/** Runs an operation with a given response to its request. @returns the error message, or the items as JSON */
async function runWithResponse(testCase: Case, operation: Operation, response: unknown): Promise<string> {
	fixture.standIn.setOptions({ transformEnvelope: undefined });
	const preparedRun = await testCase.prepare(fixture.customer);
	const routes: unknown[] = [
		operation.endpoint,
		operation.endpoint && getEndpoint(operation.endpoint).alternativeEndpoint,
	];
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route }) => (routes.includes(route) ? response : envelope),
	});
	return await runCase(fixture, testCase, preparedRun).then(
		({ items }) => JSON.stringify(items.map(({ json }) => json)),
		(error: unknown) => (error instanceof Error ? error.message : String(error)),
	);
}

test.each(Object.entries(EMPTY_RESPONSES))(
	'%s instead of a record or a secret is an error',
	async (_name, response) => {
		const operationsWithoutError: string[] = [];
		let triedCount = 0;
		for (const testCase of cases) {
			const operation = fixture.getOperation(testCase.node, testCase.operation);
			// Files are tested in test/response/files.test.ts.
			if (testCase.returnsFile || !mustReturnData(operation)) continue;
			fixture.standIn.reset();
			const output = await runWithResponse(testCase, operation, response);
			triedCount++;
			if (!/^Could not .*: (the service (answered without|generated|returned)|.* but the service)/.test(output))
				operationsWithoutError.push(`${testCase.node} ${testCase.operation}: ${output}`);
		}
		expect(operationsWithoutError).toEqual([]);
		expect(triedCount).toBeGreaterThan(25);
	},
);

describe('a response without its secret', () => {
	const runOperation = async (node: string, operation: string, response: unknown) => {
		const testCase = cases.find((candidate) => candidate.node === node && candidate.operation === operation);
		if (!testCase) throw new Error(`There is no case of ${node} ${operation}`);
		return await runWithResponse(testCase, fixture.getOperation(node, operation), response);
	};

	test.each([
		['create', { resourceId: 'x', scimEndpointUrl: 'https://scim.example' }, 'the integration was created, but'],
		['revokeToken', { results: [{ token: null }] }, 'the token was replaced, but'],
	])('SCIM, %s: the error tells what was carried out, and what to do', async (operation, data, doneMessage) => {
		const tokenVersionsBefore = fixture.customer.companyData.scimIntegrations.map(({ tokenVersion }) => tokenVersion);
		const message = await runOperation('ScimIntegration', operation, { data });
		expect(message).toContain(doneMessage);
		expect(message).toMatch(/Do not run this one again|Run the node again: it makes another token/);
		expect(fixture.customer.companyData.scimIntegrations.map(({ tokenVersion }) => tokenVersion)).not.toEqual(
			tokenVersionsBefore,
		);
	});

	test('a client ID without its secret is an error', async () => {
		const message = await runOperation('ApiClient', 'generateCredentials', {
			data: { clientId: 'x', clientSecret: '' },
		});
		expect(message).toContain('the service generated no credentials');
	});
});

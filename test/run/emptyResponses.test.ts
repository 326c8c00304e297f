/** Tests responses without data: an error for every operation that reads one record or returns a secret, a success after a change. */
import type { Operation } from '../../nodes/core/operation/defineOperation';
import { getEndpoint } from '../../nodes/core/api/endpoint';
import { cases, type Case } from '../cases';
import { createOperationFixture, runCase } from '../cases/operationFixture';
import { findCase } from '../operations/records';

const fixture = createOperationFixture('deployed');
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

/** The tested responses without data. The keys are the titles of the tests. */
const EMPTY_RESPONSES = {
	'no body': '',
	'an empty object': {},
	'no data': { data: null, status: 'success' },
	'empty data': { data: {}, status: 'success', message: 'Done' },
	'an empty list': { data: [], status: 'success' },
};

/** The operations for which a response without data is valid, because they read a list or always get no data. */
const OPERATIONS_WITHOUT_REQUIRED_DATA = [
	'listAll',
	'getAccessWindow',
	'getFields',
	'getMany',
	'getOwn',
	'getInteractions',
	'complete',
	'login',
	'logout',
];

const shouldReturnData = ({ endpoint, hasSecretOutput, value }: Operation) =>
	endpoint !== null &&
	(endpoint.startsWith('GET ') || hasSecretOutput === true) &&
	!OPERATIONS_WITHOUT_REQUIRED_DATA.includes(value);

/** Runs an operation. The stand-in answers its request with `response`. @returns the error message, or the output items as JSON */
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

/** Runs an operation that must return data, and checks that an empty response is an error. */
async function expectError(testCase: Case, response: unknown): Promise<void> {
	const operation = fixture.getOperation(testCase.node, testCase.operation);
	// Operations that return a file are tested in test/response/files.test.ts.
	if (testCase.hasFileOutput || !shouldReturnData(operation)) return;
	expect(await runWithResponse(testCase, operation, response)).toMatch(
		/^Could not .*: (the platform (sent no|generated|returned)|.* but the platform)/,
	);
}

const responses = Object.entries(EMPTY_RESPONSES);
// The same response handler treats all these responses, so one of them is enough for most operations.
const rotatedCases = cases.map((testCase, index) => {
	const [responseName, response] = responses[index % responses.length] ?? [];
	return { ...testCase, testCase, responseName, response };
});
test.each(rotatedCases)(
	'$node: $operation: $responseName instead of a record or a secret is an error',
	async ({ testCase, response }) => {
		await expectError(testCase, response);
	},
);

describe.each([
	['Enrollment', 'get'],
	['ApiClient', 'generateCredentials'],
])('%s: %s', (node, key) => {
	test.each(responses)('%s is an error', async (_name, response) => {
		const testCase = findCase(node, key);
		expect(shouldReturnData(fixture.getOperation(node, key))).toBe(true);
		await expectError(testCase, response);
	});
});

describe.each([
	['SystemUser', 'update'],
	['Enrollment', 'update'],
])('%s: %s', (node, key) => {
	test.each(responses)('%s after a change is a success, with one item', async (_name, response) => {
		const output = await runWithResponse(findCase(node, key), fixture.getOperation(node, key), response);
		expect(JSON.parse(output)).toMatchObject([{ success: true }]);
	});
});

test.each([true, false, '', null])('%j after a deletion does not become a field of the item', async (data) => {
	const operation = fixture.getOperation('TargetGroup', 'delete');
	const output = await runWithResponse(findCase('TargetGroup', 'delete'), operation, { data, status: 'success' });
	expect(JSON.parse(output)).toEqual([expect.not.objectContaining({ value: data })]);
	expect(JSON.parse(output)).toMatchObject([{ deleted: true }]);
});

describe('a response without its secret', () => {
	const runOperation = async (node: string, operation: string, response: unknown) => {
		return await runWithResponse(findCase(node, operation), fixture.getOperation(node, operation), response);
	};

	test.each([
		['create', { resourceId: 'x', scimEndpointUrl: 'https://scim.example' }, 'the integration was created, but'],
		['revokeToken', { results: [{ token: null }] }, 'the token was replaced, but'],
	])('SCIM, %s: the error says what was carried out, and what to do', async (operation, data, completedStep) => {
		const tokenVersionsBefore = fixture.customer.companyData.scimIntegrations.map(({ tokenVersion }) => tokenVersion);
		const message = await runOperation('ScimIntegration', operation, { data });
		expect(message).toContain(completedStep);
		expect(message).toMatch(/Don't run this operation again|Run the node again to create another one/);
		expect(fixture.customer.companyData.scimIntegrations.map(({ tokenVersion }) => tokenVersion)).not.toEqual(
			tokenVersionsBefore,
		);
	});

	test('a client ID without its secret is an error', async () => {
		const message = await runOperation('ApiClient', 'generateCredentials', {
			data: { clientId: 'x', clientSecret: '' },
		});
		expect(message).toContain('the platform generated no credentials');
	});
});

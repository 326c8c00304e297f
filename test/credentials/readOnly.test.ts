/** Runs every write with every value of the field 'Read Only'. Only the value `false` allows the write. */
import { NodeApiError, type CredentialInformation } from 'n8n-workflow';
import { cases } from '../cases';
import { createInputItem, createOperationFixture } from '../cases/operationFixture';
import { runNode } from '../n8n-core';
import { parseOperationKey } from '../contract/operationKeys';

const fixture = createOperationFixture('deployed');

/**
 * Values that block writes: entered by hand, set through n8n's API, or the result of an expression. Some expressions have
 * no result.
 */
const BLOCKING_VALUES: CredentialInformation[] = [
	true,
	'',
	'false',
	0,
	{},
	'={{ $vars.gone }}',
	'={{ undefined }}',
	'={{ null }}',
	'={{ "false" }}',
	'={{ NaN }}',
	'={{ $json.no }}',
];
const ALLOWING_VALUES: Array<CredentialInformation | undefined> = [undefined, false, '={{ false }}', '={{ 1 > 2 }}'];

/**
 * Each write is tried with every fourth value. If the tests run on the n8n-core of an installed n8n (e2e `versions`),
 * each write is tried with every value.
 */
const VALUE_STEP = 4;

function selectValues(writeIndex: number): CredentialInformation[] {
	if (process.env.N8N_CORE_DIR) return BLOCKING_VALUES;
	return BLOCKING_VALUES.filter((_value, index) => (index + writeIndex) % VALUE_STEP === 0);
}

/** Creates a credential with a certain value of 'Read Only'. It has the same token as the fixture's credential. */
function createReadOnlyCredential(readOnly: CredentialInformation) {
	const credential = fixture.createCredential();
	credential.data.readOnly = readOnly;
	const { oauthTokenData } = fixture.credential.data;
	if (oauthTokenData) credential.data.oauthTokenData = oauthTokenData;
	return credential;
}

/** Runs every write with blocking values. @returns the writes that were not rejected, or that took effect */
async function findUnblockedWrites(): Promise<string[]> {
	const unblockedWrites: string[] = [];
	const writes = cases.filter(({ node, operation }) => !fixture.getOperation(node, operation).isReadOnly);
	for (const [writeIndex, { node, operation, prepare }] of writes.entries()) {
		fixture.standIn.reset();
		const { parameters, inputFiles } = await prepare(fixture.customer);
		const items = [await createInputItem(inputFiles)];
		fixture.standIn.clearLog();
		for (const readOnly of selectValues(writeIndex)) {
			const run = runNode({
				node: fixture.getNode(node),
				parameters: { ...parseOperationKey(node, operation), ...parameters },
				credential: createReadOnlyCredential(readOnly),
				items,
			});
			const error: unknown = await run.then(
				() => undefined,
				(thrown: unknown) => thrown,
			);
			const isRejected = error instanceof NodeApiError && /the credential only allows reading/.test(error.message);
			if (!isRejected) unblockedWrites.push(`${node} ${operation}: ${JSON.stringify(readOnly)}`);
		}
		const effectiveRequests = fixture.requests.filter(({ hasChangedData }) => hasChangedData);
		unblockedWrites.push(...effectiveRequests.map(({ route }) => `${node} ${operation}: ${route}`));
	}
	return unblockedWrites;
}

test('every other value blocks every write', async () => {
	expect(await findUnblockedWrites()).toEqual([]);
});

test.each(ALLOWING_VALUES)('%j allows a write', async (readOnly) => {
	const credential = fixture.createCredential();
	if (readOnly !== undefined) credential.data.readOnly = readOnly;
	const parameters = { operation: 'create', name: 'New', membersFrom: 'none' };
	expect((await runNode({ node: fixture.getNode('CompanyGroup'), parameters, credential })).items).toHaveLength(1);
});

/** Runs every write with every value of the field 'Read Only'. Only the value `false` allows the write. */
import type { CredentialInformation } from 'n8n-workflow';
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
 * Selects the values with which an operation is tried: one of them in turn, because the value is read before the operation is known. If the
 * tests run on the n8n-core of an installed n8n (e2e `versions`), each write is tried with every value.
 */
function selectValues(caseIndex: number): CredentialInformation[] {
	if (process.env.N8N_CORE_DIR) return BLOCKING_VALUES;
	return BLOCKING_VALUES.filter((_value, index) => index === caseIndex % BLOCKING_VALUES.length);
}

/** Creates a credential with a certain value of 'Read Only'. It has the same token as the fixture's credential. */
function createReadOnlyCredential(readOnly: CredentialInformation) {
	const credential = fixture.createCredential();
	credential.data.readOnly = readOnly;
	const { oauthTokenData } = fixture.credential.data;
	if (oauthTokenData) credential.data.oauthTokenData = oauthTokenData;
	return credential;
}

test.each(cases.map((testCase, index) => ({ ...testCase, blockingValues: selectValues(index) })))(
	'$node: $operation sends no write with $blockingValues',
	async ({ node, operation, prepare, blockingValues }) => {
		if (fixture.getOperation(node, operation).isReadOnly) return;
		const { parameters, inputFiles } = await prepare(fixture.customer);
		const items = [await createInputItem(inputFiles)];
		fixture.standIn.clearLog();
		for (const readOnly of blockingValues) {
			const run = runNode({
				node: fixture.getNode(node),
				parameters: { ...parseOperationKey(node, operation), ...parameters },
				credential: createReadOnlyCredential(readOnly),
				items,
			});
			await expect(run).rejects.toThrow(/the credential only allows reading/);
		}
		expect(fixture.requests.filter(({ hasChangedData }) => hasChangedData)).toEqual([]);
	},
);

test.each(ALLOWING_VALUES)('%j allows a write', async (readOnly) => {
	const credential = fixture.createCredential();
	if (readOnly !== undefined) credential.data.readOnly = readOnly;
	const parameters = { operation: 'create', name: 'New', membersFrom: 'none' };
	expect((await runNode({ node: fixture.getNode('CompanyGroup'), parameters, credential })).items).toHaveLength(1);
});

/** Read Only with every value that the field can have, for every operation: only a real `false` lets a write out. */
import { NodeApiError, type CredentialInformation } from 'n8n-workflow';
import { cases } from '../cases';
import { createInputItem, createOperationFixture } from '../cases/operationFixture';
import { runNode } from '../n8n-core';

const g = createOperationFixture('deployed');

/** Set by hand, through n8n's API, or by an expression, of which some give nothing. */
const LIMITS: CredentialInformation[] = [
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
const OFF: Array<CredentialInformation | undefined> = [undefined, false, '={{ false }}', '={{ 1 > 2 }}'];

/** Here each operation is tried with every fourth value; on the n8n-core of an installed n8n (e2e `versions`) with each. */
const EVERY = 4;

/** Runs every operation that changes something. @returns those that sent anything that did, or were not told apart */
async function letOut(values: Array<CredentialInformation | undefined>): Promise<string[]> {
	const wrong: string[] = [];
	const writing = cases.filter(({ node, operation }) => !g.getOperation(node, operation).isReadOnly);
	for (const [place, each] of writing.entries()) {
		g.standIn.reset();
		const { parameters, inputFiles: files } = await each.prepare(g.customer);
		const items = [await createInputItem(files)];
		g.standIn.clearLog();
		const isMine = (at: number) => process.env.N8N_CORE_DIR || (at + place) % EVERY === 0;
		for (const readOnly of values.filter((_value, at) => isMine(at))) {
			const credential = g.createCredential();
			if (readOnly !== undefined) credential.data.readOnly = readOnly;
			if (g.credential.data.oauthTokenData) credential.data.oauthTokenData = g.credential.data.oauthTokenData;
			const run = runNode({
				node: g.getNode(each.node),
				parameters: { operation: each.operation, ...parameters },
				credential,
				items,
			});
			const error: unknown = await run.then(
				() => undefined,
				(thrown: unknown) => thrown,
			);
			const isRefused = error instanceof NodeApiError && /the credential only allows reading/.test(error.message);
			if (!isRefused) wrong.push(`${each.node} ${each.operation}: ${JSON.stringify(readOnly)}`);
		}
		const landed = g.requests.filter((request) => request.landed);
		wrong.push(...landed.map(({ route }) => `${each.node} ${each.operation}: ${route}`));
	}
	return wrong;
}

test('whatever is not false limits', async () => {
	expect(await letOut(LIMITS)).toEqual([]);
});

test.each(OFF)('%j does not', async (readOnly) => {
	const credential = g.createCredential();
	if (readOnly !== undefined) credential.data.readOnly = readOnly;
	const parameters = { operation: 'create', name: 'New', participantsFrom: 'none' };
	expect((await runNode({ node: g.getNode('CompanyGroup'), parameters, credential })).items).toHaveLength(1);
});

import type { INode } from 'n8n-workflow';

import { CustomerFixture, type Case } from '../../cases';
import { allOperations } from '../../contract/catalogue';
import { itemsOf } from '../../real-n8n/client';
import type { Cleanups, OpenN8n } from '../../real-n8n/stage';
import { CREDENTIAL_TYPE, ours, START, to, workflowOf, type Credential } from '../../real-n8n/workflow';
import { TOKEN_ROUTE } from '../../stand-in/faults';
import type { Checked } from './check';

const REFUSAL = "'Retry On Fail'";
const SETTINGS = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** The cases of operations that change something. */
async function findWritingCases(cases: Case[]): Promise<Case[]> {
	const writes = (await allOperations()).filter(({ operation }) => !operation.reads);
	return cases.filter(({ node, operation }) =>
		writes.some((write) => write.node === node && write.operation.value === operation),
	);
}

/** Creates a node for each writing operation, with the parameters of its case. */
async function createNodes(
	writes: Case[],
	customer: CustomerFixture,
	credential: Credential,
	onError: INode['onError'],
): Promise<INode[]> {
	const nodes: INode[] = [];
	for (const writingCase of writes) {
		customer.service.reset();
		const { parameters } = await writingCase.prepare(customer);
		const name = `${writingCase.node} ${writingCase.operation}`;
		const node = ours(name, writingCase.node, { operation: writingCase.operation, ...parameters }, credential);
		nodes.push({ ...node, ...SETTINGS, onError });
	}
	return nodes;
}

/** Runs all nodes in one workflow. Each of them continues on errors. */
async function runSideBySide({ client }: OpenN8n, nodes: INode[], output: number): Promise<string[]> {
	const fromStart = { main: [nodes.map(({ name }) => to(name))] };
	const inRow = workflowOf('All writes', [START, ...nodes]);
	const id = await client.createWorkflow({ ...inRow, connections: { [START.name]: fromStart } });
	const execution = await client.run(id, START.name);
	return nodes.flatMap(({ name, onError }) => {
		const refused = itemsOf(execution, name, output);
		const passed = output === 0 ? [] : itemsOf(execution, name, 0);
		const isRight = refused.length === 1 && passed.length === 0 && JSON.stringify(refused[0]?.json).includes(REFUSAL);
		return isRight ? [] : [`${name} (${onError}) was not refused: ${JSON.stringify([refused, passed]).slice(0, 300)}`];
	});
}

/** Runs each node in a separate workflow, because the first failure ends a workflow. */
async function runOneByOne({ client }: OpenN8n, nodes: INode[]): Promise<string[]> {
	const failures: string[] = [];
	for (const node of nodes) {
		const id = await client.createWorkflow(workflowOf(node.name, [START, node]));
		const { error } = await client.run(id, START.name);
		if (!error?.message.includes(REFUSAL))
			failures.push(`${node.name} was not refused: ${error?.message ?? 'success'}`);
	}
	return failures;
}

/** Checks that every writing operation refuses to run while *Retry On Fail* is on, with each *On Error* setting. */
export async function writesRefuseRetries(open: OpenN8n, cases: Case[], cleanups: Cleanups): Promise<Checked> {
	const customer = await CustomerFixture.start({ personality: 'deployed', companies: 40 });
	cleanups.push(() => customer.service.close());
	const credential = await open.client.createCredential('Retries', CREDENTIAL_TYPE, customer.credential());
	const writes = await findWritingCases(cases);
	const continuing = await createNodes(writes, customer, credential, 'continueRegularOutput');
	const toErrorOutput = await createNodes(writes, customer, credential, 'continueErrorOutput');
	const stopping = await createNodes(writes, customer, credential, 'stopWorkflow');
	customer.service.clearLog();
	const failures = [
		...(await runSideBySide(open, continuing, 0)),
		...(await runSideBySide(open, toErrorOutput, 1)),
		...(await runOneByOne(open, stopping)),
	];
	const sent = customer.service.requests().filter(({ route }) => route !== TOKEN_ROUTE);
	failures.push(...sent.map(({ route }) => `${route} was sent.`));
	return { checked: 3 * stopping.length + 1, failures };
}

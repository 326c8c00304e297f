import type { INode } from 'n8n-workflow';

import { CustomerFixture, type Case } from '../../cases';
import { loadAllOperations } from '../../contract/catalogue';
import { getNodeItems } from '../../real-n8n/client';
import type { Cleanups, N8nSession } from '../../real-n8n/testEnvironment';
import {
	CREDENTIAL_TYPE,
	buildPackageNode,
	START_NODE,
	connectTo,
	buildWorkflow,
	type CredentialReference,
} from '../../real-n8n/workflow';
import { TOKEN_ROUTE } from '../../stand-in/faults';
import type { CheckResult } from './checkResult';

const REFUSAL = "'Retry On Fail'";
const SETTINGS = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** Returns the cases of operations that change something. */
async function findWritingCases(cases: Case[]): Promise<Case[]> {
	const writes = (await loadAllOperations()).filter(({ operation }) => !operation.isReadOnly);
	return cases.filter(({ node, operation }) =>
		writes.some((write) => write.node === node && write.operation.value === operation),
	);
}

/** Creates a node for each writing operation, with the parameters of its case. */
async function createNodes(
	writes: Case[],
	customer: CustomerFixture,
	credential: CredentialReference,
	onError: INode['onError'],
): Promise<INode[]> {
	const nodes: INode[] = [];
	for (const writingCase of writes) {
		customer.standIn.reset();
		const { parameters } = await writingCase.prepare(customer);
		const name = `${writingCase.node} ${writingCase.operation}`;
		const node = buildPackageNode(
			name,
			writingCase.node,
			{ operation: writingCase.operation, ...parameters },
			credential,
		);
		nodes.push({ ...node, ...SETTINGS, onError });
	}
	return nodes;
}

/**
 * Runs all nodes in one workflow. This is possible because each of them continues on errors.
 * @param output the output at which the refusal must appear
 * @returns a sentence for each node that was not refused
 */
async function runSideBySide({ client }: N8nSession, nodes: INode[], output: number): Promise<string[]> {
	const startConnections = { main: [nodes.map(({ name }) => connectTo(name))] };
	const workflow = buildWorkflow('All writes', [START_NODE, ...nodes]);
	const id = await client.createWorkflow({ ...workflow, connections: { [START_NODE.name]: startConnections } });
	const execution = await client.run(id, START_NODE.name);
	return nodes.flatMap(({ name, onError }) => {
		const refusedItems = getNodeItems(execution, name, output);
		const passedItems = output === 0 ? [] : getNodeItems(execution, name, 0);
		const isRefused =
			refusedItems.length === 1 && passedItems.length === 0 && JSON.stringify(refusedItems[0]?.json).includes(REFUSAL);
		return isRefused
			? []
			: [`${name} (${onError}) was not refused: ${JSON.stringify([refusedItems, passedItems]).slice(0, 300)}`];
	});
}

/** Runs each node in a separate workflow, because the first failure ends a workflow. @returns a sentence for each node that was not refused */
async function runOneByOne({ client }: N8nSession, nodes: INode[]): Promise<string[]> {
	const failures: string[] = [];
	for (const node of nodes) {
		const id = await client.createWorkflow(buildWorkflow(node.name, [START_NODE, node]));
		const { error } = await client.run(id, START_NODE.name);
		if (!error?.message.includes(REFUSAL))
			failures.push(`${node.name} was not refused: ${error?.message ?? 'success'}`);
	}
	return failures;
}

/** Checks that every writing operation refuses to run while *Retry On Fail* is on, with each *On Error* setting. */
export async function checkWritesRefuseRetries(
	session: N8nSession,
	cases: Case[],
	cleanups: Cleanups,
): Promise<CheckResult> {
	const customer = await CustomerFixture.start({ profile: 'deployed', companyCount: 40 });
	cleanups.push(() => customer.standIn.close());
	const credential = await session.client.createCredential('Retries', CREDENTIAL_TYPE, customer.buildCredentialData());
	const writes = await findWritingCases(cases);
	const continuingNodes = await createNodes(writes, customer, credential, 'continueRegularOutput');
	const nodesWithErrorOutput = await createNodes(writes, customer, credential, 'continueErrorOutput');
	const stoppingNodes = await createNodes(writes, customer, credential, 'stopWorkflow');
	customer.standIn.clearLog();
	const failures = [
		...(await runSideBySide(session, continuingNodes, 0)),
		...(await runSideBySide(session, nodesWithErrorOutput, 1)),
		...(await runOneByOne(session, stoppingNodes)),
	];
	const requests = customer.standIn.getRequests().filter(({ route }) => route !== TOKEN_ROUTE);
	failures.push(...requests.map(({ route }) => `${route} was sent.`));
	return { checked: 3 * stoppingNodes.length + 1, failures };
}

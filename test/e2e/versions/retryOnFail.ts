import type { INode } from 'n8n-workflow';

import { CustomerFixture, type Case } from '../../cases';
import { loadAllOperations } from '../../contract/catalogue';
import { getNodeItems } from '../../real-n8n/client';
import type { Cleanups, N8nSession } from '../../real-n8n/testEnvironment';
import {
	CREDENTIAL_TYPE,
	buildPackageNode,
	START_NODE,
	buildConnectionTo,
	buildWorkflow,
	type CredentialReference,
} from '../../real-n8n/workflow';
import { TOKEN_ROUTE } from '../../stand-in/faults';
import type { CheckResult } from './checkResult';
import { parseOperationKey } from '../../contract/operationKeys';

const REFUSAL_TEXT = "'Retry On Fail'";
const RETRY_SETTINGS = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** Returns the cases of operations that change something. */
async function findWritingCases(cases: Case[]): Promise<Case[]> {
	const writingOperations = (await loadAllOperations()).filter(({ operation }) => !operation.isReadOnly);
	return cases.filter(({ node, operation }) =>
		writingOperations.some((write) => write.node === node && write.key === operation),
	);
}

/** Creates a node for each writing operation, with the parameters of its case. */
async function createNodes(
	writingCases: Case[],
	customer: CustomerFixture,
	credential: CredentialReference,
	onError: INode['onError'],
): Promise<INode[]> {
	const nodes: INode[] = [];
	for (const writingCase of writingCases) {
		customer.standIn.reset();
		const { parameters } = await writingCase.prepare(customer);
		const name = `${writingCase.node} ${writingCase.operation}`;
		const node = buildPackageNode(
			name,
			writingCase.node,
			{ ...parseOperationKey(writingCase.node, writingCase.operation), ...parameters },
			credential,
		);
		nodes.push({ ...node, ...RETRY_SETTINGS, onError });
	}
	return nodes;
}

/**
 * Runs all nodes in one workflow. This is possible because all of them continue on errors.
 * @param output the index of the output that must have the refusal
 * @returns a sentence for each node that didn't refuse to run
 */
async function runInOneWorkflow({ client }: N8nSession, nodes: INode[], output: number): Promise<string[]> {
	const startConnections = { main: [nodes.map(({ name }) => buildConnectionTo(name))] };
	const workflow = buildWorkflow('All writes', [START_NODE, ...nodes]);
	const id = await client.createWorkflow({ ...workflow, connections: { [START_NODE.name]: startConnections } });
	const execution = await client.runWorkflow(id, START_NODE.name);
	return nodes.flatMap(({ name, onError }) => {
		const refusedItems = getNodeItems(execution, name, output);
		const passedItems = output === 0 ? [] : getNodeItems(execution, name, 0);
		const isRefused =
			refusedItems.length === 1 &&
			passedItems.length === 0 &&
			JSON.stringify(refusedItems[0]?.json).includes(REFUSAL_TEXT);
		return isRefused
			? []
			: [`${name} (${onError}) was not refused: ${JSON.stringify([refusedItems, passedItems]).slice(0, 300)}`];
	});
}

/**
 * Runs each node in a separate workflow, because a node that fails ends its workflow.
 * @returns a sentence for each node that didn't refuse to run
 */
async function runInSeparateWorkflows({ client }: N8nSession, nodes: INode[]): Promise<string[]> {
	const failures: string[] = [];
	for (const node of nodes) {
		const id = await client.createWorkflow(buildWorkflow(node.name, [START_NODE, node]));
		const { error } = await client.runWorkflow(id, START_NODE.name);
		if (!error?.message.includes(REFUSAL_TEXT))
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
	const writingCases = await findWritingCases(cases);
	const continuingNodes = await createNodes(writingCases, customer, credential, 'continueRegularOutput');
	const nodesWithErrorOutput = await createNodes(writingCases, customer, credential, 'continueErrorOutput');
	const stoppingNodes = await createNodes(writingCases, customer, credential, 'stopWorkflow');
	customer.standIn.clearLog();
	const failures = [
		...(await runInOneWorkflow(session, continuingNodes, 0)),
		...(await runInOneWorkflow(session, nodesWithErrorOutput, 1)),
		...(await runInSeparateWorkflows(session, stoppingNodes)),
	];
	const requests = customer.standIn.getRequests().filter(({ route }) => route !== TOKEN_ROUTE);
	failures.push(...requests.map(({ route }) => `${route} was sent.`));
	return { checkedCount: 3 * stoppingNodes.length + 1, failures };
}

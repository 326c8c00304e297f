/**
 * Runs every operation in a real n8n, from the packed tarball, against every personality of the stand-in service, and
 * prints a table, also of what each needed besides its own row of the contract. `tsx test/e2e/operations.ts [word]
 * [personality]` runs only the operations whose name holds the word, or against one personality alone.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NodeConnectionTypes, type IConnections, type INode, type INodeCredentialsDetails } from 'n8n-workflow';
import { runScript, type Script } from '../real-n8n/script';
import { CREDENTIAL_TYPE, setStage, type Stage } from '../real-n8n/stage';
import { itemsOf, type Execution } from '../real-n8n/client';
import { Problem } from '../real-n8n/problem';
import type { RunningN8n } from '../real-n8n/start';
import { cases, CustomerFixture, type Case, type Run } from '../cases';
import { neededOf } from '../cases/asked';
import type { PersonalityName } from '../stand-in';
import { PERSONALITY_NAMES } from '../stand-in/personality';

/** One operation's run. */
export interface Outcome {
	node: string;
	operation: string;
	personality: string;
	status: string;
	items: number;
	/** What was refused and asked in another way, and what was asked that is not in the contract. */
	needed: string;
	problem: string;
}

/** What the table calls a personality. */
const TITLES: Record<PersonalityName, string> = {
	contract: "the contract's",
	deployed: 'a live deployment',
};

/** A node's name in n8n, from its folder's. */
export const typeOf = (folder: string): string => `securityAwareness${folder}`;

const node = (name: string, type: string, parameters: INode['parameters'], more: Partial<INode> = {}): INode => ({
	...{ id: name, name, type, typeVersion: 1, position: [0, 0], parameters },
	...more,
});

/** A node of the package as a workflow has it, and the files of its one input item. */
export interface Configured {
	/** Without the package: "securityAwarenessCompany". */
	type: string;
	typeVersion?: number;
	parameters: INode['parameters'];
	files?: Run['files'];
}

/** Runs a node by a workflow that hands it its input item, with a file read from disk where it needs one. */
export async function runConfigured(
	configured: Configured,
	{ n8n, client }: Pick<Stage, 'n8n' | 'client'>,
	credential: INodeCredentialsDetails,
): Promise<Execution> {
	const id = await client.createWorkflow(await workflowFor(configured, credential, n8n));
	return await client.run(id, 'Start');
}

async function workflowFor(
	{ type, typeVersion = 1, parameters, files = {} }: Configured,
	credential: INodeCredentialsDetails,
	n8n: RunningN8n,
) {
	const nodes = [node('Start', 'n8n-nodes-base.manualTrigger', {})];
	for (const [field, file] of Object.entries(files)) {
		const fileSelector = join(n8n.filesFolder, file.fileName);
		await writeFile(fileSelector, file.content);
		nodes.push(
			node(`Read ${field}`, 'n8n-nodes-base.readWriteFile', { fileSelector, options: { dataPropertyName: field } }),
		);
	}
	const more = { typeVersion, credentials: { [CREDENTIAL_TYPE]: credential } };
	nodes.push(node('Run', `n8n-nodes-security-awareness.${type}`, parameters, more));
	const connections: IConnections = {};
	for (const [index, { name }] of nodes.slice(0, -1).entries()) {
		const next = nodes[index + 1]?.name ?? '';
		connections[name] = { main: [[{ node: next, type: NodeConnectionTypes.Main, index: 0 }]] };
	}
	return { name: type, nodes, connections };
}

async function runOne(
	each: Case,
	customer: CustomerFixture,
	stage: Pick<Stage, 'n8n' | 'client'>,
	credential: INodeCredentialsDetails,
) {
	customer.service.reset();
	const run = await each.prepare(customer);
	const { parameters, files } = run;
	const type = typeOf(each.node);
	customer.service.clearLog();
	const execution = await runConfigured(
		{ type, parameters: { operation: each.operation, ...(parameters as INode['parameters']) }, files },
		stage,
		credential,
	);
	const items = itemsOf(execution, 'Run');
	const problem = (() => {
		if (execution.error) return `${execution.error.message} ${execution.error.description ?? ''}`;
		if (items.length !== run.items) return `${run.items} items were expected`;
		try {
			run.expect(items);
			return '';
		} catch (error) {
			return String(error);
		}
	})();
	return {
		status: problem === '' ? execution.status : 'wrong',
		items: items.length,
		needed: neededOf(customer.service.log),
		problem: problem.slice(0, 300),
	};
}

/**
 * Runs operations in a real n8n, each as a workflow, against services of their own.
 * @param personalities which personalities of the stand-in service
 */
export async function runOperations(
	stage: Pick<Stage, 'n8n' | 'client'>,
	wanted: Case[],
	personalities: readonly PersonalityName[],
	cleanups: Array<() => Promise<unknown>>,
): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	for (const name of personalities) {
		const customer = await CustomerFixture.start({ personality: name, companies: 40 });
		cleanups.push(() => customer.service.close());
		const personality = TITLES[name];
		const credential = await stage.client.createCredential(personality, CREDENTIAL_TYPE, customer.credential());
		for (const each of wanted) {
			const { node: folder, operation } = each;
			outcomes.push({ node: folder, operation, personality, ...(await runOne(each, customer, stage, credential)) });
		}
	}
	return outcomes;
}

/** One sentence for each operation that did not do what it should. */
export const failuresOf = (outcomes: Outcome[]): string[] =>
	outcomes
		.filter(({ problem }) => problem !== '')
		.map(({ node: folder, operation, personality, problem }) => `${folder}: ${operation} (${personality}): ${problem}`);

async function main({ cleanups }: Script): Promise<void> {
	const [word = '', only = ''] = process.argv.slice(2);
	const personalities = PERSONALITY_NAMES.filter((name) => only === '' || name === only);
	if (personalities.length === 0)
		throw new Problem(`The stand-in service has no personality '${only}': it has ${PERSONALITY_NAMES.join(', ')}.`);
	const wanted = cases.filter((each) => `${each.node}: ${each.operation}`.includes(word));
	const outcomes = await runOperations(await setStage({}, cleanups), wanted, personalities, cleanups);
	console.table(outcomes, ['node', 'operation', 'personality', 'status', 'items', 'needed']);
	const failures = failuresOf(outcomes);
	for (const failure of failures) console.log(failure);
	console.log(`${outcomes.length - failures.length} passed, ${failures.length} failed`);
	if (failures.length > 0) throw new Problem('Not every operation gave what it should.');
}

if (require.main === module) runScript(main);

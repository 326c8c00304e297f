/** Tests of n8n's Retry On Fail, which runs the whole node again: operations that change something refuse to run while it is on. */
import type { OnError } from 'n8n-workflow';
import { cases } from '../cases';
import { createInputItem, createOperationFixture } from '../cases/operationFixture';
import { runNode, runTool, type RunOptions } from '../n8n-core';

const g = createOperationFixture('deployed');

const ON_ERROR: OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];
const REFUSED = /^'Retry On Fail' must be off for an operation that changes something/;

/** Runs a node. @returns the message of the error that stopped it, or the message in each item */
async function readMessages(options: RunOptions): Promise<string[]> {
	try {
		const { items, errors = [] } = await runNode(options);
		return [...items, ...errors].map(({ json }) => String(json.message ?? 'success'));
	} catch (error) {
		return [error instanceof Error ? error.message : String(error)];
	}
}

/** Runs a node as a tool. @returns what the agent gets */
async function runForAgent(options: RunOptions): Promise<string> {
	try {
		return await runTool(options);
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

type Prepared = Pick<RunOptions, 'node' | 'parameters' | 'items'> & { title: string };

/** The parameters of every operation that changes something. They are created once, because a refused run changes nothing. */
let writing: Prepared[];
beforeAll(async () => {
	writing = [];
	for (const { node, operation, prepare } of cases.filter((each) => !g.getOperation(each.node, each.operation).isReadOnly)) {
		g.standIn.reset();
		const { parameters, inputFiles: files } = await prepare(g.customer);
		const item = await createInputItem(files);
		const items = [item, item];
		writing.push({
			title: `${node} ${operation}`,
			node: g.getNode(node),
			parameters: { operation, ...parameters },
			items,
		});
	}
});

test.each(ON_ERROR)('no writing operation runs, as node or as tool, with On Error: %s', async (onError) => {
	const wrong: string[] = [];
	g.standIn.clearLog();
	expect(writing.length).toBeGreaterThan(80);
	const { credential } = g;
	const ofAgents = g.createCredential(undefined, { agentsMay: 'email' });
	for (const { title, items = [], ...prepared } of writing) {
		const run = { ...prepared, items, credential, onError, retryOnFail: true };
		const messages = await readMessages(run);
		const isEachRefused = messages.every((message) => REFUSED.test(message));
		const count = onError === 'stopWorkflow' ? 1 : items.length;
		if (!isEachRefused || messages.length !== count) wrong.push(`${title}: ${messages.join(' / ')}`);
		const asTool = { ...run, credential: ofAgents };
		for (const answer of [await runForAgent(asTool), ...(await readMessages({ ...asTool, asTool: true }))])
			if (!/'Retry On Fail' must be off/.test(answer)) wrong.push(`${title} as tool: ${answer}`);
	}
	expect(wrong).toEqual([]);
	expect(g.requests).toEqual([]);
});

test('the error says how to go on', async () => {
	const { run } = await runNode({
		node: g.getNode('CompanyGroup'),
		parameters: { operation: 'create', name: 'Gold' },
		credential: g.credential,
		onError: 'continueRegularOutput',
		retryOnFail: true,
	});
	const text = JSON.stringify(run.data.resultData.runData);
	expect(text).toContain('Nothing was sent.');
	expect(text).toContain("Turn off 'Retry On Fail' in the node's settings");
	expect(text).toContain('already retries every request that is safe to repeat');
});

test('operations that read still run', async () => {
	const parameters = { operation: 'getMany', ...g.customer.companyParameters };
	const run = { node: g.getNode('Role'), parameters, credential: g.credential };
	expect((await runNode({ ...run, retryOnFail: true })).items).toEqual((await runNode(run)).items);
});

test.each(['__CUSTOM_API_CALL__', 'gone'])(
	'an operation that there is not is never a success: %s',
	async (operation) => {
		const items = [{ json: { row: 1 } }, { json: { row: 2 } }];
		const run = { node: g.getNode('Role'), parameters: { operation }, credential: g.credential, items };
		const messages = await readMessages({ ...run, onError: 'continueRegularOutput' });
		expect(messages).toHaveLength(items.length);
		for (const message of messages) expect(message).toMatch(/^'Operation' (cannot be|is not one)/);
	},
);

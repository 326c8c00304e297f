/** Tests that an operation that changes data doesn't run if 'Retry On Fail' is on, because n8n could run the whole node again. */
import type { OnError } from 'n8n-workflow';
import { createInputItem, createOperationFixture } from '../cases/operationFixture';
import { findCase } from '../operations/records';
import { runNode, runTool, type RunOptions } from '../n8n-core';
import { parseOperationKey } from '../contract/operationKeys';

const fixture = createOperationFixture('deployed');

const ERROR_MODES: OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];
const REJECTION_MESSAGE = /^'Retry On Fail' must be off for an operation that changes data/;

/** Runs a node. @returns the message of the error that stopped it; otherwise the message of each item, or 'success' */
async function readMessages(options: RunOptions): Promise<string[]> {
	try {
		const { items, errorItems: errors = [] } = await runNode(options);
		return [...items, ...errors].map(({ json }) => String(json.message ?? 'success'));
	} catch (error) {
		return [error instanceof Error ? error.message : String(error)];
	}
}

/** Runs a node as a tool of an AI agent. @returns the result or the error message that the agent receives */
async function runForAgent(options: RunOptions): Promise<string> {
	try {
		return await runTool(options);
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

type PreparedRun = Pick<RunOptions, 'node' | 'parameters' | 'items'> & { title: string };

/**
 * One operation of each kind that changes data: with one request, with several requests, with a file, and one that an agent may run. The
 * engine rejects every operation that isn't read-only before it does anything else; nodes/coverage.test.ts checks which ones are.
 */
const TESTED_WRITES: Array<[node: string, key: string]> = [
	['CompanyGroup', 'create'],
	['ApiClient', 'provision'],
	['TargetUser', 'importFile'],
	['PhishingCampaign', 'start'],
];

/** The prepared runs of TESTED_WRITES. All tests can share the runs, because rejected runs change nothing. */
let preparedWrites: PreparedRun[];
beforeAll(async () => {
	preparedWrites = [];
	for (const { node, operation, prepare } of TESTED_WRITES.map(([node, key]) => findCase(node, key))) {
		fixture.standIn.reset();
		const { parameters, inputFiles: files } = await prepare(fixture.customer);
		const item = await createInputItem(files);
		const items = [item, item];
		preparedWrites.push({
			title: `${node} ${operation}`,
			node: fixture.getNode(node),
			parameters: { ...parseOperationKey(node, operation), ...parameters },
			items,
		});
	}
});

test.each(ERROR_MODES)(
	'no operation that changes data runs, as node or as tool, with On Error: %s',
	async (onError) => {
		const unexpectedResults: string[] = [];
		fixture.standIn.clearLog();
		const { credential } = fixture;
		const agentCredential = fixture.createCredential(undefined, { agentsMay: 'email' });
		for (const { title, items = [], ...prepared } of preparedWrites) {
			const run = { ...prepared, items, credential, onError, retryOnFail: true };
			const messages = await readMessages(run);
			const isEachRejected = messages.every((message) => REJECTION_MESSAGE.test(message));
			const expectedCount = onError === 'stopWorkflow' ? 1 : items.length;
			if (!isEachRejected || messages.length !== expectedCount)
				unexpectedResults.push(`${title}: ${messages.join(' / ')}`);
			const toolRun = { ...run, credential: agentCredential };
			for (const result of [await runForAgent(toolRun), ...(await readMessages({ ...toolRun, isTool: true }))])
				if (!/'Retry On Fail' must be off/.test(result)) unexpectedResults.push(`${title} as tool: ${result}`);
		}
		expect(unexpectedResults).toEqual([]);
		expect(fixture.requests).toEqual([]);
	},
);

test('the error says how to continue', async () => {
	const { run } = await runNode({
		node: fixture.getNode('CompanyGroup'),
		parameters: { operation: 'create', name: 'Gold' },
		credential: fixture.credential,
		onError: 'continueRegularOutput',
		retryOnFail: true,
	});
	const runDataJson = JSON.stringify(run.data.resultData.runData);
	expect(runDataJson).toContain('Nothing was sent.');
	expect(runDataJson).toContain("Turn off 'Retry On Fail' in the node's settings");
	expect(runDataJson).toContain('already retries every request that is safe to repeat');
});

test('operations that read still run', async () => {
	const parameters = { operation: 'getMany', ...fixture.customer.companyParameters };
	const run = { node: fixture.getNode('Role'), parameters, credential: fixture.credential };
	expect((await runNode({ ...run, retryOnFail: true })).items).toEqual((await runNode(run)).items);
});

test.each(['__CUSTOM_API_CALL__', 'gone'])(
	'an operation that does not exist is never a success: %s',
	async (operation) => {
		const items = [{ json: { row: 1 } }, { json: { row: 2 } }];
		const run = { node: fixture.getNode('Role'), parameters: { operation }, credential: fixture.credential, items };
		const messages = await readMessages({ ...run, onError: 'continueRegularOutput' });
		expect(messages).toHaveLength(items.length);
		for (const message of messages) expect(message).toMatch(/^'Operation' (cannot be|isn't one of)/);
	},
);

/** Runs operations in a real n8n, each as a workflow, as its case in test/cases says. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { merge } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { cases, CustomerFixture, type Case, type Run } from '../cases';
import { itemsOf, type Execution } from '../real-n8n/client';
import type { Cleanups, OpenN8n } from '../real-n8n/stage';
import { CREDENTIAL_TYPE, node, ours, START, workflowOf, type Credential } from '../real-n8n/workflow';
import type { PersonalityName } from '../stand-in';

/** How a case's run ended. */
export interface Ran {
	run: Run;
	execution: Execution;
	/** What is wrong with it; empty if nothing is. */
	problem: string;
}

interface Circumstances {
	/** Options of the node beside the case's own. */
	options?: IDataObject;
	/** Called when all is prepared. */
	beforeRun?: () => void;
}

/** Runs a case, with a file read from disk where it needs one. @param customer of a service as it began */
export async function runCase(
	{ n8n, client }: OpenN8n,
	each: Case,
	customer: CustomerFixture,
	credential: Credential,
	{ options = {}, beforeRun }: Circumstances = {},
): Promise<Ran> {
	const run = await each.prepare(customer);
	const nodes = [START];
	for (const [field, file] of Object.entries(run.files ?? {})) {
		const fileSelector = join(n8n.filesFolder, file.fileName);
		await writeFile(fileSelector, file.content);
		nodes.push(node(`Read ${field}`, 'readWriteFile', { fileSelector, options: { dataPropertyName: field } }));
	}
	const parameters = merge({ operation: each.operation, options }, run.parameters);
	nodes.push(ours('Run', each.node, parameters, credential));
	customer.service.clearLog();
	beforeRun?.();
	const id = await client.createWorkflow(workflowOf(`${each.node}: ${each.operation}`, nodes));
	const execution = await client.run(id, START.name);
	return { run, execution, problem: problemOf(run, execution).slice(0, 300) };
}

function problemOf({ items: count, expect }: Run, execution: Execution): string {
	if (execution.error) return `${execution.error.message} ${execution.error.description ?? ''}`;
	const items = itemsOf(execution, 'Run');
	if (items.length !== count) return `${items.length} items, ${count} were expected`;
	try {
		expect(items);
		return '';
	} catch (error) {
		return String(error);
	}
}

/** The cases that a personality of the service can run: the contract has none that are beside it. */
const servedBy = (personality: PersonalityName, all: Case[]): Case[] =>
	all.filter(({ isBeside }) => !isBeside || personality === 'deployed');

/**
 * Runs operations against services of their own, one for each personality.
 * @returns how many were run, and a sentence for each that did not do what it should
 */
export async function runOperations(
	open: OpenN8n,
	wanted: Case[],
	personalities: readonly PersonalityName[],
	cleanups: Cleanups,
): Promise<{ checked: number; failures: string[] }> {
	const failures: string[] = [];
	let checked = 0;
	for (const personality of personalities) {
		const customer = await CustomerFixture.start({ personality, companies: 40 });
		cleanups.push(() => customer.service.close());
		const credential = await open.client.createCredential(personality, CREDENTIAL_TYPE, customer.credential());
		for (const each of servedBy(personality, wanted)) {
			checked++;
			customer.service.reset();
			const { problem } = await runCase(open, each, customer, credential);
			if (problem) failures.push(`${each.node}: ${each.operation} (${personality}): ${problem}`);
		}
	}
	return { checked, failures };
}

/** Every operation, in an order that is another one for each seed. */
export const shuffled = (next: () => number): Case[] =>
	servedBy('contract', cases)
		.map((each) => ({ each, at: next() }))
		.sort((one, other) => one.at - other.at)
		.map(({ each }) => each);

/** Runs the cases of test/cases in a real n8n, each as a workflow. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { merge } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { cases, CustomerFixture, type Case, type CaseRun } from '../cases';
import { getNodeItems, type Execution } from '../real-n8n/client';
import type { Cleanups, N8nSession } from '../real-n8n/testEnvironment';
import {
	CREDENTIAL_TYPE,
	buildNode,
	buildPackageNode,
	START_NODE,
	buildWorkflow,
	type CredentialReference,
} from '../real-n8n/workflow';
import type { ProfileName } from '../stand-in';
import { parseOperationKey } from '../contract/operationKeys';

/** The result of running a case in n8n. */
export interface CaseResult {
	run: CaseRun;
	execution: Execution;
	/** A description of what is wrong, or an empty string if the case has passed. */
	problem: string;
}

interface RunCaseOptions {
	/** Values for the node's *Options* in addition to those of the case. */
	options?: IDataObject;
	/** Called directly before the workflow is saved and run. */
	beforeRun?: () => void;
}

/** Runs a case as a workflow, which reads the case's input files from disk. @param customer a customer of a freshly reset service */
export async function runCase(
	{ n8n, client }: N8nSession,
	testCase: Case,
	customer: CustomerFixture,
	credential: CredentialReference,
	{ options = {}, beforeRun }: RunCaseOptions = {},
): Promise<CaseResult> {
	const run = await testCase.prepare(customer);
	const nodes = [START_NODE];
	for (const [field, file] of Object.entries(run.inputFiles ?? {})) {
		const fileSelector = join(n8n.filesFolder, file.fileName);
		await writeFile(fileSelector, file.content);
		nodes.push(buildNode(`Read ${field}`, 'readWriteFile', { fileSelector, options: { dataPropertyName: field } }));
	}
	const parameters = merge({ ...parseOperationKey(testCase.node, testCase.operation), options }, run.parameters);
	nodes.push(buildPackageNode('Run', testCase.node, parameters, credential));
	customer.standIn.clearLog();
	beforeRun?.();
	const id = await client.createWorkflow(buildWorkflow(`${testCase.node}: ${testCase.operation}`, nodes));
	const execution = await client.runWorkflow(id, START_NODE.name);
	return { run, execution, problem: findProblem(run, execution).slice(0, 300) };
}

/** Describes what is wrong with an execution. @returns an empty string if the execution succeeded with the expected items */
function findProblem({ itemCount, checkItems }: CaseRun, execution: Execution): string {
	if (execution.error) return `${execution.error.message} ${execution.error.description ?? ''}`;
	const items = getNodeItems(execution, 'Run');
	if (items.length !== itemCount) return `${items.length} items, ${itemCount} were expected`;
	try {
		checkItems(items);
		return '';
	} catch (error) {
		return String(error);
	}
}

/** Returns the cases that a stand-in service with this profile supports. Only `deployed` supports cases outside the contract. */
const filterByProfile = (profile: ProfileName, allCases: Case[]): Case[] =>
	allCases.filter(({ isOutsideContract }) => !isOutsideContract || profile === 'deployed');

/**
 * Runs cases against one stand-in service per profile.
 * @returns the number of runs of cases, and a sentence for each failure
 */
export async function runCases(
	session: N8nSession,
	selectedCases: Case[],
	profiles: readonly ProfileName[],
	cleanups: Cleanups,
): Promise<{ checkedCount: number; failures: string[] }> {
	const failures: string[] = [];
	let checkedCount = 0;
	for (const profile of profiles) {
		const customer = await CustomerFixture.start({ profile, companyCount: 40 });
		cleanups.push(() => customer.standIn.close());
		const credential = await session.client.createCredential(profile, CREDENTIAL_TYPE, customer.buildCredentialData());
		for (const testCase of filterByProfile(profile, selectedCases)) {
			checkedCount++;
			customer.standIn.reset();
			const { problem } = await runCase(session, testCase, customer, credential);
			if (problem) failures.push(`${testCase.node}: ${testCase.operation} (${profile}): ${problem}`);
		}
	}
	return { checkedCount, failures };
}

/** Returns all cases of the contract in random order. @param nextRandom returns the next random number */
export const shuffleCases = (nextRandom: () => number): Case[] =>
	filterByProfile('contract', cases)
		.map((testCase) => ({ testCase, position: nextRandom() }))
		.sort((first, second) => first.position - second.position)
		.map(({ testCase }) => testCase);

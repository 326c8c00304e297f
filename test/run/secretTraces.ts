/** Functions that collect everything that n8n shows, stores or logs because of a run, and that find secrets in it. */
import { Logger } from '@n8n/backend-common';
import type { IDataObject, OnError } from 'n8n-workflow';
import { z } from 'zod';
import { runNode, type RunResult } from '../n8n-core';
import { collectTexts } from '../n8n-core/collectTexts';
import type { Case, CaseRun } from '../cases';
import { type OperationFixture, createInputItem } from '../cases/operationFixture';
import { parseOperationKey } from '../contract/operationKeys';

/** Finds the secrets that a value contains at any depth. */
export function findShownSecrets(value: unknown, secrets: string[]): string[] {
	const texts = collectTexts(value).join('\n');
	return secrets.filter((secret) => texts.includes(secret.trim()));
}

const jsonObjectSchema = z.custom<IDataObject>((value) => typeof value === 'object' && value !== null);

/**
 * Moves each secret from the parameters to the input item. The parameters get an expression that reads the secret from the item. Without
 * this, the tests would find every secret, because n8n itself shows the parameters of a node.
 */
export function moveSecretsToItem(
	parameters: IDataObject,
	secrets: string[],
): { parameters: IDataObject; json: IDataObject } {
	const json = Object.fromEntries(secrets.map((secret, index) => [`secret${index}`, secret]));
	const text = secrets.reduce(
		(replacedText, secret, index) => replacedText.replaceAll(JSON.stringify(secret), `"={{ $json.secret${index} }}"`),
		JSON.stringify(parameters),
	);
	return { parameters: jsonObjectSchema.parse(JSON.parse(text)), json };
}

/** The messages that n8n has logged since the last call of `startKeepingLog`. */
export const n8nLogMessages: unknown[] = [];
/** Clears `n8nLogMessages`, and from then on adds each message that n8n logs. */
export function startKeepingLog(): void {
	n8nLogMessages.length = 0;
	for (const level of ['error', 'warn', 'info', 'debug'] as const)
		jest.spyOn(Logger.prototype, level).mockImplementation((...message: unknown[]) => {
			n8nLogMessages.push(message);
		});
}

/** The error that a run threw, or the run's result. */
export type RunOutcome = { thrown: Error } | { result: RunResult };

/** Runs a case with its secrets in the input item. A thrown error is returned. @throws Error if the thrown value isn't an error */
export async function runForOutcome(
	fixture: OperationFixture,
	{ node, operation }: Case,
	run: CaseRun,
	onError: OnError,
): Promise<RunOutcome> {
	const { parameters, json } = moveSecretsToItem(run.parameters, run.parameterSecrets ?? []);
	const item = await createInputItem(run.inputFiles, json);
	return await runNode({
		node: fixture.getNode(node),
		parameters: { ...parseOperationKey(node, operation), ...parameters, options: { timeout: 1 } },
		credential: fixture.credential,
		items: [item],
		onError,
	}).then(
		(result) => ({ result }),
		(thrown: unknown) => {
			if (thrown instanceof Error) return { thrown };
			throw new Error('The thrown value is not an error', { cause: thrown });
		},
	);
}

/**
 * Collects the thrown error of a run; otherwise the output items, the hints and the stored data of all nodes except the input. For a
 * successful operation, only the hints are collected, because its output may contain the secret.
 */
export function collectTraces(outcome: RunOutcome, isSuccessful: boolean): unknown {
	if ('thrown' in outcome) return outcome.thrown;
	const { items, hints, run } = outcome.result;
	const { Input: _input, ...nodeOutputs } = run.data.resultData.runData;
	return isSuccessful ? hints : [items, hints, nodeOutputs];
}

const printedRows: string[] = [];
export const addPrintedRow = (...cells: unknown[]) =>
	printedRows.push(`| ${cells.map((cell) => String(cell).replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`);

/** Prints the rows of `addPrintedRow` as a table if PRINT=1. */
export function printRows(): void {
	if (process.env.PRINT)
		process.stdout.write(
			`${['| Operation | Step | What goes wrong | Message |', '|---|---|---|---|', ...printedRows].join('\n')}\n`,
		);
}

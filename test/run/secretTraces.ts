/** Everything that a run leaves behind, and whether a secret is in it. */
import { Logger } from '@n8n/backend-common';
import type { IDataObject, OnError } from 'n8n-workflow';
import { z } from 'zod';
import { runNode, type RunResult } from '../n8n-core';
import { collectTexts } from '../n8n-core/texts';
import type { Case, CaseRun } from '../cases';
import { type OperationFixture, createInputItem } from '../cases/operationFixture';

/** Which of the secrets a value shows. */
export function shownIn(value: unknown, secrets: string[]): string[] {
	const texts = collectTexts(value).join('\n');
	return secrets.filter((secret) => texts.includes(secret.trim()));
}

const jsonObject = z.custom<IDataObject>((value) => typeof value === 'object' && value !== null);

/** The same parameters with each secret taken from the input item: n8n itself shows a node's parameters. */
export function fromItem(parameters: IDataObject, given: string[]): { parameters: IDataObject; json: IDataObject } {
	const json = Object.fromEntries(given.map((secret, index) => [`secret${index}`, secret]));
	const text = given.reduce(
		(all, secret, index) => all.replaceAll(JSON.stringify(secret), `"={{ $json.secret${index} }}"`),
		JSON.stringify(parameters),
	);
	return { parameters: jsonObject.parse(JSON.parse(text)), json };
}

/** What n8n has logged since keepLog. */
export const logged: unknown[] = [];
/** Keeps what n8n logs from now on. */
export function keepLog(): void {
	logged.length = 0;
	for (const level of ['error', 'warn', 'info', 'debug'] as const)
		jest.spyOn(Logger.prototype, level).mockImplementation((...what: unknown[]) => void logged.push(what));
}

type Outcome = { failed: Error } | { result: RunResult };

export async function outcomeOf(
	g: OperationFixture,
	{ node, operation }: Case,
	run: CaseRun,
	onError: OnError,
): Promise<Outcome> {
	const { parameters, json } = fromItem(run.parameters, run.parameterSecrets ?? []);
	const item = await createInputItem(run.inputFiles, json);
	return await runNode({
		node: g.getNode(node),
		parameters: { operation, ...parameters, options: { timeout: 1 } },
		credential: g.credential,
		items: [item],
		onError,
	}).then(
		(result) => ({ result }),
		(failed: unknown) => {
			if (failed instanceof Error) return { failed };
			throw new Error('What was thrown is no error', { cause: failed });
		},
	);
}

/** All that a run leaves behind but its input and a good output. */
export function traces(outcome: Outcome, isGood: boolean): unknown {
	if ('failed' in outcome) return outcome.failed;
	const { items, hints, run } = outcome.result;
	const { Input: _input, ...ran } = run.data.resultData.runData;
	return isGood ? hints : [items, hints, ran];
}

const printed: string[] = [];
export const tell = (...cells: unknown[]) =>
	printed.push(`| ${cells.map((cell) => String(cell).replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`);

/** Writes what was told as a table, with PRINT=1. */
export function print(): void {
	if (process.env.PRINT)
		process.stdout.write(
			`${['| Operation | Step | What goes wrong | Message |', '|---|---|---|---|', ...printed].join('\n')}\n`,
		);
}

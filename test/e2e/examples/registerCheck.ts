/**
 * Registers the checks of examples (NN.ts) and contains the code that they share. A check prepares the service, runs the example once
 * or several times, and compares the results: rows, files, messages, and requests to the service.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import type { IDataObject } from 'n8n-workflow';
import readSheet from 'read-excel-file/node';
import { z } from 'zod';

import type { ExampleSettings } from '../../real-n8n/examples';
import type { Inbox, ReceivedRequest } from '../../real-n8n/inbox';
import type { TestEnvironment } from '../../real-n8n/testEnvironment';
import type { Execution, N8nClient, Workflow } from '../../real-n8n/client';
import { OTHER_PROCESS_WAIT, waitUntil } from '../../setup/waitUntil';
import type { StandIn } from '../../stand-in';
import type { Company } from '../../stand-in/seed';

/** The objects and functions that a check uses. All examples run in one n8n, with one service that is reset before each example. */
export interface ExampleContext {
	environment: TestEnvironment;
	client: N8nClient;
	service: StandIn;
	/** Receives the requests to the URLs in the example's settings. It is empty when the check starts. */
	inbox: Inbox;
	/** The folder to which the example writes files. Only this example uses it, and it is empty when the check starts. */
	folder: string;
	/** Reads the example's workflow and prepares it for a trial, as `prepareExample` does. */
	prepareWorkflow: (settings?: ExampleSettings) => Promise<Workflow>;
	/**
	 * Runs the example from its trigger, as the editor's button does, and waits until it has ended.
	 * @param changeWorkflow makes the changes that a user makes in the workflow in addition to its settings
	 * @throws Problem if the example fails
	 */
	runExample: (settings?: ExampleSettings, changeWorkflow?: (workflow: Workflow) => Workflow) => Promise<Execution>;
	/**
	 * Activates the example, causes an event, and waits for the executions that it starts. Deactivates the example at the end.
	 * Triggers of this package poll every three seconds. A schedule starts once, after five seconds.
	 * @param causeEvent receives the workflow's ID and, for example, calls a webhook
	 * @param count the number of executions to wait for; 0 for an example that keeps no data of its executions
	 */
	runActivated: (
		causeEvent: (workflowId: string) => Promise<unknown>,
		options?: { settings?: ExampleSettings; count?: number },
	) => Promise<Execution[]>;
	/** Reads the rows of a data table. Returns an empty list if the table doesn't exist. */
	readTableRows: (table: string) => Promise<IDataObject[]>;
	/** Deletes a data table, as if the example had never run. */
	dropTable: (table: string) => Promise<void>;
	/** Compares two values and records the result. A difference doesn't end the check. @param description what is compared */
	expectEqual: (description: string, actual: unknown, expected: unknown) => void;
	/** Records a failure unless the list is empty, for example the list of missing records. */
	expectNone: (description: string, unexpected: unknown[]) => void;
	/** Makes the service answer requests for a company with 403. @param route the only route to refuse; by default, all routes */
	refuseCompany: (company: Company | undefined, route?: string) => void;
	/** Returns the texts that were sent to the chat. */
	getChatTexts: () => string[];
	/** Returns the lines of all chat texts that start with `beginning`, without the first line of each text. */
	getChatLines: (beginning: string) => string[];
}

/** Runs one example and checks the content of its results. */
export type ExampleCheck = (context: ExampleContext) => Promise<void>;

const checksByNumber = new Map<number, ExampleCheck>();

/** Registers the check of the example with this number. Each file NN.ts calls it when it is loaded. */
export function registerCheck(number: number, check: ExampleCheck): void {
	checksByNumber.set(number, check);
}

/** Returns the check of the example with this number, or undefined if no check is registered. */
export const findCheck = (number: number): ExampleCheck | undefined => checksByNumber.get(number);

const formatValue = (value: unknown): string => {
	const text = JSON.stringify(value) ?? String(value);
	return text.length > 400 ? `${text.slice(0, 400)} …` : text;
};

/** Records the comparisons of a check. */
export class Comparisons {
	readonly descriptions: string[] = [];
	readonly failures: string[] = [];

	readonly expectEqual: ExampleContext['expectEqual'] = (description, actual, expected) => {
		this.descriptions.push(description);
		const isEqual = isDeepStrictEqual(actual, expected);
		console.log(`    ${isEqual ? '✓' : '✗'} ${description}`);
		if (!isEqual) this.failures.push(`${description}: is ${formatValue(actual)}, should be ${formatValue(expected)}.`);
	};
}

const objectSchema = z.record(z.unknown());
const textMessageSchema = z.strictObject({ text: z.string() });
const adaptiveCardSchema = z.strictObject({
	type: z.literal('message'),
	attachments: z.tuple([
		z.strictObject({
			contentType: z.literal('application/vnd.microsoft.card.adaptive'),
			content: z.strictObject({
				$schema: z.string(),
				type: z.literal('AdaptiveCard'),
				version: z.literal('1.4'),
				body: z.tuple([z.strictObject({ type: z.literal('TextBlock'), text: z.string(), wrap: z.literal(true) })]),
			}),
		}),
	]),
});

/** Returns the text of a chat message in either of its two formats. @throws ZodError if it has another format */
function parseChatText(body: unknown): string {
	const textMessage = textMessageSchema.safeParse(body);
	return textMessage.success
		? textMessage.data.text
		: adaptiveCardSchema.parse(body).attachments[0].content.body[0].text;
}

/** Returns the texts of requests that send chat messages. */
export const parseChatTexts = (requests: ReceivedRequest[]): string[] =>
	requests.map(({ body }) => parseChatText(body));

/** Returns the bodies of requests as JSON objects. Leaves out requests without a body, which only test whether the inbox answers. */
export const parseBodies = (requests: ReceivedRequest[]): Array<Record<string, unknown>> =>
	requests.flatMap(({ body }) => (body === undefined ? [] : [objectSchema.parse(body)]));

/** Waits up to a minute for a condition that depends on n8n. */
export const waitInN8n = (description: string, condition: () => boolean | Promise<boolean>): Promise<void> =>
	waitUntil(description, condition, OTHER_PROCESS_WAIT);

/** Returns the error message of a run that must fail, or 'it went on' if it succeeds. */
export const getErrorMessage = async (run: Promise<unknown>): Promise<string> => run.then(() => 'it went on', String);

/** Reads an Excel file. @param file by default, the only file in the folder. @returns the rows as objects with the column names as keys */
export async function readSheetIn(folder: string, file?: string) {
	const files = await readdir(folder);
	const [sheet] = await readSheet(join(folder, file ?? files[0] ?? ''), { trim: false });
	const [header = [], ...bodyRows] = sheet?.data ?? [];
	const rows = bodyRows.map((row) => Object.fromEntries(header.map((name, column) => [String(name), row[column]])));
	return { files, header: header.map(String), rows };
}

/** Sorts a list by its JSON text, so that it can be compared with a list in another order. */
export const sortForComparison = <Value>(list: readonly Value[]): Value[] =>
	[...list].sort((first, second) => (JSON.stringify(first) < JSON.stringify(second) ? -1 : 1));

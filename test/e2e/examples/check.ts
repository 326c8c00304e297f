/**
 * What the check of an example (NN.ts) works with. A check prepares the service, runs the example once or more, and
 * compares what came of it: rows, files, messages, and what was asked of the service.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import type { IDataObject } from 'n8n-workflow';
import readSheet from 'read-excel-file/node';
import { z } from 'zod';

import type { ExampleSettings } from '../../real-n8n/examples';
import type { Inbox, ReceivedRequest } from '../../real-n8n/inbox';
import type { TestEnvironment } from '../../real-n8n/stage';
import type { Execution, N8nClient, Workflow } from '../../real-n8n/client';
import { OTHER_PROCESS_WAIT, waitUntil } from '../../setup/waitUntil';
import type { StandIn } from '../../stand-in';
import type { Company } from '../../stand-in/seed';

/** Where an example is run: n8n and the service are those of all examples, the service as it began. */
export interface ExampleContext {
	environment: TestEnvironment;
	client: N8nClient;
	service: StandIn;
	/** Takes what goes to the addresses among the settings; empty. */
	inbox: Inbox;
	/** The setting `folder`: empty, of this example alone. */
	folder: string;
	/** The example's workflow with Settings for a trial (readWorkflow). */
	prepareWorkflow: (settings?: ExampleSettings) => Promise<Workflow>;
	/**
	 * Runs the example from its trigger, as the button in the editor does, to its end. @throws unless it succeeds
	 * @param change what a person changes besides the settings
	 */
	runExample: (settings?: ExampleSettings, change?: (prepareWorkflow: Workflow) => Workflow) => Promise<Execution>;
	/**
	 * Switches the example on, has something happen, and waits for the executions that follow: what starts by a webhook, a form or
	 * our triggers, which poll every three seconds then; a schedule comes once, after five. It is switched off at the end.
	 * @param happen gets the workflow's id
	 * @param count how many executions; 0 for an example that keeps no data of its executions
	 */
	runActivated: (
		happen: (workflowId: string) => Promise<unknown>,
		options?: { settings?: ExampleSettings; count?: number },
	) => Promise<Execution[]>;
	/** The rows of a data table that the example keeps; none if it is not there. */
	readTableRows: (table: string) => Promise<IDataObject[]>;
	/** Takes a data table away, as if the example had never run. */
	dropTable: (table: string) => Promise<void>;
	/** Compares, notes it, and goes on; the sentence says what was looked at: "rows of the summary". */
	expectEqual: (what: string, actual: unknown, expected: unknown) => void;
	/** The same with what must be empty: what is missing, what should not be there. */
	expectNone: (what: string, found: unknown[]) => void;
	/** Lets the service refuse a company, in all or by one contract key. */
	refuseCompany: (company: Company | undefined, route?: string) => void;
	/** The texts that were sent to the chat, and the lines below the heading of those that begin so. */
	getChatTexts: () => string[];
	getChatLines: (beginning: string) => string[];
}

/** Runs one example and verifies what came of it by its content. */
export type Check = (scene: ExampleContext) => Promise<void>;

const checks = new Map<number, Check>();

/** To be called by the file of an example's check, NN.ts. */
export function registerCheck(number: number, check: Check): void {
	checks.set(number, check);
}

/** The check of an example, once its file was read. */
export const findCheck = (number: number): Check | undefined => checks.get(number);

const formatValue = (value: unknown): string => {
	const text = JSON.stringify(value) ?? String(value);
	return text.length > 400 ? `${text.slice(0, 400)} …` : text;
};

/** Notes what a check compares. */
export class Comparisons {
	readonly descriptions: string[] = [];
	readonly failures: string[] = [];

	readonly expectEqual: ExampleContext['expectEqual'] = (what, actual, expected) => {
		this.descriptions.push(what);
		const isSame = isDeepStrictEqual(actual, expected);
		console.log(`    ${isSame ? '✓' : '✗'} ${what}`);
		if (!isSame) this.failures.push(`${what}: is ${formatValue(actual)}, should be ${formatValue(expected)}.`);
	};
}

const objectSchema = z.record(z.unknown());
const chatMessageSchema = z.object({ text: z.string() });

/** The texts of what was sent to a chat. */
export const parseChatTexts = (received: ReceivedRequest[]): string[] => received.map(({ body }) => chatMessageSchema.parse(body).text);

/** The bodies of what was sent, as JSON objects; whoever only asks whether somebody is there sends none. */
export const parseBodies = (received: ReceivedRequest[]): Array<Record<string, unknown>> =>
	received.flatMap(({ body }) => (body === undefined ? [] : [objectSchema.parse(body)]));

/** Waits for something in n8n. */
export const waitInN8n = async (what: string, condition: () => boolean | Promise<boolean>): Promise<void> =>
	waitUntil(what, condition, OTHER_PROCESS_WAIT);

/** What a run that has to fail says. */
export const getFailure = async (run: Promise<unknown>): Promise<string> => run.then(() => 'it went on', String);

/** The rows of an Excel file, by the names of its columns; of the folder's only file unless one is named. */
export async function readSheetIn(folder: string, file?: string) {
	const files = await readdir(folder);
	const [sheet] = await readSheet(join(folder, file ?? files[0] ?? ''), { trim: false });
	const [header = [], ...cells] = sheet?.data ?? [];
	const rows = cells.map((row) => Object.fromEntries(header.map((name, column) => [String(name), row[column]])));
	return { files, header: header.map(String), rows };
}

/** A list in an order of its own, to be compared with another one. */
export const sort = <Value>(list: readonly Value[]): Value[] =>
	[...list].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

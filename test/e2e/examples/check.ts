import { isDeepStrictEqual } from 'node:util';

import { z } from 'zod';

import type { Settings } from '../../real-n8n/examples';
import type { Inbox, Received } from '../../real-n8n/inbox';
import type { Stage } from '../../real-n8n/stage';
import type { Execution, N8nClient, Workflow } from '../../real-n8n/client';
import type { StandIn } from '../../stand-in';

/** Where an example is run: n8n and the service are those of all examples, the service as it began. */
export interface Scene {
	stage: Stage;
	client: N8nClient;
	service: StandIn;
	/** Takes what goes to the addresses among the settings; empty. */
	inbox: Inbox;
	/** The setting `folder`: empty, of this example alone. */
	folder: string;
	/** The example's workflow with Settings for a trial (readWorkflow). */
	workflow: (settings?: Settings) => Promise<Workflow>;
	/** Runs the example from its trigger, as the button in the editor does, to its end. @throws unless it succeeds */
	run: (settings?: Settings) => Promise<Execution>;
	/**
	 * Switches the example on, has something happen, and waits for the executions that follow: what starts by a webhook, a form or
	 * our triggers, which poll every three seconds then; a schedule comes once, after five. It is switched off at the end.
	 * @param happen gets the workflow's id
	 * @param count how many executions; 0 for an example that keeps no data of its executions
	 */
	runActive: (
		happen: (workflowId: string) => Promise<unknown>,
		options?: { settings?: Settings; count?: number },
	) => Promise<Execution[]>;
	/** Compares, notes it, and goes on; the sentence says what was looked at: "rows of the summary". */
	same: (what: string, actual: unknown, expected: unknown) => void;
}

/** Runs one example and verifies what came of it by its content. */
export type Check = (scene: Scene) => Promise<void>;

const checks = new Map<number, Check>();

/** To be called by the file of an example's check, NN.ts. */
export function checkExample(number: number, check: Check): void {
	checks.set(number, check);
}

/** The check of an example, once its file was read. */
export const checkOf = (number: number): Check | undefined => checks.get(number);

const shown = (value: unknown): string => {
	const text = JSON.stringify(value) ?? String(value);
	return text.length > 400 ? `${text.slice(0, 400)} …` : text;
};

/** Notes what a check compares. */
export class Notes {
	readonly looked: string[] = [];
	readonly failures: string[] = [];

	readonly same: Scene['same'] = (what, actual, expected) => {
		this.looked.push(what);
		const isSame = isDeepStrictEqual(actual, expected);
		console.log(`    ${isSame ? '✓' : '✗'} ${what}`);
		if (!isSame) this.failures.push(`${what}: is ${shown(actual)}, should be ${shown(expected)}.`);
	};
}

const object = z.record(z.unknown());
const chatMessage = z.object({ text: z.string() });

/** The bodies of what was sent as JSON objects. */
export const bodiesOf = (received: Received[]): Array<Record<string, unknown>> =>
	received.map(({ body }) => object.parse(body));

/** The texts of what was sent to a chat. */
export const textsOf = (received: Received[]): string[] => received.map(({ body }) => chatMessage.parse(body).text);

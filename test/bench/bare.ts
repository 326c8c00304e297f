/** The same requests without n8n, with axios: what no node can be quicker than. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { z } from 'zod';

import { installN8n } from '../real-n8n/install';
import { createTemporaryFolder, type Cleanups } from '../real-n8n/stage';
import { runStep } from '../real-n8n/steps';
import type { Case } from './cases';
import type { Front } from './front';

/** With a new connection for each request, as n8n makes them, or with kept ones. */
export const CONNECTIONS = ['new', 'kept'] as const;

export type ByConnections<Value> = Record<(typeof CONNECTIONS)[number], Value>;

const printed = z.object({ seconds: z.number(), cpuSeconds: z.number() });

/** What bare axios took. */
export type BareRun = z.output<typeof printed>;

/**
 * Prepares a case's requests for the Node.js that n8n runs on.
 * @returns sends all of them, in a process of its own; undefined for a case without
 */
export async function prepareBare({ bare }: Case, front: Front, size: number, cleanups: Cleanups) {
	if (!bare) return undefined;
	const { node } = await installN8n(runStep);
	const plan = join(await createTemporaryFolder(cleanups), 'plan.json');
	const { serverUrl: baseURL } = front.secrets;
	// The front asks no more of a token than that there is one.
	const headers = { authorization: 'Bearer bare' };
	await writeFile(plan, JSON.stringify({ baseURL, headers, steps: bare({ front, size }) }));
	return async (connections: (typeof CONNECTIONS)[number]): Promise<BareRun> => {
		const script = join(__dirname, 'bareAxios.mjs');
		const { stdout } = await promisify(execFile)(node, [script, plan, connections]);
		return printed.parse(JSON.parse(stdout));
	};
}

/** Measures a case's requests with axios and without n8n. No node can be faster than that. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { z } from 'zod';

import { installN8n } from '../real-n8n/installN8n';
import { createTemporaryFolder, type Cleanups } from '../real-n8n/testEnvironment';
import { runStep } from '../real-n8n/steps';
import type { BenchCase } from './cases';
import type { CachingProxy } from './cachingProxy';

/** The two ways to use connections: `new` opens one for each request, as n8n does; `kept` reuses them. */
export const CONNECTION_MODES = ['new', 'kept'] as const;

/** One value for each connection mode. */
export type ByConnectionMode<Value> = Record<(typeof CONNECTION_MODES)[number], Value>;

const outputSchema = z.object({ seconds: z.number(), cpuSeconds: z.number() });

/** The time that a run of axios without n8n took. */
export type BareRun = z.output<typeof outputSchema>;

/**
 * Prepares to send a case's requests with axios, in the same version of Node.js that n8n runs on.
 * @returns a function that sends all requests in a separate process, or undefined if the case has no such requests
 */
export async function prepareBareRun(benchCase: BenchCase, proxy: CachingProxy, size: number, cleanups: Cleanups) {
	const { listBareRequests } = benchCase;
	if (!listBareRequests) return undefined;
	const { nodePath: node } = await installN8n(runStep);
	const planFile = join(await createTemporaryFolder(cleanups), 'plan.json');
	const { serverUrl: baseURL } = proxy.secrets;
	// The proxy accepts any token.
	const headers = { authorization: 'Bearer bare' };
	await writeFile(planFile, JSON.stringify({ baseURL, headers, steps: listBareRequests({ proxy, size }) }));
	return async (connectionMode: (typeof CONNECTION_MODES)[number]): Promise<BareRun> => {
		const script = join(__dirname, 'bareAxios.mjs');
		const { stdout } = await promisify(execFile)(node, [script, planFile, connectionMode]);
		return outputSchema.parse(JSON.parse(stdout));
	};
}

/** Where the CPU time of a run goes in n8n's one thread, by whose code is at work. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import mapValues from 'lodash/mapValues';
import { z } from 'zod';

import { openN8n, saveCredential, createTemporaryFolder, type Cleanups } from '../real-n8n/stage';
import { START_NODE, buildWorkflow } from '../real-n8n/workflow';
import { OTHER_PROCESS_WAIT, waitUntil } from '../setup/waitUntil';
import type { Case } from './cases';
import { startFront } from './front';

/** The first whose expression fits a function's file, from its package on, is its part. */
const PARTS: Array<[string, RegExp]> = [
	['this package', /^n8n-nodes-security-awareness\//],
	['zod and lodash', /^(zod|lodash)\//],
	[
		"axios, and n8n's helper around it",
		/^(axios|follow-redirects|form-data|proxy-from-env|@n8n\/backend-network)\/|agent/,
	],
	['sockets and streams of Node.js', /^node:/],
	['n8n itself', /^/],
];
const BEFORE_PACKAGE = /^.*\/node_modules\//;
/** What V8 counts without a file. */
const OWN_PARTS: Record<string, string> = {
	'(garbage collector)': 'garbage collection',
	'(program)': 'the system: connections, database',
};

const profileShape = z.object({
	nodes: z.array(
		z.object({
			id: z.number(),
			callFrame: z.object({ functionName: z.string(), url: z.string() }),
			children: z.array(z.number()).default([]),
		}),
	),
	samples: z.array(z.number()),
	timeDeltas: z.array(z.number()),
});

/** Milliseconds by part. */
export type Parts = Record<string, number>;

/** @returns the milliseconds of each part of a CPU profile; a function of V8 itself, such as JSON.parse, belongs to its caller */
function partsOf(profile: unknown): Parts {
	const { nodes, samples, timeDeltas } = profileShape.parse(profile);
	const parentOf = new Map(nodes.flatMap(({ id, children }) => children.map((child) => [child, id] as const)));
	const partOf = new Map<number, string>();
	// A caller stands before what it calls.
	for (const { id, callFrame } of nodes) {
		const { functionName, url } = callFrame;
		// Waiting, and the profiler itself, have no part.
		if (functionName === '(idle)' || url === 'node:inspector') continue;
		const part =
			url === '' ? OWN_PARTS[functionName] : PARTS.find(([, file]) => file.test(url.replace(BEFORE_PACKAGE, '')))?.[0];
		partOf.set(id, part ?? partOf.get(parentOf.get(id) ?? 0) ?? 'n8n itself');
	}
	const parts: Parts = {};
	for (const [index, id] of samples.entries()) {
		const part = partOf.get(id);
		if (part === undefined) continue;
		parts[part] = (parts[part] ?? 0) + (timeDeltas[index] ?? 0) / 1000;
	}
	return parts;
}

/** Runs a case in an n8n of its own, whose time is looked at. @returns milliseconds for each request, by part */
export async function measureParts(each: Case, tarball: string, cleanups: Cleanups): Promise<Parts> {
	const file = join(await createTemporaryFolder(cleanups), 'profile.json');
	const env = { NODE_OPTIONS: `--require ${join(__dirname, 'profile.cjs')}`, PROFILE_FILE: file };
	const { client, n8n } = await openN8n({ packages: [tarball], env }, cleanups);
	const front = await startFront(each.companies);
	try {
		const credential = await saveCredential(client, front.secrets);
		const nodes = each.ours.nodes({ credential, front, size: each.size });
		const workflow = await client.createWorkflow(buildWorkflow(each.name, [START_NODE, ...nodes]));
		const run = async () => {
			await client.start(workflow, START_NODE.name);
			await client.waitForLastExecution(workflow);
		};
		// A running n8n has loaded its code.
		await run();
		await run();
		process.kill(n8n.pid, 'SIGUSR2');
		await sleep(1000);
		front.count();
		await run();
		process.kill(n8n.pid, 'SIGUSR2');
		const { requests } = front.count();
		let profile: unknown;
		const isWritten = async () => {
			profile = JSON.parse(await readFile(file, 'utf8'));
			return true;
		};
		await waitUntil('the profile is written', isWritten, OTHER_PROCESS_WAIT);
		return mapValues(partsOf(profile), (ms) => ms / requests);
	} finally {
		await front.close();
		await n8n.stop();
	}
}

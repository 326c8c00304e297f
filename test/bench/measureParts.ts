/** Measures how the CPU time of n8n's single thread is divided between this package, n8n, libraries and the system. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import mapValues from 'lodash/mapValues';
import { z } from 'zod';

import { openN8n, saveCredential, createTemporaryFolder, type Cleanups } from '../real-n8n/testEnvironment';
import { START_NODE, buildWorkflow } from '../real-n8n/workflow';
import { OTHER_PROCESS_WAIT, waitUntil } from '../setup/waitUntil';
import type { BenchCase } from './cases';
import { startCachingProxy } from './cachingProxy';

/**
 * The parts that the CPU time is divided into, each with a pattern of file paths. The first matching pattern counts.
 * Paths start at the npm package's name.
 */
const PART_PATTERNS: Array<[string, RegExp]> = [
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
/** The parts of V8's pseudo-functions, which have no file. */
const V8_PARTS: Record<string, string> = {
	'(garbage collector)': 'garbage collection',
	'(program)': 'the system: connections, database',
};

const profileSchema = z.object({
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

/** Milliseconds of CPU time for each part. */
export type PartTimes = Record<string, number>;

/** Sums the milliseconds of each part in a CPU profile. A built-in function such as JSON.parse counts as part of its caller. */
function sumPartTimes(profile: unknown): PartTimes {
	const { nodes, samples, timeDeltas } = profileSchema.parse(profile);
	const parentById = new Map(nodes.flatMap(({ id, children }) => children.map((child) => [child, id] as const)));
	const partById = new Map<number, string>();
	// The profile lists a caller before the functions that it calls.
	for (const { id, callFrame } of nodes) {
		const { functionName, url } = callFrame;
		// Idle time and the profiler itself are left out.
		if (functionName === '(idle)' || url === 'node:inspector') continue;
		const partName =
			url === ''
				? V8_PARTS[functionName]
				: PART_PATTERNS.find(([, pattern]) => pattern.test(url.replace(BEFORE_PACKAGE, '')))?.[0];
		partById.set(id, partName ?? partById.get(parentById.get(id) ?? 0) ?? 'n8n itself');
	}
	const partTimes: PartTimes = {};
	for (const [index, id] of samples.entries()) {
		const partName = partById.get(id);
		if (partName === undefined) continue;
		partTimes[partName] = (partTimes[partName] ?? 0) + (timeDeltas[index] ?? 0) / 1000;
	}
	return partTimes;
}

/**
 * Runs a case in a separate n8n with a CPU profiler.
 * @returns the milliseconds per request of each part
 */
export async function measureParts(benchCase: BenchCase, tarball: string, cleanups: Cleanups): Promise<PartTimes> {
	const profileFile = join(await createTemporaryFolder(cleanups), 'profile.json');
	const env = { NODE_OPTIONS: `--require ${join(__dirname, 'profile.cjs')}`, PROFILE_FILE: profileFile };
	const { client, n8n } = await openN8n({ packagePaths: [tarball], env }, cleanups);
	const proxy = await startCachingProxy(benchCase.companyCount);
	try {
		const credential = await saveCredential(client, proxy.secrets);
		const nodes = benchCase.packageNode.buildNodes({ credential, proxy, size: benchCase.size });
		const workflow = await client.createWorkflow(buildWorkflow(benchCase.name, [START_NODE, ...nodes]));
		const runWorkflow = async () => {
			await client.startWorkflow(workflow, START_NODE.name);
			await client.waitForLastExecution(workflow);
		};
		// The first runs are not measured, because n8n loads its code during them.
		await runWorkflow();
		await runWorkflow();
		process.kill(n8n.pid, 'SIGUSR2');
		await sleep(1000);
		proxy.readCounts();
		await runWorkflow();
		process.kill(n8n.pid, 'SIGUSR2');
		const { requests } = proxy.readCounts();
		let profile: unknown;
		const readProfile = async () => {
			profile = JSON.parse(await readFile(profileFile, 'utf8'));
			return true;
		};
		await waitUntil('the profile is written', readProfile, OTHER_PROCESS_WAIT);
		return mapValues(sumPartTimes(profile), (ms) => ms / requests);
	} finally {
		await proxy.close();
		await n8n.stop();
	}
}

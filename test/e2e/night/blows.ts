import { z } from 'zod';

import { createRandom } from '../../stand-in/random';
import type { NightSetup } from './scene';

/** What happens in a night, when the service has sent such a share of the reports. */
export interface Disruption {
	share: number;
	description: string;
	/** @returns to whom, or how long */
	cause: (scene: NightSetup) => Promise<string>;
}

const idsSchema = z.array(z.object({ id: z.coerce.string() }));
const SELECT_DISPATCHERS = `SELECT id FROM execution_entity WHERE mode = 'trigger' AND status = 'running' ORDER BY id`;

/** Which worker runs the dispatcher. */
async function findDispatcherWorker({ servers, cluster }: NightSetup): Promise<number> {
	const [dispatcher] = idsSchema.parse(await servers.query(SELECT_DISPATCHERS));
	return await cluster.findWorkerOfExecution(dispatcher?.id ?? '');
}

async function killWorker({ cluster }: NightSetup, index: number): Promise<string> {
	const name = await cluster.kill(index);
	cluster.replace();
	return name;
}

/**
 * A worker with parts is killed, then Redis restarted, then the worker killed that runs the dispatcher. The seed decides
 * when, and which worker it is.
 */
export function planDisruptions(seed: string): Disruption[] {
	const next = createRandom(`night ${seed}`);
	const first = next();
	const second = next();
	const third = next();
	const workerChoice = next();
	return [
		{
			share: 0.2 + first * 0.1,
			description: 'a worker with parts was killed',
			cause: async (scene) => {
				const dispatcher = await findDispatcherWorker(scene);
				const busy = (await scene.cluster.listBusyWorkers()).filter((index) => index !== dispatcher);
				return await killWorker(scene, busy[Math.floor((workerChoice ?? 0) * busy.length)] ?? 0);
			},
		},
		{
			share: 0.4 + second * 0.1,
			description: 'Redis was restarted',
			cause: async ({ servers }) => `away for ${await servers.restartRedis()} ms`,
		},
		{
			share: 0.6 + third * 0.1,
			description: "the dispatcher's worker was killed",
			cause: async (scene) => killWorker(scene, await findDispatcherWorker(scene)),
		},
	];
}

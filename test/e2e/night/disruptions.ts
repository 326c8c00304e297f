import { z } from 'zod';

import { createRandom } from '../../stand-in/random';
import type { NightSetup } from './nightSetup';

/** A disruption during a night. */
export interface Disruption {
	/** The share of the reports that the service has sent when the disruption happens, from 0 to 1. */
	share: number;
	description: string;
	/** Causes the disruption. @returns the name of the killed worker, or how long Redis was away */
	cause: (setup: NightSetup) => Promise<string>;
}

const idsSchema = z.array(z.object({ id: z.coerce.string() }));
const SELECT_DISPATCHERS = `SELECT id FROM execution_entity WHERE mode = 'trigger' AND status = 'running' ORDER BY id`;

/** Returns the index of the worker that runs the dispatcher. */
async function findDispatcherWorker({ servers, cluster }: NightSetup): Promise<number> {
	const [dispatcher] = idsSchema.parse(await servers.query(SELECT_DISPATCHERS));
	return await cluster.findWorkerOfExecution(dispatcher?.id ?? '');
}

/** Kills a worker and starts another one in the background. @returns the killed worker's name */
async function killWorker({ cluster }: NightSetup, index: number): Promise<string> {
	const name = await cluster.kill(index);
	cluster.replace();
	return name;
}

/**
 * Plans the disruptions of a night: a worker with parts is killed, then Redis is restarted, then the worker that runs the dispatcher
 * is killed. The seed decides when they happen and which worker is killed first.
 */
export function planDisruptions(seed: string): Disruption[] {
	const nextRandom = createRandom(`night ${seed}`);
	const firstDelay = nextRandom();
	const secondDelay = nextRandom();
	const thirdDelay = nextRandom();
	const workerChoice = nextRandom();
	return [
		{
			share: 0.2 + firstDelay * 0.1,
			description: 'a worker with parts was killed',
			cause: async (setup) => {
				const dispatcher = await findDispatcherWorker(setup);
				const busyWorkers = (await setup.cluster.listBusyWorkers()).filter((index) => index !== dispatcher);
				return await killWorker(setup, busyWorkers[Math.floor(workerChoice * busyWorkers.length)] ?? 0);
			},
		},
		{
			share: 0.4 + secondDelay * 0.1,
			description: 'Redis was restarted',
			cause: async ({ servers }) => `away for ${await servers.restartRedis()} ms`,
		},
		{
			share: 0.6 + thirdDelay * 0.1,
			description: "the dispatcher's worker was killed",
			cause: async (setup) => killWorker(setup, await findDispatcherWorker(setup)),
		},
	];
}

import { z } from 'zod';

import { createRandom } from '../../stand-in/random';
import type { NightSetup } from './nightSetup';

/** A planned failure during a night, such as a killed worker. */
export interface Disruption {
	/** The disruption happens when the service has sent this share of all reports, from 0 to 1. */
	sentShare: number;
	description: string;
	/** Causes the disruption. @returns details for the log: the name of the killed worker, or how long Redis was down */
	causeDisruption: (setup: NightSetup) => Promise<string>;
}

const idsSchema = z.array(z.object({ id: z.coerce.string() }));
const SELECT_DISPATCHERS = `SELECT id FROM execution_entity WHERE mode = 'trigger' AND status = 'running' ORDER BY id`;

/** Returns the index of the worker that runs the dispatcher. */
async function findDispatcherWorker({ servers, cluster }: NightSetup): Promise<number> {
	const [dispatcherWorker] = idsSchema.parse(await servers.query(SELECT_DISPATCHERS));
	return await cluster.findWorkerOfExecution(dispatcherWorker?.id ?? '');
}

/** Kills a worker and starts another one in the background. @returns the killed worker's name */
async function killWorker({ cluster }: NightSetup, index: number): Promise<string> {
	const name = await cluster.killWorker(index);
	cluster.replaceWorker();
	return name;
}

/**
 * Plans the disruptions of a night: first, a worker that is processing a part of the companies is killed. Then Redis is restarted.
 * Then the worker that runs the dispatcher is killed. The seed decides when this happens and which worker is
 * killed first.
 */
export function planDisruptions(seed: string): Disruption[] {
	const nextRandom = createRandom(`night ${seed}`);
	const firstDelay = nextRandom();
	const secondDelay = nextRandom();
	const thirdDelay = nextRandom();
	const workerChoice = nextRandom();
	return [
		{
			sentShare: 0.2 + firstDelay * 0.1,
			description: 'a worker with parts was killed',
			causeDisruption: async (setup) => {
				const dispatcherWorker = await findDispatcherWorker(setup);
				const busyWorkers = (await setup.cluster.listBusyWorkers()).filter((index) => index !== dispatcherWorker);
				return await killWorker(setup, busyWorkers[Math.floor(workerChoice * busyWorkers.length)] ?? 0);
			},
		},
		{
			sentShare: 0.4 + secondDelay * 0.1,
			description: 'Redis was restarted',
			causeDisruption: async ({ servers }) => `away for ${await servers.restartRedis()} ms`,
		},
		{
			sentShare: 0.6 + thirdDelay * 0.1,
			description: "the dispatcher's worker was killed",
			causeDisruption: async (setup) => killWorker(setup, await findDispatcherWorker(setup)),
		},
	];
}

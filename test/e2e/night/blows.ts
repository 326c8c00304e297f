import { z } from 'zod';

import { seeded } from '../../stand-in/random';
import type { Scene } from './scene';

/** What happens in a night, when the service has sent such a share of the reports. */
export interface Blow {
	share: number;
	what: string;
	/** @returns to whom, or how long */
	strike: (scene: Scene) => Promise<string>;
}

const ids = z.array(z.object({ id: z.coerce.string() }));
const DISPATCHERS = `SELECT id FROM execution_entity WHERE mode = 'trigger' AND status = 'running' ORDER BY id`;

/** Which worker runs the dispatcher. */
async function dispatcherOf({ servers, cluster }: Scene): Promise<number> {
	const [dispatcher] = ids.parse(await servers.query(DISPATCHERS));
	return await cluster.indexOf(dispatcher?.id ?? '');
}

async function kill({ cluster }: Scene, index: number): Promise<string> {
	const name = await cluster.kill(index);
	cluster.replace();
	return name;
}

/**
 * A worker with parts is killed, then Redis restarted, then the worker killed that runs the dispatcher. The seed decides
 * when, and which worker it is.
 */
export function blowsOf(seed: string): Blow[] {
	const next = seeded(`night ${seed}`);
	const first = next();
	const second = next();
	const third = next();
	const whom = next();
	return [
		{
			share: 0.2 + first * 0.1,
			what: 'a worker with parts was killed',
			strike: async (scene) => {
				const dispatcher = await dispatcherOf(scene);
				const busy = (await scene.cluster.busy()).filter((index) => index !== dispatcher);
				return await kill(scene, busy[Math.floor((whom ?? 0) * busy.length)] ?? 0);
			},
		},
		{
			share: 0.4 + second * 0.1,
			what: 'Redis was restarted',
			strike: async ({ servers }) => `away for ${await servers.restartRedis()} ms`,
		},
		{
			share: 0.6 + third * 0.1,
			what: "the dispatcher's worker was killed",
			strike: async (scene) => kill(scene, await dispatcherOf(scene)),
		},
	];
}

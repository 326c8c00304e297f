/** The service of triggerCost.ts, in a separate process, so that it takes no time of what is measured. */
import { z } from 'zod';

import { Front } from '../bench/front';
import { PollingFixture } from '../polling/pollingFixture';
import { answerParent } from '../real-n8n/children';
import { SIMULATORS } from '../stand-in/personality';

const creation = z.object({
	list: z.enum(['enrollment', ...SIMULATORS]),
	/** How many records, each in a company of its own so far as there are enough. */
	count: z.number(),
	/** How long ago the oldest of them was created, in ms. */
	overMs: z.number(),
});

let front: Front | undefined;
let fixture: PollingFixture | undefined;

answerParent({
	start: async (input) => {
		front = await Front.start(z.object({ companies: z.number() }).parse(input).companies);
		fixture = new PollingFixture(front.service);
		return front.place;
	},
	set: async (input) => {
		if (front) Object.assign(front, z.object({ latencyMs: z.number() }).parse(input));
	},
	create: async (input) => {
		const { list, count, overMs } = creation.parse(input);
		if (fixture) fixture.now = Date.now();
		for (let index = 0; index < count; index++) fixture?.create(list, index, (overMs * index) / count);
		front?.forget();
	},
	count: async () => front?.count(),
});

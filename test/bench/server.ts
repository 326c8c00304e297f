/** The service of the benchmark, in a separate process. */
import { z } from 'zod';

import { answerParent } from '../real-n8n/children';
import { Front } from './front';

const settings = z.object({ latencyMs: z.number(), exportBytes: z.number() }).partial();
let front: Front | undefined;

answerParent({
	start: async (input) => {
		front = await Front.start(z.object({ companies: z.number() }).parse(input).companies);
		return front.place;
	},
	set: async (input) => {
		if (front) Object.assign(front, settings.parse(input));
	},
	/** What was counted since the last time. */
	count: async () => {
		if (!front) throw new Error('Not started');
		return front.count();
	},
});

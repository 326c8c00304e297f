import { browser } from './browser';
import { examples } from './examples';
import { jobs } from './jobs';
import { n8n3 } from './n8n3';
import { night } from './night';
import type { Part } from './part';
import { queue } from './queue';
import { triggers } from './triggers';
import { triggerCost } from './triggers/cost';
import { versions } from './versions';
import { smoke } from './versions/smoke';

/** All parts, by the name on the command line. */
export const PARTS = {
	versions,
	browser,
	queue,
	examples,
	jobs,
	n8n3,
	smoke,
	triggers,
	triggerCost,
	night,
} satisfies Record<string, Part>;

export type PartName = keyof typeof PARTS;

export const isPartName = (name: string): name is PartName => Object.hasOwn(PARTS, name);

/**
 * The parts that `npm run e2e` runs without arguments, in this order. `smoke` is left out because `versions` includes it, and the
 * parts of the triggers and the night because they take long.
 */
export const DEFAULT_PARTS: PartName[] = ['versions', 'browser', 'queue', 'examples', 'jobs', 'n8n3'];

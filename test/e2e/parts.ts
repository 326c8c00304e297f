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

/** Every part by the name it is asked for. */
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

export const isPart = (name: string): name is PartName => Object.hasOwn(PARTS, name);

/** What `npm run e2e` runs, in this order. The smoke part is a short form of the versions; the triggers' parts take long. */
export const WHOLE: PartName[] = ['versions', 'browser', 'queue', 'examples', 'jobs', 'n8n3'];

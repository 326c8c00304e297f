import { browser } from './browser';
import { examples } from './examples';
import { jobs } from './jobs';
import { listFields } from './listFields';
import { n8n3 } from './n8n3';
import { night } from './night';
import type { TestPart } from './part';
import { queue } from './queue';
import { triggers } from './triggers';
import { triggerCost } from './triggers/cost';
import { versions } from './versions';
import { smoke } from './versions/smoke';

/** All parts of the end-to-end tests, by their names on the command line. */
export const TEST_PARTS = {
	versions,
	browser,
	queue,
	examples,
	jobs,
	listFields,
	n8n3,
	smoke,
	triggers,
	triggerCost,
	night,
} satisfies Record<string, TestPart>;

export type TestPartName = keyof typeof TEST_PARTS;

export const isTestPartName = (name: string): name is TestPartName => Object.hasOwn(TEST_PARTS, name);

/**
 * The parts that `npm run e2e` runs without arguments, in this order. `smoke` is left out because `versions` includes it, and
 * `listFields` and the parts of the triggers and the night because they take long.
 */
export const DEFAULT_TEST_PARTS: TestPartName[] = ['versions', 'browser', 'queue', 'examples', 'jobs', 'n8n3'];

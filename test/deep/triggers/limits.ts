import { HOUR, MINUTE } from './deployment';
import type { ListName } from './platform';
import type { Run } from './run';

/** How many records without create times a trigger remembers. */
export const MOST_TIMELESS = 20_000;

/** How long n8n's usual poller lets a poll take. */
const DEFAULT_BUDGET_MS = 300_000;

/** How many records with create times a list is read for at activation at most. */
export const MOST_AT_FIRST = 5000;

/** How many records in an order that changes are surely read in one poll. */
export const MOST_IN_ONE_POLL = 1000;

/** So many records on a page are few. */
export const FEW = 20;

/** What is not promised to the hour. */
export const SLACK = 1.5 * HOUR;

/** How much further the window reaches back in a list without recent records. */
export const QUIET = 72 * HOUR;

/** How many polls a list's first reading takes at most; one or less for one that fits into a poll. */
export function pollsToRead({ setup, platform }: Run, list: ListName): number {
	const { deployment, pageSize, budgetMs } = setup;
	const rows = Math.min(pageSize || 1000, deployment.pageCap || 1000);
	const pages = platform.records.filter((record) => record.list === list).length / rows;
	// One that changes, or has fewer records than it counts, is read up to six times.
	const passes = deployment.totals === 'high' || deployment.sort === 'unstableTies' ? 6 : 1;
	return (pages * passes * deployment.latencyMs) / Math.min(MINUTE, (budgetMs || DEFAULT_BUDGET_MS) / 2);
}

import { HOUR } from './deployment';

/** How many records without create times a trigger remembers. */
export const MOST_TIMELESS = 20_000;

/** How long n8n's usual poller lets a poll take. */
export const DEFAULT_BUDGET_MS = 300_000;

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

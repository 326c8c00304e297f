import { getEndpoint } from '../api/endpoint';
import type { RequestError } from './errors';
import type { ApiRequest } from './request';

/** The maximum number of times that a request is sent, including the first try. */
export const MAX_TRIES = 5;

const MAX_FIRST_BACKOFF_MS = 500;

/** Returns true if a failed request may be sent again. A write may be sent again only if it certainly was not carried out. */
export function mayResend({ details }: RequestError, { endpoint }: ApiRequest): boolean {
	const isTransient = details.isTransient ?? false;
	if (getEndpoint(endpoint).isReadOnly) return isTransient || details.status === 500;
	return isTransient && !details.mayHaveBeenApplied;
}

/**
 * Returns the time to wait before the next try, in ms. It is random, so that requests that failed at the same time are not
 * repeated at the same time. The maximum doubles with each try. Before the last try, it is 4 seconds.
 */
export function getBackoffMs(tryCount: number): number {
	return Math.random() * MAX_FIRST_BACKOFF_MS * 2 ** (tryCount - 1);
}

import type { ServiceError } from './errors';
import type { ServiceRequest } from './request';

const MAX_TRIES = 5;
/** The same for a 500: it may pass, but more often it does not, so the error must not come late. */
const MAX_TRIES_OF_500 = 3;

/**
 * How often a request is sent at most, by the failure of the last try. A write is only repeated if it was certainly not
 * carried out, and after a 500 never.
 */
export function triesFor({ details }: ServiceError, { repeatable }: Pick<ServiceRequest, 'repeatable'>): number {
	const { transient, mayHaveBeenApplied, status, cause } = details;
	if (transient) return repeatable || !mayHaveBeenApplied ? MAX_TRIES : 1;
	return status === 500 && cause === 'temporarily-unavailable' && repeatable ? MAX_TRIES_OF_500 : 1;
}

/** Why a call failed. The first four are values of n8n-workflow's `failure.cause`, by which n8n delays the next poll. */
export type ErrorCause =
	'rate-limited' | 'temporarily-unavailable' | 'credential-invalid' | 'configuration-invalid' | 'cancelled' | 'refused';

export interface ServiceErrorDetails {
	/** What happened, as the end of a sentence: "the service refused access (403)". */
	reason: string;
	/** The service's own message, then what a person can do. */
	advice: string;
	/** The service's own message, if it sent one. */
	serviceMessage?: string;
	cause: ErrorCause;
	/** HTTP status, if there was an answer. */
	status?: number;
	/** Whether the service refused the values that were sent, so that another form of the request may succeed. */
	isInputRefused?: boolean;
	/** Whether the service may have carried out the request although it failed. */
	mayHaveBeenApplied: boolean;
	/** Whether the same request may succeed later. */
	transient: boolean;
	/** How long the service asked to wait before the next request, in ms. */
	retryAfterMs?: number;
}

/**
 * A call to the service that failed. It holds no request, no headers and no cause, so that it cannot contain a secret;
 * `toNodeError` turns it into the error that n8n shows.
 */
export class ServiceError extends Error {
	constructor(readonly details: ServiceErrorDetails) {
		super(details.reason);
		this.name = 'ServiceError';
	}
}

/** The details of the error after a person stopped the run. */
export const STOPPED: ServiceErrorDetails = {
	reason: 'the run was stopped',
	advice: 'Start it again when you are ready.',
	cause: 'cancelled',
	mayHaveBeenApplied: false,
	transient: false,
};

/** A thrown value as an Error: itself if it is one, else a new one with its text. */
export const asError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/**
 * Throws what was caught. n8n's lint allows no `throw` of anything but n8n's own errors in a catch clause; what is thrown
 * here becomes one where the node ends (`toNodeError`), which knows the item, the company and the names of the fields.
 */
export const rethrow = async (thrown: unknown): Promise<never> => await Promise.reject(asError(thrown));

/** Input that cannot be sent, found before any request is made. `path` leads to the field: ['filters', 'text']. */
export class InvalidInput extends Error {
	constructor(
		/** Completes a sentence that begins with the field's name: "must not be empty". */
		readonly complaint: string,
		readonly path: string[] = [],
		/** How to correct it, where the complaint does not already say so. */
		readonly advice?: string,
	) {
		super(complaint);
		this.name = 'InvalidInput';
	}

	/** The same error with `key` put in front of its path. */
	within(key: string): InvalidInput {
		return new InvalidInput(this.complaint, [key, ...this.path], this.advice);
	}
}

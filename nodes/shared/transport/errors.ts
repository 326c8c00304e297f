/** Why a call did not work, in the words n8n's pollers back off by (n8n-workflow's `failure.cause`). */
export type ErrorCause =
	'rate-limited' | 'temporarily-unavailable' | 'credential-invalid' | 'configuration-invalid' | 'cancelled' | 'refused';

export interface ServiceErrorDetails {
	/** What happened, as the end of a sentence: "the service refused access (403)". */
	reason: string;
	/** What the service itself said, then what a person can do. */
	advice: string;
	/** What the service itself said, where it said something. */
	said?: string;
	cause: ErrorCause;
	/** HTTP status, where an answer came. */
	status?: number;
	/** Whether the service refused what it was sent, so that another way of asking may do. */
	isInputRefused?: boolean;
	/** Whether the service may have carried the request out all the same. */
	mayHaveBeenApplied: boolean;
	/** Whether asking again can help. */
	transient: boolean;
	/** How long the service asked to wait, in ms. */
	retryAfterMs?: number;
}

/**
 * A call to the service that did not give what was asked for. It holds no request, no header and no cause, so that
 * nothing secret can ride along; the engine turns it into the error that n8n shows.
 */
export class ServiceError extends Error {
	constructor(readonly details: ServiceErrorDetails) {
		super(details.reason);
		this.name = 'ServiceError';
	}
}

/** What is known of a run that a person stopped. */
export const STOPPED: ServiceErrorDetails = {
	reason: 'the run was stopped',
	advice: 'Start it again when you are ready.',
	cause: 'cancelled',
	mayHaveBeenApplied: false,
	transient: false,
};

/** What was thrown, as an error. */
export const asError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/**
 * Throws what was caught. n8n's lint allows no `throw` of anything but n8n's own errors in a catch clause; what is thrown
 * here becomes one where the node ends (`toNodeError`), which knows the item, the company and the names of the fields.
 */
export const rethrow = async (thrown: unknown): Promise<never> => await Promise.reject(asError(thrown));

/** Input that cannot be sent, found before any request leaves. `path` leads to the field: ['filters', 'text']. */
export class InvalidInput extends Error {
	constructor(
		/** Completes a sentence that begins with the field's name: "must not be empty". */
		readonly complaint: string,
		readonly path: string[] = [],
		/** How to put it right, where that is not plain from the complaint. */
		readonly advice?: string,
	) {
		super(complaint);
		this.name = 'InvalidInput';
	}

	/** The same complaint, one level further out. */
	within(key: string): InvalidInput {
		return new InvalidInput(this.complaint, [key, ...this.path], this.advice);
	}
}

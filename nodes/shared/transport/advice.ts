import { ServiceError } from './errors';
import { GuardRefusal } from './guard/refusal';
import { redact, shortened } from './redact';
import type { ServiceRequest } from './request';

/** How much advice an error keeps in all, in characters. */
const MAX_LENGTH = 4000;

interface Tried {
	request: ServiceRequest;
	/** How often it was sent. */
	tries: number;
	/** Values that must not be shown. */
	secrets: readonly string[];
	/** Whether the error is that of the token request, which already says how often a token was requested. */
	isAboutToken: boolean;
}

/**
 * The error of a request with further advice: how often it was tried, or that the request may have been carried out.
 * A refusal of this package's own is complete.
 */
export function withAdvice(problem: ServiceError, { request, tries, secrets, isAboutToken }: Tried): ServiceError {
	if (problem instanceof GuardRefusal) return problem;
	const { details } = problem;
	const isUncertain = !request.repeatable && details.mayHaveBeenApplied;
	const advice = [
		shortened(details.advice, secrets, MAX_LENGTH),
		isUncertain
			? 'It was not repeated, because the service may have carried it out anyway: check there before you run it again.'
			: '',
		tries > 1 && !isAboutToken ? `It was tried ${tries} times.` : '',
	];
	return new ServiceError({
		...details,
		reason: redact(details.reason, secrets),
		advice: advice.filter((part) => part !== '').join(' '),
	});
}

import { ServiceError } from './errors';

/**
 * Whether the service refused a request in this form (400, 404, 405, 422 or refused input), so that another form may
 * succeed.
 */
export const isRefusal = (thrown: unknown): thrown is ServiceError =>
	thrown instanceof ServiceError &&
	(thrown.details.isInputRefused === true || [400, 404, 405, 422].includes(thrown.details.status ?? 0));

/**
 * Tries several forms of a request, because deployments accept different ones: the next only when the one before was refused.
 * @param ways the forms, the preferred one first
 * @returns the result of the first form that is accepted
 * @throws the refusal of the first form if none is accepted, because that is what the person asked for; any other error at once
 */
export async function firstAccepted<T>(...ways: ReadonlyArray<() => Promise<T>>): Promise<T> {
	let first: ServiceError | undefined;
	for (const way of ways) {
		try {
			return await way();
		} catch (error) {
			if (!isRefusal(error)) throw first ?? error;
			first ??= error;
		}
	}
	throw first ?? new Error('There is no form of the request to try');
}

import { ServiceError } from './errors';

/** Whether a service says of a request that it does not take it so: another way of asking may do. */
export const isRefusal = (thrown: unknown): thrown is ServiceError =>
	thrown instanceof ServiceError &&
	(thrown.details.isInputRefused === true || [400, 404, 405, 422].includes(thrown.details.status ?? 0));

/**
 * Asks in several ways, where deployments take different ones: the next one only when the one before was refused.
 * @throws the first way's refusal if none is taken, because it is about what the person asked for
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
	throw first ?? new Error('There is no way to ask');
}

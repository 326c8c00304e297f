import { ServiceProblem } from './problem';

/** Whether a service says of a request that it does not take it so: another way of asking may do. */
export const isRefusal = (thrown: unknown): thrown is ServiceProblem =>
	thrown instanceof ServiceProblem &&
	(thrown.facts.isInputRefused === true || [400, 404, 405, 422].includes(thrown.facts.status ?? 0));

/**
 * Asks in several ways, where deployments take different ones: the next one only when the one before was refused.
 * @throws the first way's refusal if none is taken, because it is about what the person asked for
 */
export async function inTurn<T>(...ways: ReadonlyArray<() => Promise<T>>): Promise<T> {
	let first: ServiceProblem | undefined;
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

/** Works that run side by side, each given the signal that tells it to stop. */
export type Works<T extends readonly unknown[], A> = { [K in keyof T]: (given: A) => Promise<T[K]> };

/**
 * Runs works side by side. When one fails the others are told to stop, and waited for, so that nothing goes on behind
 * the back of whoever is told of the failure.
 * @param given makes what a work gets, from the signal that stops it
 * @param outer stops all of them
 * @returns what they give, in their order
 * @throws the first failure
 */
export async function together<T extends readonly unknown[], A>(works: Works<T, A>, given: (signal: AbortSignal) => A, outer?: AbortSignal): Promise<T> {
	const controller = new AbortController();
	const signal = outer ? AbortSignal.any([controller.signal, outer]) : controller.signal;
	let failure: { thrown: unknown } | undefined;
	const results = await Promise.all(
		works.map(async (work) => {
			try {
				return await work(given(signal));
			} catch (thrown) {
				failure ??= { thrown };
				controller.abort();
				return undefined;
			}
		}),
	);
	if (failure) return await Promise.reject(failure.thrown);
	// Without a failure each work gave its own part; TypeScript cannot follow a tuple through map.
	return results as unknown as T;
}

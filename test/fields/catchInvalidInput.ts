import { InvalidInputError } from '../../nodes/core/http/errors';

/** Calls a function and returns the InvalidInputError that it throws. If it throws no error or another error, the test fails. */
export async function catchInvalidInput(work: () => unknown): Promise<InvalidInputError> {
	try {
		await work();
	} catch (error) {
		if (error instanceof InvalidInputError) return error;
		throw error;
	}
	throw new Error('The input was not rejected');
}

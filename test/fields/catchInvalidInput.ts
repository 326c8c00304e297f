import { InvalidInputError } from '../../nodes/core/http/errors';

/** Returns the InvalidInputError that `work` throws. If it throws none, the test fails. */
export async function catchInvalidInput(work: () => unknown): Promise<InvalidInputError> {
	try {
		await work();
	} catch (error) {
		if (error instanceof InvalidInputError) return error;
		throw error;
	}
	throw new Error('The input was not rejected');
}

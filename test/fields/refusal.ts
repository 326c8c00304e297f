import { InvalidInputError } from '../../nodes/core/http/errors';

/** Converts an expected message to an argument for `toThrow`, which compares a text with a part of the message, but an Error with all of it. */
export const toThrowArgument = (complaint: string | RegExp): Error | RegExp =>
	typeof complaint === 'string' ? new Error(complaint) : complaint;

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

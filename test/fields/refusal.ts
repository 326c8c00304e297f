import { InvalidInputError } from '../../nodes/core/http/errors';

/** What toThrow is given for a complaint: the whole of it, or what it is like. */
export const says = (complaint: string | RegExp): Error | RegExp =>
	typeof complaint === 'string' ? new Error(complaint) : complaint;

/** How something was refused; if it was not, the test fails. */
export async function refusalOf(work: () => unknown): Promise<InvalidInputError> {
	try {
		await work();
	} catch (error) {
		if (error instanceof InvalidInputError) return error;
		throw error;
	}
	throw new Error('It was not refused');
}

import type { IDataObject } from 'n8n-workflow';

import { toError } from '../core/http/errors';
import type { AnyRequestParts, Operation, OperationHelpers } from '../core/operation/defineOperation';
import { isErrorOfOneEntry } from '../core/operation/readEach';
import { LARGE_PAGE_SIZE, type ListOptions } from '../core/pagination/readList';
import type { OperationContext } from '../core/response/responseHandler';

/** Adds the hint that some figures are empty. @param topic what the figures are about: "trainings" */
export const addEmptyFiguresHint = (topic: string, reason: string, { addHint }: OperationContext): void =>
	addHint(`Figures about ${topic} are empty if the platform didn't show all data that they need.`, reason);

/**
 * Adds a hint with the names of the output fields that are empty because the platform didn't show all simulations or trainings.
 * @param fieldNames the fields that need all simulations or trainings
 */
export function addMissingPartsHint(
	parts: 'simulations' | 'trainings',
	fieldNames: readonly string[],
	items: readonly IDataObject[],
	{ addHint }: OperationContext,
): void {
	const emptyNames = fieldNames.filter((name) => items.some((item) => item[name] === null));
	if (emptyNames.length === 0) return;
	const names = emptyNames.map((name) => `'${name}'`).join(', ');
	addHint(`These fields are empty, because they need all ${parts}, and some are missing: ${names}.`);
}

/**
 * Reads something that only some figures need. If it can't be read, a hint says so, and these figures are empty.
 * @param topic what the figures are about: "trainings"
 * @param partName names what is read, for the hint: "the list of enrollments"
 * @returns undefined if the part can't be read
 * @throws RequestError for an error that concerns more than this part, such as a stopped run
 */
export async function readOrAddHint<T>(
	topic: string,
	partName: string,
	context: OperationContext,
	read: () => Promise<T>,
): Promise<T | undefined> {
	try {
		return await read();
	} catch (error) {
		if (!isErrorOfOneEntry(error)) throw toError(error);
		addEmptyFiguresHint(topic, `${partName}: ${error.details.reason}`, context);
		return undefined;
	}
}

/**
 * Reads a whole list that only some figures need (see `readOrAddHint`).
 * @returns undefined if the list can't be read, or if records are missing, because the people in a missing record would seem to have got nothing
 * @throws RequestError for an error that concerns more than this list
 */
export async function readWholeList(
	topic: string,
	listName: string,
	{ readListResult, context }: OperationHelpers,
	operation: Operation,
	parts: AnyRequestParts = {},
	options: ListOptions = { identity: [] },
): Promise<IDataObject[] | undefined> {
	const list = await readOrAddHint(topic, listName, context, () =>
		readListResult(operation, parts, { pageSize: LARGE_PAGE_SIZE, ...options }),
	);
	if (!list || (list.missingCount === 0 && !list.hasNullPage)) return list?.records;
	addEmptyFiguresHint(topic, `${listName}: it is incomplete`, context);
	return undefined;
}

import type { IDataObject } from 'n8n-workflow';

import { buildSearchFilter } from '../api/searchFilter';
import type { HttpClient } from '../http/client';
import { isCancellationError, RequestError, toError } from '../http/errors';
import type { ApiRequest } from '../http/request';
import type { Choice } from '../values';
import { describeGap, isCompleteList, type ListResult } from './listResult';
import { readList, type ListOptions, type ReadListOptions } from './readList';

/** The error for a list that may be incomplete, although the operation needs all of its records. */
export class IncompleteListError extends RequestError {}

/**
 * Reads a whole list for a write that depends on it. If necessary, the list is read twice (see `readAgainIfIncomplete`).
 * @param listName names the list in the error: "the list of target users"
 * @throws IncompleteListError if the list may still be incomplete
 * @throws RequestError if the list can't be read
 */
export async function readCompleteList(
	client: Pick<HttpClient, 'requestJson' | 'settings'>,
	request: ApiRequest,
	options: Omit<ReadListOptions, 'limit' | 'isPastEnd'>,
	listName: string,
): Promise<IDataObject[]> {
	const list = await readAgainIfIncomplete(() => readList(client, request, options));
	if (isCompleteList(list)) return list.records;
	throw new IncompleteListError({
		reason: `${listName} is incomplete: ${describeGap(list)}`,
		advice:
			"Nothing was changed for this item, because records that are missing from the list could be lost or added twice. Run the node again, because the list may have changed while the node read it. If this happens again, the credential's role may see only a part of the list. Then use a credential whose role may see the whole list.",
	});
}

/**
 * Reads a list. If records may be missing, reads it a second time, because the list may have changed while it was read.
 * @returns the result of the last reading, which may still be incomplete
 */
export async function readAgainIfIncomplete(read: () => Promise<ListResult>): Promise<ListResult> {
	const list = await read();
	return isCompleteList(list) ? list : read();
}

/** The values of an operation's context that `readOptionalList` needs. */
interface OptionalListContext {
	client: HttpClient;
	company?: Choice;
	addHint: (message: string) => void;
}

/**
 * Reads a list that an operation uses only after it has done its work. If the list can't be read, the operation still succeeds.
 * A list that may be incomplete isn't used either, and a hint tells the user so.
 * @param listName names the list in the hint: "The list of the companies in the group"
 * @returns undefined if the list could not be read, or may be incomplete
 * @throws RequestError only if the run was stopped
 */
export async function readOptionalList(
	{ client, company, addHint }: OptionalListContext,
	request: Pick<ApiRequest, 'endpoint' | 'path'>,
	options: ListOptions,
	listName: string,
	searchText = '',
): Promise<IDataObject[] | undefined> {
	const listRequest: ApiRequest = {
		...request,
		purpose: 'look it up',
		company,
		body: { filter: buildSearchFilter({ searchText }) },
	};
	try {
		return await readCompleteList(client, listRequest, options, listName);
	} catch (error) {
		if (!(error instanceof RequestError) || isCancellationError(error)) throw toError(error);
		if (error instanceof IncompleteListError) addHint(`${error.message}. The node did not use this list.`);
		return undefined;
	}
}

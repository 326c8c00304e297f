import type { IDataObject } from 'n8n-workflow';

import type { HttpClient } from '../http/client';
import { toError, isCancellationError } from '../http/errors';
import type { ApiRequest } from '../http/request';
import { toItemJson } from '../values';

/**
 * Reads the name of a record with one request. A failed request is ignored, because the name only labels a result.
 * @returns '' if the request fails, or if the record has no name
 * @throws RequestError if the run was stopped
 */
export async function requestName(
	client: HttpClient,
	request: ApiRequest,
	readName: (record: IDataObject) => string | undefined,
): Promise<string> {
	try {
		const { data } = await client.requestJson(request);
		return readName(toItemJson(data)) ?? '';
	} catch (error) {
		if (isCancellationError(error)) throw toError(error);
		return '';
	}
}

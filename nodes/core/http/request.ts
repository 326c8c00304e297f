import type { IDataObject } from 'n8n-workflow';

import type { EndpointKey } from '../api/endpoint';
import type { Choice } from '../values';

/** A file that is sent in a multipart body. */
export interface FileUpload {
	fileName: string;
	mimeType: string;
	/**
	 * The file's content. It is undefined while a write checks its input items, because the content is read only just before the
	 * item's request is sent.
	 */
	content: Buffer | undefined;
}

/** The fields of a multipart/form-data body. An array is sent as repeated fields. An undefined value is omitted. */
export type MultipartFields = Record<string, string | number | boolean | string[] | FileUpload | undefined>;

/** A request to the platform, without the base URL and the token. */
export interface ApiRequest {
	endpoint: EndpointKey;
	/** The values of the path's placeholders, not yet encoded. */
	path?: Record<string, string>;
	query?: IDataObject;
	body?: IDataObject;
	/** Undocumented fields that the user adds to a search or an export. They replace only defaults of the body. */
	additionalFields?: IDataObject;
	/** The fields of a multipart body, which is sent instead of `body`. */
	multipart?: MultipartFields;
	/** The company to act for. Its ID is sent in a header (contract 4.1). */
	company?: Choice;
	/** The action that error messages name: "get many companies". */
	purpose: string;
	/** Aborted when the response is no longer needed. Then the request is not sent, or not sent again. */
	signal?: AbortSignal;
	/** Values of this request that must never be shown. */
	secrets?: string[];
}

/** Returns the content of a file. @throws TypeError if it was not read yet, which is a mistake in our code */
export function getFileContent({ fileName, content }: FileUpload): Buffer {
	if (content === undefined) throw new TypeError(`The file ${fileName} was not read`);
	return content;
}

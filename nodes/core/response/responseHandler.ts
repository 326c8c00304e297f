import type { IBinaryData, IDataObject } from 'n8n-workflow';

import type { FieldMap } from '../fields/field';
import type { FormValues } from '../fields/formValues';
import type { RequestError } from '../http/errors';
import type { ApiRequest } from '../http/request';
import type { HttpClient } from '../http/client';
import type { ListOptions } from '../pagination/readList';
import type { Choice } from '../values';

/** One output item, before the fields of the input item and of the company are added to it. */
export interface OutputItem {
	json: IDataObject;
	binary?: Record<string, IBinaryData>;
}

/** The fields of a record that are returned. */
export interface FieldSelection {
	names: readonly string[];
	/** The whole record is returned if fewer of the fields are present. Undefined for fields that a user selected. */
	minPresent?: number;
}

/** One item that a response handler created from a response. It still has all fields of the record. */
export interface ResultItem extends OutputItem {
	/** The fields that the output item keeps; all fields if it is undefined. */
	selection?: FieldSelection | undefined;
}

/** Stores files in n8n's binary data storage. */
export interface FileStore {
	/**
	 * Stores one file. If the run already has a file with this name, a number is added to the name.
	 * @param content a stream or a Buffer
	 * @param mimeType derived from the file name if it is undefined
	 * @returns the stored file, its size in bytes, and its final name
	 */
	store(
		content: unknown,
		fileName: string,
		mimeType?: string,
	): Promise<{ binary: IBinaryData; bytes: number; fileName: string }>;
}

/** How many records an operation searched. The hint about an empty output says so. */
export interface SearchReport {
	/** The word for one record: "job". */
	noun: string;
	count: number;
	/** Says why these records may lead to no item, as the end of a sentence: "nobody clicked the link". */
	emptyReason: string;
}

/** Everything that an operation can use while it runs for one input item and one company. */
export interface OperationContext {
	client: HttpClient;
	/** The company to run for; undefined for the credential's own company. */
	company?: Choice;
	/** The json of the input item. */
	input: IDataObject;
	/** Reads the company's name for file names, with a request if necessary. Returns '' for the credential's own company. */
	getFileLabel(): Promise<string>;
	/** The IANA name of the workflow's time zone. */
	timezone: string;
	/** Aborted when another item fails and the node stops. No more requests are sent for this item then. */
	signal: AbortSignal;
	files: FileStore;
	/**
	 * Shows a message to the user after the run, about something that isn't a failure. A message that several companies cause is shown
	 * once, with the names of these companies.
	 * @param details numbers or names that differ between items, and so can't be a part of the message
	 */
	addHint(message: string, details?: string): void;
	/**
	 * Reports a part of the result that couldn't be read. If the node continues on errors, the part becomes a separate item, so that a
	 * workflow that nobody watches can react to it. Otherwise, it becomes a hint.
	 * @param message the hint: "Some jobs could not be read."
	 * @param part the name of the part: "Parcel notice (42/1)"
	 */
	reportUnread(message: string, part: string, error: RequestError): void;
	/** Reports how many records were searched, for the hint about an empty output. */
	reportSearch(report: SearchReport): void;
}

/** Handles the response of an operation: adds fields to the form, sends the request, and turns the response into items. */
export interface ResponseHandler {
	/** Fields of the form that choose what to return. */
	fields: FieldMap;
	/** Fields that are added to the form's 'Options'. */
	options: FieldMap;
	/**
	 * Sends the request, page by page where needed, and turns the responses into items.
	 * @param request the request for the current company
	 * @param form the item's form, including the fields and options of this handler
	 * @param listOptions how to read a list, in addition to the operation's own definition
	 * @throws RequestError
	 */
	handle(
		request: ApiRequest,
		form: FormValues,
		context: OperationContext,
		listOptions?: Partial<ListOptions>,
	): Promise<ResultItem[]>;
}

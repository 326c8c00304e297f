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

/** Describes which fields of a record are returned. */
export interface FieldSelection {
	names: readonly string[];
	/** If the record has fewer of the fields, the whole record is returned. It is undefined for fields that a user selected. */
	minFieldCount?: number;
}

/** One item that a response handler created from a response. It still has all fields of the record. */
export interface ResultItem extends OutputItem {
	/** The fields that the output item keeps. If it is undefined, the item keeps all fields. */
	selection?: FieldSelection | undefined;
}

/** Stores files in n8n's binary data storage. */
export interface FileStore {
	/**
	 * Stores one file. If the run already has a file with this name, a number is added to the name.
	 * @param content a stream or a Buffer
	 * @param mimeType if it is undefined, it is derived from the file name
	 * @returns the stored file, its size in bytes, and its final name
	 */
	store(
		content: unknown,
		fileName: string,
		mimeType?: string,
	): Promise<{ binary: IBinaryData; bytes: number; fileName: string }>;
}

/** How many records an operation searched. If the output is empty, a hint shows this number. */
export interface SearchReport {
	/** The word for one record: "job". */
	noun: string;
	recordCount: number;
	/** Says why no item may come from these records, as the end of a sentence: "nobody clicked the link". */
	emptyReason: string;
}

/** Everything that an operation can use while it runs for one input item and one company. */
export interface OperationContext {
	client: HttpClient;
	/** The company to run for. It is undefined for the credential's own company. */
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
	 * @param details numbers or names that differ between items. They aren't part of `message`, so that equal messages can be merged.
	 */
	addHint(message: string, details?: string): void;
	/**
	 * Reports that something that belongs to the result, such as a campaign job, could not be read. If the node continues on errors, the
	 * report becomes a separate item, so that the workflow can react to it. Otherwise, it becomes a hint.
	 * @param message the hint: "Some jobs could not be read."
	 * @param unreadName names what could not be read: "the job Parcel notice (42/1)"
	 */
	reportUnread(message: string, unreadName: string, error: RequestError): void;
	/** Reports how many records were searched. If the output is empty, a hint says so. */
	reportSearch(report: SearchReport): void;
}

/** Handles the response of an operation: adds fields to the form, sends the request, and turns the response into items. */
export interface ResponseHandler {
	/** The form fields in which the user chooses what to return. */
	fields: FieldMap;
	/** The form fields that are added to 'Options'. */
	options: FieldMap;
	/**
	 * Sends the request, page by page where needed, and turns the responses into items.
	 * @param request the request for the current company
	 * @param form the values of the form for the current item, including `fields` and `options`
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

import type { IBinaryData, IDataObject } from 'n8n-workflow';

import type { FieldMap } from '../fields/field';
import type { FormValues } from '../fields/formValues';
import type { ServiceError } from '../http/errors';
import type { ServiceRequest } from '../http/request';
import type { Service } from '../http/client';
import type { ListShape } from '../pagination/readList';
import type { Choice } from '../values';

/** One output item, before the input item and the company are added to it. */
export interface OutputItem {
	json: IDataObject;
	binary?: Record<string, IBinaryData>;
}

/** One item of an answer, whole. */
export interface Answered extends OutputItem {
	/** The fields to which it is reduced in the end (see `reduced`); whole, if fewer of them than `least` are there. */
	only?: { names: readonly string[]; least?: number } | undefined;
}

export interface FileStore {
	/**
	 * @param content a stream or a Buffer
	 * @param mimeType found by the file's name, unless given
	 * @returns the stored file, its size in bytes, and its name: with a number, where another file of the run has that name
	 */
	store(
		content: unknown,
		fileName: string,
		mimeType?: string,
	): Promise<{ binary: IBinaryData; bytes: number; fileName: string }>;
}

/** What an answer was looked for in. */
export interface Looked {
	/** The word for one of it: "job". */
	thing: string;
	count: number;
	/** What is so where no item came of it: "nobody clicked the link". */
	none: string;
}

/** What one operation can use while it runs for one item and one company. */
export interface OperationContext {
	service: Service;
	company?: Choice;
	/** The fields of the input item. */
	input: IDataObject;
	/** The company's name for file names, which may be asked for; empty for the credential's own. */
	fileLabel(): Promise<string>;
	timezone: string;
	/** Aborted when the node stops because another item failed: then nothing more is read for this one. */
	signal: AbortSignal;
	files: FileStore;
	/**
	 * Shows a message to the person after the run, for something that is not a failure. The same message is shown once, with the
	 * companies that it is about.
	 * @param about what else it is about: how many, which. It differs from item to item, so it is not a part of the message.
	 */
	hint(message: string, about?: string): void;
	/**
	 * Reports a part of the result that could not be read: as an item of its own if the node continues on errors, so that a workflow
	 * that nobody watches notices it, else as a hint.
	 * @param message the hint: "Some jobs could not be read."
	 * @param part names the part: "Parcel notice (42/1)"
	 */
	reportUnread(message: string, part: string, error: ServiceError): void;
	/** Tells what the answer was looked for in, for the hint about an empty output. */
	looked(what: Looked): void;
}

/** A kind of answer: what it adds to the form, and how it reads what comes back. */
export interface Answer {
	/** Fields of the form that choose what to return. */
	fields: FieldMap;
	options: FieldMap;
	/**
	 * Sends the request, page by page where needed, and turns the answers into items.
	 * @param request the request for the current company
	 * @param form the item's form, including the fields and options of this answer
	 * @param shape how to read a list, in addition to what the operation defines
	 * @throws ServiceError
	 */
	collect(
		request: ServiceRequest,
		form: FormValues,
		context: OperationContext,
		shape?: Partial<ListShape>,
	): Promise<Answered[]>;
}

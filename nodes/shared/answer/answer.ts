import type { IBinaryData, IDataObject } from 'n8n-workflow';

import type { FieldMap } from '../form/field';
import type { FormValues } from '../form/formValues';
import type { Company, ServiceRequest } from '../transport/request';
import type { Service } from '../transport/service';
import type { ListShape } from './paging';

/** One output item before it is paired and stamped. */
export interface Produced {
	json: IDataObject;
	binary?: Record<string, IBinaryData>;
}

/** n8n's store for files. */
export interface FileStore {
	/** @returns the stored file and its size in bytes */
	store(stream: unknown, fileName: string, mimeType: string): Promise<{ binary: IBinaryData; bytes: number }>;
}

/** What a run of one operation for one item and one company can use. */
export interface Session {
	service: Service;
	company?: Company;
	/** Tells the companies of a run apart in file names; set where there are several. */
	companyLabel?: string;
	/** The workflow's time zone, an IANA name. */
	timezone: string;
	/** Stops what is read for the item once another item has failed the node. */
	signal: AbortSignal;
	files: FileStore;
	/** Tells the person something after the run that is no failure. */
	hint(message: string): void;
}

/** A kind of answer: what it adds to the form, and how it reads what comes back. */
export interface Answer {
	/** Fields of the form that say what is wanted of the answer. */
	fields: FieldMap;
	/** Fields for the 'Options' collection. */
	options: FieldMap;
	/** Whether asking twice does no harm although the method is POST: a search or an export. */
	reads: boolean;
	/**
	 * Sends the request, as often as the answer takes, and turns what comes back into items.
	 * @param request what is asked for the company at hand
	 * @param form the item's form, with the fields and options of this answer in it
	 * @param shape how a list is to be read besides what the operation says of it
	 * @throws ServiceError
	 */
	collect(request: ServiceRequest, form: FormValues, session: Session, shape?: Partial<ListShape>): Promise<Produced[]>;
}

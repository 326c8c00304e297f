import type { IBinaryData, IDataObject } from 'n8n-workflow';

import type { FieldMap, Values } from '../form/field';
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

/** Reads and checks parameters of the item at hand. @throws InvalidInput */
export type Reader = <F extends FieldMap>(fields: F) => Promise<Values<F>>;

/**
 * Turns the service's answer to a request into items.
 * @param shape how a list is to be read beside what the operation says of it
 */
export type Collect = (request: ServiceRequest, session: Session, shape?: Partial<ListShape>) => Promise<Produced[]>;

/** A kind of answer: what it adds to the form, and how it reads what comes back. */
export interface Answer {
	fields: FieldMap;
	/** Fields for the 'Options' collection. */
	options: FieldMap;
	/** Whether asking twice does no harm although the method is POST: a search or an export. */
	reads: boolean;
	/** Checks the parameters of an item, before any request leaves. @throws InvalidInput */
	prepare(read: Reader): Promise<Collect>;
}

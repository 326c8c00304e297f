import type { IDataObject } from 'n8n-workflow';

import type { ApiRequest } from '../http/request';
import { requestName } from './requestName';
import type { OperationContext } from './responseHandler';

/** The record that a file belongs to, such as a campaign job or an enrollment. Its name becomes part of the file name. */
export interface FileOwner {
	id: string;
	/** The name of the record that the user selected. It is empty if only the ID is known. */
	name: string;
	/** A text that distinguishes owners with the same name: "job 2". */
	distinguishingLabel?: string;
	/** The output field for the owner's name: "enrollmentName". */
	nameField: string;
	/** Returns true if an input item is about this owner. */
	isDescribedBy: (input: IDataObject) => boolean;
	/** Reads the owner's name from an input item or from the owner's record. */
	readName: (record: IDataObject) => string | undefined;
	/** The request that reads the owner's record. */
	request: Pick<ApiRequest, 'endpoint' | 'path'>;
}

/**
 * Finds the name of a file's owner: in the user's selection, in an input item about this owner, or with one request.
 * @returns '' if the name isn't found
 * @throws RequestError if the run was stopped
 */
export async function readOwnerName(owner: FileOwner, context: OperationContext): Promise<string> {
	const { input, client, company, signal } = context;
	const knownName = owner.name || (owner.isDescribedBy(input) ? owner.readName(input) : undefined);
	if (knownName) return knownName;
	return await requestName(client, { ...owner.request, purpose: 'read the name', company, signal }, owner.readName);
}

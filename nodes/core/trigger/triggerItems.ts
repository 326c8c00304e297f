import { isNull, omit, omitBy, sortBy } from 'lodash';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { sortFieldsForReading } from '../response/outputFields';
import { removeSecrets } from '../response/removeSecrets';
import { readCompanyName } from '../companyScope/companyName';
import { withTimeout } from '../http/withTimeout';
import type { RecordToEmit } from './decideOnRecords';
import type { Poll, WatchedList, WatchedRecord } from './defineTrigger';
import { isEmpty, type Choice } from '../values';

/** The maximum time in ms to wait for the name of a company, so that a slow response doesn't delay the items. */
const MAX_NAME_WAIT_MS = 5000;

/**
 * Creates the output item of a record. The item contains the name of the watched list, the company's name, the record's
 * fields, for 'Status Changed' the previous status, and at the end all IDs.
 */
export function createItem(
	{ rules }: Poll,
	list: WatchedList,
	{ record, company, previousStatus }: RecordToEmit,
): INodeExecutionData {
	const fields: IDataObject = { ...(list.addItemFields?.(record.json) ?? record.json) };
	return createKindItem(list.name, company, fields, rules.shouldWatchStatus ? { previousStatus } : {});
}

/**
 * Creates an output item with the field `kind`, the company's columns and the fields of a record or an event.
 * @param addedFields fields that replace those of the record
 */
export function createKindItem(
	kind: string,
	company: Choice,
	recordFields: IDataObject,
	addedFields: IDataObject = {},
): INodeExecutionData {
	const companyColumns: IDataObject = { companyName: company.name || null, companyResourceId: company.id || null };
	const fields: IDataObject = { ...companyColumns, ...removeSecrets(recordFields) };
	// If the company's name or ID is unknown, the value of the record's own field is kept.
	Object.assign(fields, omitBy(companyColumns, isNull), addedFields);
	return { json: { kind, ...sortFieldsForReading(omit(fields, 'kind')) } };
}

/**
 * Adds the company's name to items that lack it. It is missing if the scope is one company that the user entered by ID.
 * If the name can't be read, returns the items without it.
 */
export async function addCompanyName(
	{ scope, client }: Pick<Poll, 'scope' | 'client'>,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	if (scope.kind !== 'one' || items.every(({ json }) => !isEmpty(json.companyName))) return items;
	const nameRequest = readCompanyName(scope.company, undefined, { requestedNamesById: new Map() }, client);
	const companyName = await withTimeout(MAX_NAME_WAIT_MS, nameRequest).catch(() => '');
	if (companyName === '') return items;
	return items.map((item) =>
		isEmpty(item.json.companyName) ? { ...item, json: { ...item.json, companyName } } : item,
	);
}

/** Sorts records by their create time, oldest first. Records without a create time come first. */
export const sortByCreateTime = <T extends { record: WatchedRecord }>(entries: T[]): T[] =>
	sortBy(entries, ({ record }) => record.createdAt ?? 0);

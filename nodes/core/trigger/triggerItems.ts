import { isNull, omitBy, sortBy } from 'lodash';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { removeSecrets } from '../response/outputFields';
import { readCompanyName } from '../companyScope/companyName';
import { withTimeout } from '../http/abort';
import type { NewRecord } from './decideOnRecords';
import type { Poll, WatchedList, WatchedRecord } from './defineTrigger';
import { isEmpty } from '../values';

/** The maximum time in ms to wait for the name of a company. It is a small part of the poll's time limit. */
const MAX_NAME_WAIT_MS = 5000;

/**
 * Creates the output item of a record. It contains the record's fields, the name of its list, its company and, for
 * 'Status Changed', the previous status.
 */
export function createItem(
	{ rules }: Poll,
	list: WatchedList,
	{ record, company, previousStatus }: NewRecord,
): INodeExecutionData {
	const companyColumns: IDataObject = { companyName: company.name || null, companyResourceId: company.id || null };
	// These columns come first in the item. If a value is unknown, the record's own value is kept.
	const json: IDataObject = {
		kind: list.name,
		...companyColumns,
		...removeSecrets(list.addItemFields?.(record.json) ?? record.json),
	};
	Object.assign(json, { kind: list.name }, omitBy(companyColumns, isNull));
	if (rules.watchesStatus) json.previousStatus = previousStatus;
	return { json };
}

/**
 * Adds the company's name to the items if the user entered one company by its ID. If the name can't be read, the items
 * are returned without it.
 */
export async function addCompanyName(
	{ scope, client }: Pick<Poll, 'scope' | 'client'>,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	if (scope.kind !== 'one' || items.every(({ json }) => !isEmpty(json.companyName))) return items;
	const nameRequest = readCompanyName(scope.company, undefined, { namesById: new Map() }, client);
	const companyName = await withTimeout(MAX_NAME_WAIT_MS, nameRequest).catch(() => '');
	if (companyName === '') return items;
	return items.map((item) =>
		isEmpty(item.json.companyName) ? { ...item, json: { ...item.json, companyName } } : item,
	);
}

/** Sorts records by their create time, oldest first. Records without a create time come first. */
export const sortByCreateTime = <T extends { record: WatchedRecord }>(entries: T[]): T[] =>
	sortBy(entries, ({ record }) => record.createdAt ?? 0);

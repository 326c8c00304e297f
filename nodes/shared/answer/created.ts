import type { IDataObject } from 'n8n-workflow';

import { identityOf } from './page';

/** The names that deployments use for a record's create time; start times are not among them. */
const TIME_NAMES = [
	'createTime',
	'createdTime',
	'creationTime',
	'createDate',
	'createdDate',
	'createdAt',
	'createdOn',
	'creationDate',
];

/** When a record was created, in ms since 1970. @returns undefined if it has no create time */
export function createdOf(record: IDataObject): number | undefined {
	const text = identityOf(record, TIME_NAMES);
	if (text === undefined) return undefined;
	// A time without a zone is in the service's zone. Any zone can be assumed, because times are only compared with each other.
	const isWithoutZone = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(text);
	const time = /^\d+$/.test(text) ? Number(text) : Date.parse(isWithoutZone ? `${text}Z` : text);
	return Number.isFinite(time) ? time : undefined;
}

/** Sorts records by create time, the newest first; records without one follow in their order. */
export function newestFirst(records: IDataObject[]): IDataObject[] {
	const timed = records.map((record) => ({ record, created: createdOf(record) ?? -Infinity }));
	// Infinity minus Infinity is NaN.
	return timed
		.sort((one, other) => (one.created === other.created ? 0 : other.created - one.created))
		.map(({ record }) => record);
}

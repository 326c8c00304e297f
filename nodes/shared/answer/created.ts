import type { IDataObject } from 'n8n-workflow';

import { identityOf } from './page';

/** The names under which a record's create time was seen; when something starts is another matter. */
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

/** When a record was created, in ms. @returns undefined where it does not say */
export function createdOf(record: IDataObject): number | undefined {
	const text = identityOf(record, TIME_NAMES);
	if (text === undefined) return undefined;
	// A time without a zone is the service's own; any zone will do, as times are only compared with one another.
	const isWithoutZone = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(text);
	const time = /^\d+$/.test(text) ? Number(text) : Date.parse(isWithoutZone ? `${text}Z` : text);
	return Number.isFinite(time) ? time : undefined;
}

/** The newest record first; those that do not say when they were created stay in order, behind the others. */
export function newestFirst(records: IDataObject[]): IDataObject[] {
	const timed = records.map((record) => ({ record, created: createdOf(record) ?? -Infinity }));
	// Infinity less Infinity is no number.
	return timed
		.sort((one, other) => (one.created === other.created ? 0 : other.created - one.created))
		.map(({ record }) => record);
}

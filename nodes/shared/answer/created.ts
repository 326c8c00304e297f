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

/** What is earlier or later is no create time, but stands for none, as 0001-01-01 does. */
const EARLIEST = Date.UTC(2000, 0);
const LATEST = Date.UTC(2200, 0);
/** A number below this is seconds: in ms, it would be before EARLIEST. */
const LEAST_MS = 1e11;

/** When a record was created, in ms. @returns undefined where it does not say */
export function createdOf(record: IDataObject): number | undefined {
	const text = identityOf(record, TIME_NAMES);
	if (text === undefined) return undefined;
	// A time without a zone is the service's own; any zone will do, as times are only compared with one another.
	const isBare = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(text);
	const number = /^\d+$/.test(text) ? Number(text) : NaN;
	const time = Number.isNaN(number) ? Date.parse(isBare ? `${text}Z` : text) : number * (number < LEAST_MS ? 1000 : 1);
	return time >= EARLIEST && time < LATEST ? time : undefined;
}

/** The newest record first; those that do not say when they were created stay in order, behind the others. */
export function newestFirst(records: IDataObject[]): IDataObject[] {
	const timed = records.map((record) => ({ record, created: createdOf(record) ?? -Infinity }));
	// Infinity less Infinity is no number.
	return timed
		.sort((one, other) => (one.created === other.created ? 0 : other.created - one.created))
		.map(({ record }) => record);
}

import type { IDataObject } from 'n8n-workflow';

import { counted } from '../transport/counted';
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

/** An earlier or later time is a placeholder, such as 0001-01-01, and not a create time. */
const EARLIEST = Date.UTC(2000, 0);
const LATEST = Date.UTC(2200, 0);
/** A number below this is in seconds: in ms, it would be before EARLIEST. */
const LEAST_MS = 1e11;

/** When a record was created, in ms since 1970. @returns undefined if it has no create time */
export function createdOf(record: IDataObject): number | undefined {
	const text = identityOf(record, TIME_NAMES);
	if (text === undefined) return undefined;
	// A time without a zone is in the service's zone. Any zone can be assumed, because times are only compared with each
	// other.
	const isWithoutZone = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(text);
	const number = /^\d+$/.test(text) ? Number(text) : NaN;
	const time = Number.isNaN(number)
		? Date.parse(isWithoutZone ? `${text}Z` : text)
		: number * (number < LEAST_MS ? 1000 : 1);
	return time >= EARLIEST && time < LATEST ? time : undefined;
}

/** Sorts records by create time, the newest first; records without one follow in their order. */
export function newestFirst(records: IDataObject[]): IDataObject[] {
	const timed = records.map((record) => ({ record, created: createdOf(record) ?? -Infinity }));
	// Infinity minus Infinity is NaN.
	return timed
		.sort((one, other) => (one.created === other.created ? 0 : other.created - one.created))
		.map(({ record }) => record);
}

/**
 * A hint about records of a period that are in the output although nothing says whether they belong to it.
 * @param one the word for one of them
 * @param of whose they are: " of Golden Crust Bakery"
 * @returns undefined if there are none
 */
export const undatedHint = (count: number, one: string, of = ''): string | undefined =>
	count === 0
		? undefined
		: `${counted(count, one)}${of} ${count === 1 ? 'has' : 'have'} no date that can be read. ${count === 1 ? 'It is' : 'They are'} in the output, whatever the period is.`;

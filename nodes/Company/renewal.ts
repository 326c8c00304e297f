import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import type { ListShape } from '../shared/answer/paging';

/** The day a licence ends, in UTC; undefined where the record tells none that is a date. */
function licenseEndOf({ licenseEndDate }: IDataObject): DateTime | undefined {
	if (typeof licenseEndDate !== 'string') return undefined;
	const end = DateTime.fromISO(licenseEndDate, { zone: 'utc' });
	return end.isValid ? end.startOf('day') : undefined;
}

/**
 * Keeps the companies whose licence ends from today on, within so many days, by whole days in UTC (deployment behaviour,
 * "Companies"); one that ended earlier is expired. A company without an end date is never due.
 * @param isFlat whether no company stands inside another: then nothing is read after the first that ends later, if the
 * list comes with the earliest end first
 */
export function dueWithin(days: number, isFlat: boolean): Pick<ListShape, 'keep' | 'isPast'> {
	const today = DateTime.utc().startOf('day');
	const lastDay = today.plus({ days });
	const keep = (company: IDataObject) => {
		const end = licenseEndOf(company);
		return end !== undefined && end >= today && end <= lastDay;
	};
	if (!isFlat) return { keep };
	let latest: DateTime | undefined;
	let isSorted = true;
	let hasSeenDue = false;
	const isPast = (company: IDataObject) => {
		const end = licenseEndOf(company);
		if (end === undefined) return false;
		// A service may sort by something else than it was asked for, so its order must have been seen.
		isSorted &&= latest === undefined || end >= latest;
		hasSeenDue ||= end <= lastDay;
		latest = end;
		return isSorted && hasSeenDue && end > lastDay;
	};
	return { keep, isPast };
}

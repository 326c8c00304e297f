import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import type { ListShape } from '../shared/answer/paging';

/** The day on which a company's license ends, in UTC. @returns undefined if the record has no valid end date */
function licenseEndOf({ licenseEndDate }: IDataObject): DateTime | undefined {
	if (typeof licenseEndDate !== 'string') return undefined;
	const end = DateTime.fromISO(licenseEndDate, { zone: 'utc' });
	return end.isValid ? end.startOf('day') : undefined;
}

/**
 * Keeps the companies whose license ends today or within the next `days` days, by whole days in UTC (deployment behaviour,
 * "Companies"). A license that ended earlier is expired, and a company without an end date is never due.
 * @param isFlat whether the list has no companies inside others; then reading stops at the first company that ends later,
 * as long as the list was seen to be sorted by end date
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
		// A service may ignore the requested order, so the order is checked.
		isSorted &&= latest === undefined || end >= latest;
		hasSeenDue ||= end <= lastDay;
		latest = end;
		return isSorted && hasSeenDue && end > lastDay;
	};
	return { keep, isPast };
}

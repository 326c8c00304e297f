import type { IDataObject } from 'n8n-workflow';

import { identityOf } from '../answer/paging';
import { fold } from '../answer/fileName';
import { counted } from '../transport/counted';
import type { Entry } from './entry';

/** The fields of various records that count something, with the word for one of it. */
const COUNTS: ReadonlyArray<[names: string[], one: string]> = [
	[['userCount', 'targetUserCount', 'totalTargetUserCount'], 'user'],
	[['companyCount'], 'company'],
];

/** The fields of various records with the day on which they were created or started. */
const DAYS = ['createTime', 'createdDate', 'createDate', 'addedTime', 'startDate'];

/** What tells a record from another of the same name, for a person: how many, and when (UTC). */
export function detailsOf(record: IDataObject): string[] {
	const counts = COUNTS.flatMap(([names, one]) => {
		const count = identityOf(record, names);
		return count === undefined ? [] : [counted(count, one)];
	});
	const day = /^\d{4}-\d{2}-\d{2}/.exec(identityOf(record, DAYS) ?? '')?.[0];
	return day === undefined ? counts : [...counts, day];
}

/** The fewest last characters of an ID that are shown. */
const SHORTEST_END = 4;

/** The end of each ID, long enough to be different from the others. */
function endsOf(ids: string[]): string[] {
	const longest = Math.max(...ids.map((id) => id.length));
	for (let length = SHORTEST_END; length < longest; length++) {
		const ends = ids.map((id) => id.slice(-length));
		if (new Set(ends).size === new Set(ids).size) return ends;
	}
	return ids;
}

/**
 * Adds to the names of entries that have one name what tells them apart: "Twin Peaks (12 users, 2026-01-05, …3f2a)".
 * `plainName` removes it again.
 */
export function toldApart(entries: Entry[]): Entry[] {
	const alike = new Map<string, Entry[]>();
	for (const entry of entries) {
		if (!entry.id || entry.name === undefined) continue;
		const key = fold(entry.name.trim());
		alike.set(key, [...(alike.get(key) ?? []), entry]);
	}
	const names = new Map<Entry, string>();
	for (const group of alike.values()) {
		if (group.length === 1) continue;
		const ends = endsOf(group.map(({ id = '' }) => id));
		for (const [index, entry] of group.entries())
			names.set(entry, `${entry.name} (${[...(entry.details ?? []), `…${ends[index]}`].join(', ')})`);
	}
	return entries.map((entry) => {
		const name = names.get(entry);
		return name === undefined ? entry : { ...entry, name };
	});
}

/** The name of an entry as the service has it, without what tells it apart. @param shown as n8n has saved it */
export function plainName(shown: string, id: string): string {
	const [all = '', end = ''] = / \([^()]*…([^()\s]+)\)$/.exec(shown) ?? [];
	return end !== '' && id.endsWith(end) ? shown.slice(0, -all.length) : shown;
}

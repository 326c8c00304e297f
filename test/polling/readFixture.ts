/** What the tests of the reading share: lists of records, and a service that has them. */
import type { IDataObject } from 'n8n-workflow';
import type { PageRequest } from '../../nodes/shared/answer/paging';
import { readWindow, type Reading, type Want } from '../../nodes/shared/polling/reading';
import { ServiceError } from '../../nodes/shared/transport/errors';
import { HOUR, START } from './pollingFixture';

export const refusal = (status: number) =>
	new ServiceError({
		...{ reason: 'Refused', advice: '', cause: 'refused', mayHaveBeenApplied: false, transient: status >= 500 },
		...{ status, isInputRefused: status === 400 },
	});

/** A record, `hours` old; without a create time unless given. */
export const row = (id: string, hours?: number, more: IDataObject = {}): IDataObject => ({
	...{ id, status: 'Running' },
	...(hours === undefined ? {} : { createTime: new Date(START - hours * HOUR).toISOString() }),
	...more,
});
/** So many records, one for each hour, the newest first. @param from how old the newest is, in hours */
export const rows = (count: number, from = 0, name = 'r') =>
	Array.from({ length: count }, (_, index) => row(`${name}${from + index}`, from + index));
export const timeless = (count: number, name = 't') =>
	Array.from({ length: count }, (_, index) => row(`${name}${index}`));

/** How a list is read; as usual, unless given. */
export interface How extends Partial<Omit<Want, 'pages'>> {
	/** Those that the last poll knew. */
	known?: string[];
	/** How old a record may be to be of interest, in hours. */
	hours?: number;
	/** The most rows of a page. */
	cap?: number;
	/** What the service says of its counts. */
	counts?: object;
	isReordered?: boolean;
	/** Happens before a request is answered; counted from 1. */
	before?: (request: number, page: PageRequest, list: IDataObject[]) => void;
}

/** Reads a list. @returns what was asked for, as "page/size", beside what it brought */
export async function reading(list: IDataObject[], how: How = {}): Promise<Reading & { asked: string[]; ids: string }> {
	const { known = [], hours = 24, cap = Infinity, counts, isReordered = false, before, ...more } = how;
	const asked: string[] = [];
	const rowsNow = [...list];
	const want: Want = {
		pages: {
			told: { isReordered },
			ask: async (page) => {
				asked.push(`${page.pageNumber}/${page.pageSize}`);
				before?.(asked.length, page, rowsNow);
				const size = Math.min(cap, page.pageSize);
				const results = rowsNow.slice((page.pageNumber - 1) * size, page.pageNumber * size);
				const right = { totalNumberOfPages: Math.ceil(rowsNow.length / size), totalNumberOfRecords: rowsNow.length };
				return await Promise.resolve({ results, ...right, ...counts });
			},
		},
		idOf: ({ id }) => (typeof id === 'string' ? id : undefined),
		floor: () => START - hours * HOUR,
		now: () => Date.now(),
		isKnown: (id) => known.includes(id),
		...{ depth: 'whole', expected: 0, isWhole: false, isOver: () => false },
		...more,
	};
	const read = await readWindow(want);
	return { ...read, asked, ids: read.seen.map(({ id }) => id).join(' ') };
}
/** A place to go on from. @param begunAt its own, unless given @param rows the most that a page had */
export const placeAt = (page: number, size: number, begunAt = START - HOUR, rows = size) => ({
	...{ page, size, rows, begunAt },
});
export const names = (list: IDataObject[]) => list.map(({ id }) => String(id));
export const idsOf = (list: IDataObject[]) => names(list).join(' ');

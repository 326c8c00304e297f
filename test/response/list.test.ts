import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { buildMissingRecordsHint } from '../../nodes/core/pagination/listResult';
import { readCompleteList } from '../../nodes/core/pagination/readCompleteList';
import { readList, type ReadListOptions } from '../../nodes/core/pagination/readList';

const identity = ({ id }: IDataObject) => (typeof id === 'number' ? String(id) : undefined);
const people = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

const pageShape = z.object({ pageNumber: z.number(), pageSize: z.number() });

type PageAnswer = (page: z.infer<typeof pageShape>) => unknown;

const request = { endpoint: 'POST /api/scim/search', purpose: 'read' } as const;

/** Creates a service whose pages are those of `pageOf`. */
function createService(pageOf: PageAnswer) {
	const requestJson = async ({ body }: { body?: IDataObject }) =>
		Promise.resolve({ data: pageOf(pageShape.parse(body)), messages: [], isFailure: false });
	return { requestJson, settings: { concurrency: 2, timeoutMs: 1000 } };
}

/** Reads a list from a service whose pages are those of `pageOf`. */
async function readPages(pageOf: PageAnswer, want: Partial<ReadListOptions> = {}) {
	return await readList(createService(pageOf), request, { pageSize: 10, identity, ...want });
}

/** A list in pages, and the pages that were asked for. */
function listOf(rows: object[], { counts = true, most = Infinity, total = rows.length } = {}) {
	const asked: number[] = [];
	const read = async (want: Partial<ReadListOptions> = {}) =>
		readPages(({ pageNumber, pageSize }) => {
			asked.push(pageNumber);
			const size = Math.min(pageSize, most);
			const results = rows.slice((pageNumber - 1) * size, pageNumber * size);
			const counted = { totalNumberOfPages: Math.ceil(total / size), totalNumberOfRecords: total };
			return { results, ...(counts ? counted : {}) };
		}, want);
	return { asked, read };
}

describe('a list', () => {
	test.each([
		['of no record', 0, {}, 1],
		['of one page', 10, {}, 1],
		['of several pages', 35, {}, 4],
		['with smaller pages than asked for', 35, { most: 7 }, 5],
		['without counts, until an empty page', 30, { counts: false }, 4],
	])('%s is read whole', async (_what, count, options, pages) => {
		const { asked, read } = listOf(people(count), options);
		const isWhole = { missingCount: 0, isStable: true, isTruncated: false };
		const isSound = { recordsWithoutId: 0, hasNullPage: false, hasWrongCount: false };
		expect(await read()).toEqual({ records: people(count), ...isWhole, ...isSound });
		expect(asked).toHaveLength(pages);
	});

	test('of records without an ID is read whole, and the same page without counts is not read for ever', async () => {
		const nameless = people(25).map(({ id }) => ({ name: `n${id}` }));
		expect((await listOf(nameless).read()).records).toEqual(nameless);
		expect((await readPages(() => ({ results: nameless }))).records).toEqual(nameless);
		expect((await readPages(() => nameless)).records).toEqual(nameless);
	});

	test('is read up to the limit, and says whether there was more', async () => {
		const { asked, read } = listOf(people(35));
		expect(await read({ limit: 15 })).toMatchObject({ records: people(15), isTruncated: true, missingCount: 0 });
		expect(asked).toEqual([1, 2]);
		expect(await read({ limit: 35 })).toMatchObject({ records: people(35), isTruncated: false });
	});

	test('is read up to the limit of records that are wanted', async () => {
		const { read } = listOf(people(35));
		const isWanted = ({ id }: IDataObject) => Number(id) % 10 === 3;
		expect((await read({ limit: 2, shouldKeep: isWanted })).records).toEqual([{ id: 3 }, { id: 13 }]);
		expect(await read({ shouldKeep: isWanted })).toMatchObject({ records: [3, 13, 23, 33].map((id) => ({ id })), missingCount: 0 });
	});

	test('is left at a record that is past', async () => {
		const { asked, read } = listOf(people(90));
		const isPast = ({ id }: IDataObject) => Number(id) >= 12;
		expect(await read({ isPastEnd: isPast })).toMatchObject({ records: people(12), missingCount: 0, isTruncated: false });
		expect(asked.length).toBeLessThan(9);
	});

	test('that changes while it is read has each ID once, and says so', async () => {
		const { read } = listOf([...people(10), { id: 9 }, { id: 10 }]);
		expect(await read()).toMatchObject({ records: people(11), isStable: false });
	});

	test('that lacks records that are counted says how many', async () => {
		const read = await listOf(people(15), { total: 18 }).read();
		expect(read).toMatchObject({ missingCount: 3 });
		expect(buildMissingRecordsHint(read, 'The list of companies')).toEqual([
			expect.stringMatching(/^The list of companies is not complete: /),
			'3 records',
		]);
		expect(buildMissingRecordsHint({ missingCount: 0 })).toBeUndefined();
	});
});

describe('a list that must be complete', () => {
	const readComplete = async (pageOf: PageAnswer) =>
		readCompleteList(createService(pageOf), request, { pageSize: 10, identity }, 'the list of people').catch(
			(error: unknown) => error,
		);
	const splitIntoPages = (rows: object[], total = rows.length) => ({
		results: rows,
		totalNumberOfRecords: total,
		totalNumberOfPages: Math.ceil(total / 10),
	});
	const rowsOf = (rows: object[], { pageNumber }: { pageNumber: number }) =>
		rows.slice((pageNumber - 1) * 10, pageNumber * 10);

	test.each<[string, PageAnswer, string]>([
		['null', () => null, 'the platform answered without a list'],
		['null as its results', () => ({ results: null }), 'the platform answered without a list'],
		['a count without records', () => splitIntoPages([], 500), 'the platform counts 500 records that it does not show'],
		['more records than counted', () => splitIntoPages(people(3), 2), "the platform's own count does not match"],
		['pages without records', () => ({ results: [], totalNumberOfPages: 5 }), "the platform's own count"],
		['a record without an ID', () => splitIntoPages([{ id: 1 }, { name: 'Ann' }]), '1 record came without an ID'],
		[
			'records that move from page to page each time',
			(page) => splitIntoPages(rowsOf([...people(10), { id: 9 }, ...people(20).slice(11)], page), 19),
			'it changed while it was read',
		],
	])('is an error where the answer is %s', async (_what, pageOf, reason) => {
		expect(await readComplete(pageOf)).toMatchObject({
			message: expect.stringContaining(`the list of people could not be read completely: ${reason}`),
			details: { advice: expect.stringMatching(/^Nothing was changed.+role may see only a part of the list/) },
		});
	});

	test('is read once more if it changed while it was read', async () => {
		let reads = 0;
		const answered = await readComplete((page) => {
			if (page.pageNumber === 1) reads++;
			// During the first reading, a person is deleted between the first page and the second.
			const rows = reads === 1 && page.pageNumber === 2 ? people(15).slice(1) : people(15);
			return splitIntoPages(rowsOf(rows, page), rows.length);
		});
		expect([reads, answered]).toEqual([2, people(15)]);
	});

	test.each([
		['no record', splitIntoPages([])],
		['no record on the one page that is counted', { results: [], totalNumberOfPages: 1 }],
		['a plain list', people(3)],
		['a page without counts', { results: people(3) }],
	])('is read where it has %s', async (_what, answer) => {
		const rows = Array.isArray(answer) ? answer : answer.results;
		expect(await readComplete(({ pageNumber }) => (pageNumber === 1 ? answer : { results: [] }))).toEqual(rows);
	});
});

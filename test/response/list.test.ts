import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { buildMissingRecordsHint, describeGap } from '../../nodes/core/pagination/listResult';
import { readCompleteList } from '../../nodes/core/pagination/readCompleteList';
import { readList, type ReadListOptions } from '../../nodes/core/pagination/readList';

const readNumericId = ({ id }: IDataObject) => (typeof id === 'number' ? String(id) : undefined);
const createPeople = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

const pageShape = z.object({ pageNumber: z.number(), pageSize: z.number() });

/** Returns the response data for a request for one page. */
type GetPage = (page: z.infer<typeof pageShape>) => unknown;

const request = { endpoint: 'POST /api/scim/search', purpose: 'read' } as const;

/** Creates a client that responds to each request with the data from `getPage`. */
function createFakeClient(getPage: GetPage) {
	const requestJson = async ({ body }: { body?: IDataObject }) =>
		Promise.resolve({ data: getPage(pageShape.parse(body)), messages: [], isFailure: false });
	return { requestJson, settings: { concurrency: 2, timeoutMs: 1000 } };
}

/** Reads a list from a client that responds with the data from `getPage`. */
async function readPages(getPage: GetPage, readOptions: Partial<ReadListOptions> = {}) {
	return await readList(createFakeClient(getPage), request, { pageSize: 10, identity: readNumericId, ...readOptions });
}

/**
 * Creates a list that is read page by page.
 * @returns `requestedPages`, the numbers of the pages that were requested so far, and a function that reads the list
 */
function createPagedList(
	records: object[],
	{ hasCounts = true, maxPageSize = Infinity, total: totalCount = records.length } = {},
) {
	const requestedPages: number[] = [];
	const getPage: GetPage = ({ pageNumber, pageSize }) => {
		requestedPages.push(pageNumber);
		const actualPageSize = Math.min(pageSize, maxPageSize);
		const results = records.slice((pageNumber - 1) * actualPageSize, pageNumber * actualPageSize);
		if (!hasCounts) return { results };
		return { results, totalNumberOfPages: Math.ceil(totalCount / actualPageSize), totalNumberOfRecords: totalCount };
	};
	return {
		requestedPages,
		readRecords: (readOptions: Partial<ReadListOptions> = {}) => readPages(getPage, readOptions),
	};
}

describe('a list', () => {
	test.each([
		['of no record', 0, {}, 1],
		['of one page', 10, {}, 1],
		['of several pages', 35, {}, 4],
		['with smaller pages than requested', 35, { maxPageSize: 7 }, 5],
		['without counts, until an empty page', 30, { hasCounts: false }, 4],
	])('%s is read completely', async (_name, count, options, expectedPageCount) => {
		const { requestedPages, readRecords } = createPagedList(createPeople(count), options);
		const completeness = { missingCount: 0, isStable: true, isTruncated: false };
		const findings = { countWithoutId: 0, hasNullPage: false, hasWrongCount: false };
		expect(await readRecords()).toEqual({ records: createPeople(count), ...completeness, ...findings });
		expect(requestedPages).toHaveLength(expectedPageCount);
	});

	test('is read to the end if the platform counts more records than its pages have', async () => {
		const getPage: GetPage = ({ pageNumber }) => ({
			results: createPeople(4).slice((pageNumber - 1) * 2, pageNumber * 2),
			totalNumberOfPages: 1,
			totalNumberOfRecords: 4,
		});
		expect((await readPages(getPage)).records).toEqual(createPeople(4));
	});

	test('of records without an ID is read completely, and a page that repeats is not read forever', async () => {
		const recordsWithoutId = createPeople(25).map(({ id }) => ({ name: `n${id}` }));
		expect((await createPagedList(recordsWithoutId).readRecords()).records).toEqual(recordsWithoutId);
		expect((await readPages(() => ({ results: recordsWithoutId }))).records).toEqual(recordsWithoutId);
		expect((await readPages(() => recordsWithoutId)).records).toEqual(recordsWithoutId);
	});

	test.each([
		['as long as a page is read on, because it may be the first page', 10, [1, 2, 3]],
		['shorter than a page is complete', 30, [1]],
		['longer than a page is complete, because it has no pages', 5, [1]],
	])('without counts and page fields %s', async (_name, pageSize, expectedPages) => {
		const people = createPeople(20);
		const requestedPages: number[] = [];
		const { records } = await readPages(
			({ pageNumber }) => {
				requestedPages.push(pageNumber);
				return pageSize === 10 ? people.slice((pageNumber - 1) * 10, pageNumber * 10) : people;
			},
			{ pageSize },
		);
		expect([records, requestedPages]).toEqual([people, expectedPages]);
	});

	test('is read up to the limit, and shows whether there was more', async () => {
		const { requestedPages, readRecords } = createPagedList(createPeople(35));
		expect(await readRecords({ limit: 15 })).toMatchObject({
			records: createPeople(15),
			isTruncated: true,
			missingCount: 0,
		});
		expect(requestedPages).toEqual([1, 2]);
		expect(await readRecords({ limit: 35 })).toMatchObject({ records: createPeople(35), isTruncated: false });
	});

	test('is read up to the limit of the records to keep', async () => {
		const { readRecords } = createPagedList(createPeople(35));
		const shouldKeep = ({ id }: IDataObject) => Number(id) % 10 === 3;
		expect((await readRecords({ limit: 2, shouldKeep })).records).toEqual([{ id: 3 }, { id: 13 }]);
		expect(await readRecords({ shouldKeep })).toMatchObject({
			records: [3, 13, 23, 33].map((id) => ({ id })),
			missingCount: 0,
		});
	});

	test('is read up to a record that is past the end', async () => {
		const { requestedPages, readRecords } = createPagedList(createPeople(90));
		const isPastEnd = ({ id }: IDataObject) => Number(id) >= 12;
		expect(await readRecords({ isPastEnd })).toMatchObject({
			records: createPeople(12),
			missingCount: 0,
			isTruncated: false,
		});
		expect(requestedPages.length).toBeLessThan(9);
	});

	test('that changes while it is read has each ID once, and is not stable', async () => {
		const { readRecords } = createPagedList([...createPeople(10), { id: 9 }, { id: 10 }]);
		expect(await readRecords()).toMatchObject({ records: createPeople(11), isStable: false });
	});

	test('with a higher count than records shows how many are missing', async () => {
		const list = await createPagedList(createPeople(15), { total: 18 }).readRecords();
		expect(list).toMatchObject({ missingCount: 3 });
		expect(buildMissingRecordsHint(list, 'The list of companies')).toEqual([
			expect.stringMatching(/^The list of companies is incomplete, because /),
			'3 missing records',
		]);
		expect(buildMissingRecordsHint({ missingCount: 0 })).toBeUndefined();
	});
});

describe('the requests for a list', () => {
	const readWithSizes = async (readOptions: Partial<ReadListOptions>) => {
		const pageSizes = new Set<number>();
		const list = await readPages(({ pageNumber, pageSize }) => {
			pageSizes.add(pageSize);
			const results = createPeople(35).slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
			return { results, totalNumberOfRecords: 35 };
		}, readOptions);
		return { pageSizes: [...pageSizes], ids: list.records.map(({ id }) => id), isTruncated: list.isTruncated };
	};

	test('ask for no more records than the limit, unless some of them may be left out', async () => {
		expect(await readWithSizes({ limit: 3 })).toEqual({ pageSizes: [3], ids: [0, 1, 2], isTruncated: true });
		expect(await readWithSizes({ limit: 10 })).toMatchObject({ pageSizes: [10], isTruncated: true });
		const shouldKeep = ({ id }: IDataObject) => Number(id) > 10;
		expect(await readWithSizes({ limit: 2, shouldKeep })).toMatchObject({ pageSizes: [10], ids: [11, 12] });
	});

	test.each([
		[1, 1],
		[undefined, 3],
	])('with %p pages at once: at most %i are in progress', async (maxPagesInFlight, expected) => {
		let inFlightCount = 0;
		let maxCount = 0;
		const client = createFakeClient(() => createPeople(0));
		const requestJson = async (pageRequest: { body?: IDataObject }) => {
			inFlightCount++;
			maxCount = Math.max(maxCount, inFlightCount);
			await Promise.resolve();
			inFlightCount--;
			const pageNumber = Number(pageRequest.body?.pageNumber);
			const results = createPeople(4).slice(pageNumber - 1, pageNumber);
			return { data: { results, totalNumberOfRecords: 4 }, messages: [], isFailure: false };
		};
		const limits = maxPagesInFlight === undefined ? {} : { maxPagesInFlight };
		await readList({ ...client, requestJson }, request, { pageSize: 1, identity: readNumericId, ...limits });
		expect(maxCount).toBe(expected);
	});

	test('are followed by those that complete a page', async () => {
		const completePage: ReadListOptions['completePage'] = (page) =>
			Promise.resolve({ ...page, records: page.records.map((record) => ({ ...record, isComplete: true })) });
		const { records } = await readPages(() => createPeople(1), { completePage });
		expect(records).toEqual([{ id: 0, isComplete: true }]);
	});
});

describe('the counts of a list', () => {
	test('of another source show missing records, too', async () => {
		expect(await createPagedList(createPeople(15)).readRecords({ expectedCount: 20 })).toMatchObject({
			missingCount: 5,
		});
	});

	test.each<[string, GetPage, object]>([
		[
			'a last page that only repeats records is no change',
			() => ({ results: createPeople(10), totalNumberOfPages: 2, totalNumberOfRecords: 10 }),
			{ isStable: true, hasWrongCount: false },
		],
		[
			'pages without records are a wrong count',
			() => ({ results: [], totalNumberOfPages: 5, totalNumberOfRecords: 0 }),
			{ hasWrongCount: true },
		],
		[
			'as many pages as counted are a right count',
			({ pageNumber }) => ({ results: [{ id: pageNumber }], totalNumberOfPages: 2 }),
			{ hasWrongCount: false, records: [{ id: 1 }, { id: 2 }] },
		],
		[
			'counted pages are read even if they are equal, because their records have no ID',
			() => ({ results: [{ name: 'Ann' }], totalNumberOfPages: 3 }),
			{ countWithoutId: 3 },
		],
	])('%s', async (_name, getPage, expected) => {
		expect(await readPages(getPage)).toMatchObject(expected);
	});

	test('a list that was only read in part says so', async () => {
		const list = await createPagedList(createPeople(35)).readRecords({ limit: 10 });
		expect(describeGap(list)).toBe('the node read only a part of the list');
	});
});

describe('a list that must be complete', () => {
	const tryReadCompleteList = (getPage: GetPage) =>
		readCompleteList(
			createFakeClient(getPage),
			request,
			{ pageSize: 10, identity: readNumericId },
			'the list of people',
		).catch((error: unknown) => error);
	const createPage = (records: object[], totalCount = records.length) => ({
		results: records,
		totalNumberOfRecords: totalCount,
		totalNumberOfPages: Math.ceil(totalCount / 10),
	});
	const getPageRecords = (records: object[], { pageNumber }: { pageNumber: number }) =>
		records.slice((pageNumber - 1) * 10, pageNumber * 10);

	test.each<[string, GetPage, string]>([
		['null', () => null, 'the platform sent no list'],
		['null as its results', () => ({ results: null }), 'the platform sent no list'],
		['a count without records', () => createPage([], 500), 'the platform counts 500 records that it does not list'],
		['more records than counted', () => createPage(createPeople(3), 2), "the platform's count differs"],
		['pages without records', () => ({ results: [], totalNumberOfPages: 5 }), "the platform's count"],
		[
			'a record without an ID',
			() => createPage([{ id: 1 }, { name: 'Ann' }]),
			'the platform sent 1 record without an ID',
		],
		[
			'records that move from page to page each time',
			(page) => createPage(getPageRecords([...createPeople(10), { id: 9 }, ...createPeople(20).slice(11)], page), 19),
			'the list changed while the node read it',
		],
	])('is an error if the response is %s', async (_name, getPage, reason) => {
		expect(await tryReadCompleteList(getPage)).toMatchObject({
			message: expect.stringContaining(`the list of people is incomplete: ${reason}`),
			details: { advice: expect.stringMatching(/^Nothing was changed.+role may see only a part of the list/) },
		});
	});

	test('is read once more if it changed while it was read', async () => {
		let readCount = 0;
		const records = await tryReadCompleteList((page) => {
			if (page.pageNumber === 1) readCount++;
			// During the first reading, a person is deleted between the first and the second page.
			const people = readCount === 1 && page.pageNumber === 2 ? createPeople(15).slice(1) : createPeople(15);
			return createPage(getPageRecords(people, page), people.length);
		});
		expect([readCount, records]).toEqual([2, createPeople(15)]);
	});

	test.each([
		['no record', createPage([])],
		['no record on a single page', { results: [], totalNumberOfPages: 1 }],
		['a plain list', createPeople(3)],
		['a page without counts', { results: createPeople(3) }],
	])('is read if it has %s', async (_name, page) => {
		const records = Array.isArray(page) ? page : page.results;
		expect(await tryReadCompleteList(({ pageNumber }) => (pageNumber === 1 ? page : { results: [] }))).toEqual(records);
	});
});

/** Lists with pages that come twice, come empty, or change meanwhile: what is given, and what it costs. */
import { readList, type PageRequest } from '../../nodes/shared/answer/paging';
import { FakeList, type Change } from './fakeList';
import { read } from './lyingList';

const WANT = { limit: Infinity, pageSize: 2, ahead: 1 };
const SHAPE = { identity: ['id'] };
const rows = (...ids: number[]) => ids.map((id) => ({ id }));

/** A service with these pages, which counts two records on each. */
const pagesOf =
	(pages: Array<Array<{ id: number }>>) =>
	async ({ pageNumber }: PageRequest) => ({
		results: pages[pageNumber - 1] ?? [],
		totalNumberOfPages: pages.length,
		totalNumberOfRecords: pages.length * 2,
	});

test('a page that is the same as the one before does not end the list', async () => {
	const { records } = await readList(pagesOf([rows(1, 2), rows(1, 2), rows(5, 6)]), WANT, SHAPE);
	expect(records).toEqual(rows(1, 2, 5, 6));
});

test('nor do empty pages, one after the other', async () => {
	const { records, missing } = await readList(pagesOf([rows(1, 2), [], [], rows(7, 8)]), WANT, SHAPE);
	expect([records, missing]).toEqual([rows(1, 2, 7, 8), 4]);
});

describe('a list that changes once', () => {
	const changed = async (kind: Change['kind']) => {
		const list = new FakeList({
			...{ records: 6, largest: 10, says: 'pages and total', endless: false, identified: true },
			changes: [{ before: 1, kind, at: 0 }],
		});
		const found = await readList(async (page) => list.answer(page), WANT, SHAPE);
		return { ids: found.records.map(({ id }) => id), steady: found.steady, requests: list.asked.length };
	};

	test('is read twice, and no page behind the last one is asked for', async () => {
		expect(await changed('insert')).toEqual({ ids: [6, 0, 1, 2, 3, 4, 5], steady: true, requests: 8 });
	});

	test('does not have a record that was deleted meanwhile', async () => {
		expect(await changed('remove')).toEqual({ ids: [1, 2, 3, 4, 5], steady: true, requests: 6 });
	});
});

test('a count that is too high makes no page smaller: an empty page behind the last one left nothing out', async () => {
	const { list } = await read({ total: 'too many' });
	expect(new Set(list.asked.map(({ pageSize }) => pageSize))).toEqual(new Set([100]));
});

import type { IDataObject } from 'n8n-workflow';
import { missingHint, readPages, type Ask, type PagesWanted } from '../../nodes/shared/answer/paging';

const ALL = { limit: Infinity, pageSize: 10, ahead: 3 };
const identity = ({ id }: IDataObject) => (typeof id === 'number' ? String(id) : undefined);
const people = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

/** A list in pages, and the pages that were asked for. */
function listOf(rows: object[], { counts = true, most = Infinity, total = rows.length } = {}) {
	const asked: number[] = [];
	const ask: Ask = async ({ pageNumber, pageSize }) => {
		asked.push(pageNumber);
		const size = Math.min(pageSize, most);
		const results = rows.slice((pageNumber - 1) * size, pageNumber * size);
		const counted = { totalNumberOfPages: Math.ceil(total / size), totalNumberOfRecords: total };
		return await Promise.resolve({ results, ...(counts ? counted : {}) });
	};
	const read = async (want: Partial<PagesWanted> = {}) => await readPages(ask, { ...ALL, identity, ...want });
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
		expect(await read()).toEqual({ records: people(count), missing: 0, unchanged: true, isCut: false });
		expect(asked).toHaveLength(pages);
	});

	test('of records without an ID is read whole, and the same page without counts is not read for ever', async () => {
		const nameless = people(25).map(({ id }) => ({ name: `n${id}` }));
		expect((await listOf(nameless).read()).records).toEqual(nameless);
		const ask: Ask = async () => await Promise.resolve({ results: nameless });
		expect((await readPages(ask, { ...ALL, identity })).records).toEqual(nameless);
		expect((await readPages(async () => await Promise.resolve(nameless), { ...ALL, identity })).records).toEqual(
			nameless,
		);
	});

	test('is read up to the limit, and says whether there was more', async () => {
		const { asked, read } = listOf(people(35));
		expect(await read({ limit: 15 })).toMatchObject({ records: people(15), isCut: true, missing: 0 });
		expect(asked).toEqual([1, 2]);
		expect(await read({ limit: 35 })).toMatchObject({ records: people(35), isCut: false });
	});

	test('is read up to the limit of records that are wanted', async () => {
		const { read } = listOf(people(35));
		const filter = ({ id }: IDataObject) => Number(id) % 10 === 3;
		expect((await read({ limit: 2, filter })).records).toEqual([{ id: 3 }, { id: 13 }]);
		expect(await read({ filter })).toMatchObject({ records: [3, 13, 23, 33].map((id) => ({ id })), missing: 0 });
	});

	test('is left at a record that is past', async () => {
		const { asked, read } = listOf(people(90));
		const isPast = ({ id }: IDataObject) => Number(id) >= 12;
		expect(await read({ isPast })).toMatchObject({ records: people(12), missing: 0, isCut: false });
		expect(asked.length).toBeLessThan(9);
	});

	test('that changes while it is read has each ID once, and says so', async () => {
		const { read } = listOf([...people(10), { id: 9 }, { id: 10 }]);
		expect(await read()).toMatchObject({ records: people(11), unchanged: false });
	});

	test('that lacks records that are counted says how many', async () => {
		const read = await listOf(people(15), { total: 18 }).read();
		expect(read).toMatchObject({ missing: 3 });
		expect(missingHint(read, 'The list of companies')).toEqual([
			expect.stringMatching(/^The list of companies is not complete: /),
			'3 records',
		]);
		expect(missingHint({ missing: 0 })).toBeUndefined();
	});
});

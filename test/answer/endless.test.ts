/**
 * A list that never ends is not read further, and the error says what to do; a long list that ends is read completely.
 */
import type { IDataObject } from 'n8n-workflow';
import { readList, remarkOn } from '../../nodes/shared/answer/paging';

/** Ten new records on each page, and always one page more. */
const endless = async ({ pageNumber }: { pageNumber: number }) => ({
	results: Array.from({ length: 10 }, (_, index) => ({ id: pageNumber * 10 + index })),
	totalNumberOfPages: pageNumber + 1,
});
const want = { limit: Infinity, pageSize: 10, ahead: 1, most: 1200 };
const shape = { identity: ['id'] };

test('more records than there can be', async () => {
	await expect(readList(endless, want, shape)).rejects.toMatchObject({
		details: {
			reason: 'the list has more than 1,200 records, or no end',
			advice: expect.stringMatching(
				/^Narrow it with 'Filters', or switch off 'Return All' and set a 'Limit'\. .*platform/,
			),
			...{ cause: 'refused', transient: false, mayHaveBeenApplied: false },
		},
	});
});

test('a limit is reached all the same, unless most records are not wanted', async () => {
	const { records } = await readList(endless, { ...want, limit: 2000 }, shape);
	expect(records).toHaveLength(2000);
	const keep = ({ id }: IDataObject) => Number(id) < 20;
	await expect(readList(endless, { ...want, limit: 2000 }, { ...shape, keep })).rejects.toThrow('no end');
});

test('as many parents and children on the first page as there are parents on both pages: all are read', async () => {
	const capped = async ({ pageNumber }: { pageNumber: number }) => ({
		results: [{ id: 2 * pageNumber }, { id: 2 * pageNumber + 1 }],
		...{ totalNumberOfPages: 1, totalNumberOfRecords: 4 },
	});
	const ended = async (page: { pageNumber: number }) => (page.pageNumber > 2 ? { results: [] } : await capped(page));
	const expand = (parent: IDataObject) => [parent, { id: `child of ${String(parent.id)}` }];
	const { records } = await readList(ended, want, { ...shape, expand });
	expect(records).toHaveLength(8);
});

test('what a person is told of a list that was read', () => {
	const read = { records: [], steady: true, missing: 0, total: 5 };
	expect(remarkOn(read)).toBeUndefined();
	expect(remarkOn({ ...read, steady: false })).toMatch(
		/^The list changed again and again while it was read, .* to get the current list\.$/,
	);
	expect(remarkOn({ ...read, missing: 2 }, 'The list of companies')).toMatch(
		/^The list of companies is not complete: the service counts 5 records, but 2 of them are on none of its pages\. /,
	);
	expect(remarkOn({ ...read, steady: false, missing: 2 })).toMatch(/the current list\. The list is not complete: /);
});

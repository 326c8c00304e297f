/** A list behind a search, in memory, that changes between two answers; and a generator of such lists. */
import fc from 'fast-check';
import type { PageRequest } from '../../nodes/shared/answer/paging';

/** One record appears, or vanishes, before the service answers its n-th request. */
export interface Change {
	before: number;
	kind: 'insert' | 'remove';
	/** Where in the list, from 0 (its head) to 1 (its end). */
	at: number;
}

export interface Service {
	records: number;
	/** The largest page it returns, whatever size is requested. */
	largest: number;
	says: 'pages and total' | 'pages' | 'nothing';
	changes: Change[];
	/** Whether it reports a million pages and starts again with the first page after the last one. */
	endless: boolean;
	/** Whether its records have an ID. */
	identified: boolean;
}

/** A list behind a search, in memory. */
export class FakeList {
	asked: PageRequest[] = [];
	readonly everThere: Set<number>;
	private made: number;
	private readonly rows: number[];

	constructor(private readonly service: Service) {
		this.made = service.records;
		this.rows = Array.from({ length: service.records }, (_, id) => id);
		this.everThere = new Set(this.rows);
	}

	/** The records that were in the list all the time, in order. */
	get stayed(): number[] {
		return this.rows.filter((id) => id < this.service.records);
	}

	answer(page: PageRequest): unknown {
		for (const { before, kind, at } of this.service.changes) {
			if (before !== this.asked.length) continue;
			const where = Math.floor(at * this.rows.length);
			if (kind === 'insert') this.rows.splice(where, 0, this.made++);
			else this.rows.splice(Math.min(where, this.rows.length - 1), 1);
			for (const id of this.rows) this.everThere.add(id);
		}
		this.asked.push(page);
		const { largest, endless, identified, says } = this.service;
		const size = Math.min(page.pageSize, largest);
		const pages = Math.ceil(this.rows.length / size);
		const number = endless && pages > 0 ? ((page.pageNumber - 1) % pages) + 1 : page.pageNumber;
		const results = this.rows
			.slice((number - 1) * size, number * size)
			.map((id) => (identified ? { id } : { text: `row ${id}` }));
		return {
			results,
			...(says === 'nothing' ? {} : { totalNumberOfPages: endless ? 1_000_000 : pages }),
			...(says === 'pages and total' ? { totalNumberOfRecords: endless ? 1_000_000 * size : this.rows.length } : {}),
		};
	}
}

export const service = (
	more: Partial<{ [K in keyof Service]: fc.Arbitrary<Service[K]> }> = {},
): fc.Arbitrary<Service> =>
	fc.record({
		records: fc.nat(60),
		largest: fc.integer({ min: 1, max: 70 }),
		says: fc.constantFrom<Service['says'][]>('pages and total', 'pages', 'nothing'),
		changes: fc.constant<Change[]>([]),
		endless: fc.constant(false),
		identified: fc.constant(true),
		...more,
	});

export const wish = fc.record({
	limit: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 70 })),
	pageSize: fc.integer({ min: 1, max: 30 }),
	ahead: fc.integer({ min: 1, max: 12 }),
});
const change = fc.record<Change>({
	before: fc.integer({ min: 1, max: 12 }),
	kind: fc.constantFrom('insert', 'remove'),
	at: fc.double({ min: 0, max: 1, noNaN: true }),
});
/** Two changes between two answers can cancel each other out in the counts; then nobody could notice them. */
export const changes = (most: number) => fc.uniqueArray(change, { selector: ({ before }) => before, maxLength: most });
/** A new record at the head before each answer, to the last of so many: how a list looks that never stands still. */
const newAtEach = fc
	.integer({ min: 20, max: 300 })
	.map((count) => Array.from({ length: count }, (_, index): Change => ({ before: index + 1, kind: 'insert', at: 0 })));
/** Few changes, as of `changes`, or one before each answer. */
export const fewOrMany = (few: number) =>
	fc.oneof({ weight: 2, arbitrary: changes(few) }, { weight: 1, arbitrary: newAtEach });

/** A list of a service that counts its records wrongly, or whose pages are limited, incomplete or empty. */
import { readList, type PageRequest } from '../../nodes/shared/answer/paging';
import { ServiceError } from '../../nodes/shared/transport/errors';

/** How a service counts what it has. */
export type Total =
	| 'right'
	| 'with hidden'
	| 'too many'
	| 'too few'
	| 'zero'
	| 'missing'
	| 'null'
	| 'on page 1 only'
	| 'null after page 1';
export type Pages = 'right' | 'by the size asked' | 'too many' | 'one' | 'zero' | 'missing';

export interface Lying {
	records: number;
	/** Every n-th record is invisible, but the pages are divided as if it were visible; 0 for none. */
	hides: number;
	/** The largest page that it gives. */
	largest: number;
	/** Whether the records beyond that limit are missing, instead of being on the next page. */
	leavesOut: boolean;
	total: Total;
	pages: Pages;
	/** A page that is always empty. */
	hole: number | undefined;
	/** Records that are added to, or removed from, the beginning of the list before a request. */
	changes: Array<{ before: number; kind: 'insert' | 'remove' }>;
	/** Refuses a page behind the last one. */
	refusesBehind: boolean;
	/** Answers with a plain list. */
	bare: boolean;
}

export const HONEST: Lying = {
	records: 400,
	hides: 0,
	largest: Infinity,
	leavesOut: false,
	total: 'right',
	pages: 'right',
	hole: undefined,
	changes: [],
	refusesBehind: false,
	bare: false,
};

export class LyingList {
	asked: PageRequest[] = [];
	readonly everThere: Set<number>;
	private rows: number[];
	private made: number;

	constructor(readonly of: Lying) {
		this.made = of.records;
		this.rows = Array.from({ length: of.records }, (_, id) => id);
		this.everThere = new Set(this.rows);
	}

	private isSeen = (id: number) => this.of.hides === 0 || id % this.of.hides !== this.of.hides - 1;

	/** What has been there all the time and may be seen. */
	get stayed(): number[] {
		return this.rows.filter((id) => id < this.of.records && this.isSeen(id));
	}

	async answer({ pageNumber, pageSize }: PageRequest): Promise<unknown> {
		const { of } = this;
		for (const { before, kind } of of.changes) {
			if (before !== this.asked.length) continue;
			if (kind === 'insert') this.rows.unshift(this.made++);
			else this.rows.shift();
			for (const id of this.rows) this.everThere.add(id);
		}
		this.asked.push({ pageNumber, pageSize });
		if (this.asked.length > 5_000) throw new Error('It never ends');
		const size = Math.min(pageSize, of.largest);
		const step = of.leavesOut ? pageSize : size;
		const start = (pageNumber - 1) * step;
		if (of.refusesBehind && pageNumber > 1 && start >= this.rows.length)
			throw new ServiceError({
				reason: 'no such page',
				advice: '',
				cause: 'refused',
				status: 400,
				mayHaveBeenApplied: false,
				transient: false,
			});
		const results =
			pageNumber === of.hole
				? []
				: this.rows
						.slice(start, start + size)
						.filter(this.isSeen)
						.map((id) => ({ id }));
		if (of.bare) return results;
		const seen = this.rows.filter(this.isSeen).length;
		const totals: Record<Total, number | null | undefined> = {
			...{
				right: seen,
				'with hidden': this.rows.length,
				'too many': seen * 3 + 7,
				'too few': Math.floor(seen / 2),
				zero: 0,
				missing: undefined,
				null: null,
			},
			'on page 1 only': pageNumber === 1 ? seen : undefined,
			'null after page 1': pageNumber === 1 ? seen : null,
		};
		const pages: Record<Pages, number | undefined> = {
			...{
				right: Math.ceil(this.rows.length / step),
				'by the size asked': Math.ceil(this.rows.length / pageSize),
				'too many': 3 * this.rows.length + 5,
			},
			...{ one: 1, zero: 0, missing: undefined },
		};
		return { results, totalNumberOfRecords: totals[of.total], totalNumberOfPages: pages[of.pages] };
	}
}

export const read = async (more: Partial<Lying>, want: { limit?: number; pageSize?: number; ahead?: number } = {}) => {
	const list = new LyingList({ ...HONEST, ...more });
	const found = await readList(
		async (page) => await list.answer(page),
		{ limit: Infinity, pageSize: 100, ahead: 4, ...want },
		{ identity: ['id'] },
	);
	return { ...found, ids: found.records.map(({ id }) => Number(id)), list, requests: list.asked.length };
};
export const upTo = (count: number) => Array.from({ length: count }, (_, id) => id);

/**
 * A platform as the contract and the fact files describe it, for the property test: companies in trees of any depth, whose lists
 * show their own records or those of the companies below as well, and a list without a company that differs from platform to
 * platform. It knows of each record whose it is, and which lists show it now.
 */
import type { IDataObject } from 'n8n-workflow';
import type { LoggedRequest } from '../stand-in';
import type { PollingFixture } from './pollingFixture';
import { isRecord } from '../../nodes/core/values';

/** What a request without a company gives (contract 4.1; deployment behaviour, activity 10). */
export type Unscoped = 'all' | 'own' | 'refused' | 'without grandchildren';

export interface Platform {
	/** Each company's parent, by index; null for one at the top. Parents come before their children. */
	parents: Array<number | null>;
	/** Whether a company's list shows the records of all companies below it (deployment behaviour, "Companies": rows may nest). */
	listsBelow: boolean;
	/** Whether child companies are listed on their own as well, and from which of them on. */
	flat: number | null;
	/** The companies that 'Only Companies' chooses, by their names; undefined for all, without a condition. */
	chosen: number[] | undefined;
	/** By list. */
	unscoped: Record<string, Unscoped>;
}

export interface TreeRecord {
	id: string;
	/** The list that it is in: the middle of its route. */
	list: string;
	/** Whose it is, by index; null for the reseller's own, which is in no company's list. */
	owner: number | null;
	created: number;
	status: string;
}

const REFUSED = { data: null, status: 'INPUT_ERROR', message: 'Company is required' };
const FAILED = { data: null, status: 'INTERNAL_SERVER_ERROR', message: 'Sorry' };

export class TreeWorld {
	records: TreeRecord[] = [];
	/** Those that answer 500, or 403; null for the list without a company. */
	readonly failing = new Set<number | null>();
	readonly refusing = new Set<number>();
	/** The companies whose records are missing from the list without a company at the moment. */
	readonly unlisted = new Set<number>();
	/** Not listed yet. */
	hidden: number | null = null;

	constructor(
		readonly fixture: PollingFixture,
		readonly platform: Platform,
		readonly routes: Record<string, string>,
	) {
		fixture.service.setOptions({ garble: (envelope, request) => this.answer(envelope, request) });
	}

	idOf(index: number): string {
		return this.fixture.company(index).id;
	}

	/** The company and those above it, the deepest first. */
	lineOf(index: number): number[] {
		const parent = this.platform.parents[index] ?? null;
		return [index, ...(parent === null ? [] : this.lineOf(parent))];
	}

	isChosen(index: number): boolean {
		return this.platform.chosen?.includes(index) ?? true;
	}

	/** Whether the list without a company has a company's records. */
	isCovered(list: string, owner: number | null): boolean {
		const unscoped = this.platform.unscoped[list];
		if (owner !== null && this.unlisted.has(owner)) return false;
		if (owner === null) return unscoped !== 'refused';
		return unscoped === 'all' || (unscoped === 'without grandchildren' && this.lineOf(owner).length < 3);
	}

	/** The companies that show a record now, the deepest first. */
	listersOf({ owner }: Pick<TreeRecord, 'owner'>): number[] {
		if (owner === null) return [];
		const line = this.platform.listsBelow ? this.lineOf(owner) : [owner];
		return line.filter((index) => !this.refusing.has(index));
	}

	/** Sets the faults of the stand-in for the companies that fail or refuse. */
	setFaults(): void {
		const { service } = this.fixture;
		service.clearFaults();
		for (const route of Object.values(this.routes)) {
			for (const index of this.refusing)
				service.fault({ times: Infinity, route, kind: 'forbidden-company', company: this.idOf(index) });
			for (const index of this.failing)
				if (index !== null) service.fault({ times: Infinity, route, kind: 'status-500', company: this.idOf(index) });
		}
	}

	private answer(envelope: unknown, { route, companyId, body }: LoggedRequest): unknown {
		if (!isRecord(envelope) || !isRecord(body) || envelope.data === null) return envelope;
		const page = (rows: IDataObject[]) => {
			const size = Number(body.pageSize);
			const results = rows.slice((Number(body.pageNumber) - 1) * size, Number(body.pageNumber) * size);
			const totals = { totalNumberOfRecords: rows.length, totalNumberOfPages: Math.ceil(rows.length / size) };
			return { ...envelope, data: { results, ...totals } };
		};
		if (route === 'POST /api/companies/search') return page(this.companies());
		const list = Object.keys(this.routes).find((each) => this.routes[each] === route);
		if (list === undefined) return envelope;
		const of = this.platform.parents.findIndex((_, index) => this.idOf(index) === companyId);
		if (companyId === undefined) {
			if (this.platform.unscoped[list] === 'refused') return REFUSED;
			if (this.failing.has(null)) return FAILED;
		}
		const isShown = (record: TreeRecord) =>
			companyId === undefined ? this.isCovered(list, record.owner) : this.listersOf(record).includes(of);
		const shown = this.records.filter((record) => record.list === list && isShown(record));
		const isByName = route.includes('job-report');
		shown.sort((one, other) => (isByName ? one.id.localeCompare(other.id) : other.created - one.created));
		return page(shown.map((record) => this.rowOf(record)));
	}

	private rowOf({ id, created, status, list }: TreeRecord): IDataObject {
		const time = Number.isNaN(created) ? null : new Date(created).toISOString();
		if (list === 'jobs')
			return { resourceId: id, phishingCampaignResourceId: id, instanceGroup: 1, name: id, status, createdDate: time };
		return { resourceId: id, name: id, status, createTime: time };
	}

	/** Nested in their parents, and some on their own as well, before or after these (deployment behaviour, facts). */
	private companies(): IDataObject[] {
		const { parents, flat } = this.platform;
		const row = (index: number): IDataObject => ({
			companyResourceId: this.idOf(index),
			companyName: `${this.isChosen(index) ? 'in' : 'out'} ${index}`,
			children: parents.flatMap((parent, child) => (parent === index && child !== this.hidden ? [row(child)] : [])),
		});
		const all = parents.map((_, index) => index).filter((index) => index !== this.hidden);
		const top = all.filter((index) => parents[index] === null);
		if (flat === null) return top.map(row);
		const own = all.filter((index) => parents[index] !== null).reverse();
		return [...own.slice(0, flat), ...top, ...own.slice(flat)].map(row);
	}
}

/**
 * A platform as the contract and the fact files describe it, for the property test: companies in trees of any depth, whose lists
 * show their own records or those of the companies below as well, and a list without a company that differs from platform to
 * platform. It knows of each record whose it is, and which lists show it now.
 */
import type { IDataObject } from 'n8n-workflow';
import type { LoggedRequest } from '../stand-in';
import type { PollingFixture } from './pollingFixture';
import { isRecord } from '../../nodes/core/values';

/** What a request without a company gives (contract 4.1; deployment behaviour, "Token, roles, errors"; deployment activity 10). */
export type GlobalListKind = 'all' | 'own' | 'refused' | 'without grandchildren';

export interface TreePlatformTraits {
	/** Each company's parent, by index; null for one at the top. Parents come before their children. */
	parents: Array<number | null>;
	/** Whether a company's list shows the records of all companies below it (deployment behaviour, "Companies"). */
	listsIncludeDescendants: boolean;
	/** Whether child companies are listed on their own as well, and from which of them on. */
	firstFlatChild: number | null;
	/** The companies that 'Only Companies' chooses, by their names; undefined for all, without a condition. */
	selectedCompanies: number[] | undefined;
	/** By list. */
	globalLists: Record<string, GlobalListKind>;
}

export interface TreeRecord {
	id: string;
	/** The list that it is in: the middle of its route. */
	list: string;
	/** Whose it is, by index; null for the reseller's own, which is in no company's list. */
	owner: number | null;
	createdAt: number;
	status: string;
}

const REFUSED = { data: null, status: 'INPUT_ERROR', message: 'Company is required' };
const FAILED = { data: null, status: 'INTERNAL_SERVER_ERROR', message: 'Sorry' };

export class TreePlatform {
	records: TreeRecord[] = [];
	/** Those that answer 500, or 403; null for the list without a company. */
	readonly failing = new Set<number | null>();
	readonly refusing = new Set<number>();
	/** The companies whose records are missing from the list without a company at the moment. */
	readonly hiddenFromGlobalList = new Set<number>();
	/** Not listed yet. */
	unlistedCompany: number | null = null;

	constructor(
		readonly fixture: PollingFixture,
		readonly traits: TreePlatformTraits,
		readonly routes: Record<string, string>,
	) {
		fixture.standIn.setOptions({ transformEnvelope: (envelope, request) => this.answer(envelope, request) });
	}

	getCompanyId(index: number): string {
		return this.fixture.getCompany(index).id;
	}

	/** The company and those above it, the deepest first. */
	getAncestry(index: number): number[] {
		const parent = this.traits.parents[index] ?? null;
		return [index, ...(parent === null ? [] : this.getAncestry(parent))];
	}

	isSelected(index: number): boolean {
		return this.traits.selectedCompanies?.includes(index) ?? true;
	}

	/** Whether the list without a company has a company's records. */
	isInGlobalList(list: string, owner: number | null): boolean {
		const unscoped = this.traits.globalLists[list];
		if (owner !== null && this.hiddenFromGlobalList.has(owner)) return false;
		if (owner === null) return unscoped !== 'refused';
		return unscoped === 'all' || (unscoped === 'without grandchildren' && this.getAncestry(owner).length < 3);
	}

	/** The companies that show a record now, the deepest first. */
	getListingCompanies({ owner }: Pick<TreeRecord, 'owner'>): number[] {
		if (owner === null) return [];
		const line = this.traits.listsIncludeDescendants ? this.getAncestry(owner) : [owner];
		return line.filter((index) => !this.refusing.has(index));
	}

	/** Sets the faults of the stand-in for the companies that fail or refuse. */
	setFaults(): void {
		const { standIn: service } = this.fixture;
		service.clearFaults();
		for (const route of Object.values(this.routes)) {
			for (const index of this.refusing)
				service.addFault({ times: Infinity, route, kind: 'forbidden-company', companyId: this.getCompanyId(index) });
			for (const index of this.failing)
				if (index !== null)
					service.addFault({ times: Infinity, route, kind: 'status-500', companyId: this.getCompanyId(index) });
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
		if (route === 'POST /api/companies/search') return page(this.listCompanies());
		const list = Object.keys(this.routes).find((each) => this.routes[each] === route);
		if (list === undefined) return envelope;
		const of = this.traits.parents.findIndex((_, index) => this.getCompanyId(index) === companyId);
		if (companyId === undefined) {
			if (this.traits.globalLists[list] === 'refused') return REFUSED;
			if (this.failing.has(null)) return FAILED;
		}
		const isShown = (record: TreeRecord) =>
			companyId === undefined ? this.isInGlobalList(list, record.owner) : this.getListingCompanies(record).includes(of);
		const shown = this.records.filter((record) => record.list === list && isShown(record));
		const isByName = route.includes('job-report');
		shown.sort((one, other) => (isByName ? one.id.localeCompare(other.id) : other.createdAt - one.createdAt));
		return page(shown.map((record) => this.toListRow(record)));
	}

	private toListRow({ id, createdAt: created, status, list }: TreeRecord): IDataObject {
		const time = Number.isNaN(created) ? null : new Date(created).toISOString();
		if (list === 'jobs')
			return { resourceId: id, phishingCampaignResourceId: id, instanceGroup: 1, name: id, status, createdDate: time };
		return { resourceId: id, name: id, status, createTime: time };
	}

	/**
	 * Nested in their parents, and some on their own as well, before or after these (deployment behaviour, "Companies"; deployment
	 * facts, "Responses").
	 */
	private listCompanies(): IDataObject[] {
		const { parents, firstFlatChild: flat } = this.traits;
		const row = (index: number): IDataObject => ({
			companyResourceId: this.getCompanyId(index),
			companyName: `${this.isSelected(index) ? 'in' : 'out'} ${index}`,
			children: parents.flatMap((parent, child) =>
				parent === index && child !== this.unlistedCompany ? [row(child)] : [],
			),
		});
		const all = parents.map((_, index) => index).filter((index) => index !== this.unlistedCompany);
		const top = all.filter((index) => parents[index] === null);
		if (flat === null) return top.map(row);
		const own = all.filter((index) => parents[index] !== null).reverse();
		return [...own.slice(0, flat), ...top, ...own.slice(flat)].map(row);
	}
}

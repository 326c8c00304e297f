/**
 * A platform with trees of companies, for tests of the triggers. It behaves as the contract and the fact files describe.
 * The list of a company contains its own records, and on some platforms also the records of the companies below it. The
 * global list is the list that a request without a company returns. Its content differs between platforms. The class
 * knows the owner of each record, and the lists that contain it.
 */
import type { IDataObject } from 'n8n-workflow';
import type { LoggedRequest } from '../stand-in';
import type { PollingFixture } from './pollingFixture';
import { isRecord } from '../../nodes/core/values';

/**
 * The content of the global list (contract 4.1; deployment behaviour, "Search bodies"; deployment activity 10). It has all
 * records, only the reseller's own records, or all records except those of companies at the third level. 'refused' means
 * that the platform refuses the request.
 */
export type GlobalListKind = 'all' | 'own' | 'refused' | 'without grandchildren';

export interface TreePlatformTraits {
	/** The index of each company's parent; null for a topmost company. Parents come before their children. */
	parents: Array<number | null>;
	/** True if a company's list contains the records of all companies below it (deployment behaviour, "Companies"). */
	listsIncludeDescendants: boolean;
	/**
	 * The number of child companies that are listed before the topmost companies; the remaining ones are listed after
	 * them. Null if child companies are listed only inside their parents.
	 */
	childrenListedFirst: number | null;
	/** The companies that 'Only Companies' selects by their names. Undefined if there is no such condition. */
	selectedCompanies: number[] | undefined;
	/** The kind of the global list, by list name. */
	globalLists: Record<string, GlobalListKind>;
}

export interface TreeRecord {
	id: string;
	/** The name of the list that contains it, such as "phishing". */
	list: string;
	/** The index of its company; null for a record of the reseller, which is in no company's list. */
	owner: number | null;
	createdAt: number;
	status: string;
}

const REFUSED_ENVELOPE = { data: null, status: 'INPUT_ERROR', message: 'Company is required' };
const FAILED_ENVELOPE = { data: null, status: 'INTERNAL_SERVER_ERROR', message: 'Sorry' };

export class TreePlatform {
	records: TreeRecord[] = [];
	/** The companies whose lists answer with status 500. Null stands for the global list. */
	readonly failing = new Set<number | null>();
	/** The companies whose lists answer with status 403. */
	readonly refusing = new Set<number>();
	/** The companies whose records are currently missing from the global list. */
	readonly hiddenFromGlobalList = new Set<number>();
	/** The company that isn't in the list of companies yet. */
	unlistedCompany: number | null = null;

	constructor(
		readonly fixture: PollingFixture,
		readonly traits: TreePlatformTraits,
		readonly routes: Record<string, string>,
	) {
		fixture.standIn.setOptions({ transformEnvelope: (envelope, request) => this.replaceEnvelope(envelope, request) });
	}

	getCompanyId(index: number): string {
		return this.fixture.getCompany(index).id;
	}

	/** Returns a company and the companies above it, deepest first. */
	getAncestry(index: number): number[] {
		const parent = this.traits.parents[index] ?? null;
		return parent === null ? [index] : [index, ...this.getAncestry(parent)];
	}

	isSelected(index: number): boolean {
		return this.traits.selectedCompanies?.includes(index) ?? true;
	}

	/** Returns true if the global list contains the records of a company. */
	isInGlobalList(list: string, owner: number | null): boolean {
		const kind = this.traits.globalLists[list];
		if (owner === null) return kind !== 'refused';
		if (this.hiddenFromGlobalList.has(owner)) return false;
		return kind === 'all' || (kind === 'without grandchildren' && this.getAncestry(owner).length < 3);
	}

	/** Returns the companies whose lists currently contain a record, deepest first. */
	getListingCompanies({ owner }: Pick<TreeRecord, 'owner'>): number[] {
		if (owner === null) return [];
		const companies = this.traits.listsIncludeDescendants ? this.getAncestry(owner) : [owner];
		return companies.filter((index) => !this.refusing.has(index));
	}

	/** Sets the faults of the stand-in for the failing and refusing companies. */
	setFaults(): void {
		const { standIn } = this.fixture;
		standIn.clearFaults();
		for (const route of Object.values(this.routes)) {
			for (const index of this.refusing)
				standIn.addFault({ times: Infinity, route, kind: 'forbidden-company', companyId: this.getCompanyId(index) });
			for (const index of this.failing)
				if (index !== null)
					standIn.addFault({ times: Infinity, route, kind: 'status-500', companyId: this.getCompanyId(index) });
		}
	}

	/** Replaces the stand-in's response to a request for companies or for records. */
	private replaceEnvelope(envelope: unknown, { route, companyId, body }: LoggedRequest): unknown {
		if (!isRecord(envelope) || !isRecord(body) || envelope.data === null) return envelope;
		const createPage = (rows: IDataObject[]) => {
			const pageSize = Number(body.pageSize);
			const start = (Number(body.pageNumber) - 1) * pageSize;
			const results = rows.slice(start, start + pageSize);
			const totals = { totalNumberOfRecords: rows.length, totalNumberOfPages: Math.ceil(rows.length / pageSize) };
			return { ...envelope, data: { results, ...totals } };
		};
		if (route === 'POST /api/companies/search') return createPage(this.listCompanies());
		const list = Object.keys(this.routes).find((name) => this.routes[name] === route);
		if (list === undefined) return envelope;
		if (companyId === undefined) {
			if (this.traits.globalLists[list] === 'refused') return REFUSED_ENVELOPE;
			if (this.failing.has(null)) return FAILED_ENVELOPE;
		}
		const companyIndex = this.traits.parents.findIndex((_, index) => this.getCompanyId(index) === companyId);
		const isListed = (record: TreeRecord) =>
			companyId === undefined
				? this.isInGlobalList(list, record.owner)
				: this.getListingCompanies(record).includes(companyIndex);
		const listedRecords = this.records.filter((record) => record.list === list && isListed(record));
		const isSortedByName = route.includes('job-report');
		listedRecords.sort((first, second) =>
			isSortedByName ? first.id.localeCompare(second.id) : second.createdAt - first.createdAt,
		);
		return createPage(listedRecords.map((record) => this.toListRow(record)));
	}

	private toListRow({ id, createdAt, status, list }: TreeRecord): IDataObject {
		const time = Number.isNaN(createdAt) ? null : new Date(createdAt).toISOString();
		if (list === 'jobs')
			return { resourceId: id, phishingCampaignResourceId: id, instanceGroup: 1, name: id, status, createdDate: time };
		return { resourceId: id, name: id, status, createTime: time };
	}

	/**
	 * Lists the companies. Child companies are nested in their parents, and may be listed on the top level too, before or
	 * after the topmost companies (deployment behaviour, "Companies"; deployment facts, "Responses").
	 */
	private listCompanies(): IDataObject[] {
		const { parents, childrenListedFirst } = this.traits;
		const toCompanyRow = (index: number): IDataObject => ({
			companyResourceId: this.getCompanyId(index),
			companyName: `${this.isSelected(index) ? 'in' : 'out'} ${index}`,
			children: parents.flatMap((parent, child) =>
				parent === index && child !== this.unlistedCompany ? [toCompanyRow(child)] : [],
			),
		});
		const listed = parents.map((_, index) => index).filter((index) => index !== this.unlistedCompany);
		const topmost = listed.filter((index) => parents[index] === null);
		if (childrenListedFirst === null) return topmost.map(toCompanyRow);
		const children = listed.filter((index) => parents[index] !== null).reverse();
		const topLevel = [...children.slice(0, childrenListedFirst), ...topmost, ...children.slice(childrenListedFirst)];
		return topLevel.map(toCompanyRow);
	}
}

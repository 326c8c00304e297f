/**
 * A platform with trees of companies, for tests of the triggers. It behaves as the contract and the files in docs/facts
 * describe. The list of a company contains its own records, and on some platforms also the records of the companies
 * below it. The global list is the list that a request without a company returns. Its content differs between
 * platforms.
 */
import type { IDataObject } from 'n8n-workflow';
import type { LoggedRequest } from '../stand-in';
import type { PollingFixture } from './pollingFixture';
import { isRecord } from '../../nodes/core/values';

/**
 * The content of the global list (contract 4.1; deployment behaviour, "Search bodies"; deployment activity 10): all
 * records, only the reseller's own records, or all records except those of companies at the third level and below.
 * 'refused' means that the platform refuses the request for the global list.
 */
export type GlobalListKind = 'all' | 'own' | 'refused' | 'without grandchildren';

export interface TreePlatformTraits {
	/** The index of each company's parent; null for a topmost company. Parents come before their children. */
	parents: Array<number | null>;
	/** True if a company's list contains the records of all companies below it (deployment behaviour, "Companies"). */
	shouldListDescendants: boolean;
	/**
	 * The number of child companies that the list of companies contains before the topmost companies. It contains the
	 * other child companies after them. Null if the list contains child companies only inside their parents.
	 */
	leadingChildCount: number | null;
	/** The indexes of the companies that 'Only Companies' selects. Undefined if it has no condition. */
	selectedCompanies: number[] | undefined;
	/** The kind of each global list, by the name of the list: "phishing". */
	globalLists: Record<string, GlobalListKind>;
}

export interface TreeRecord {
	id: string;
	/** The name of the list that contains the record, such as "phishing". */
	list: string;
	/** The index of the record's company; null for a record of the reseller, which is in no company's list. */
	owner: number | null;
	createdAt: number;
	status: string;
}

const REFUSED_ENVELOPE = { data: null, status: 'INPUT_ERROR', message: 'Company is required' };
export const FAILED_ENVELOPE = { data: null, status: 'INTERNAL_SERVER_ERROR', message: 'Sorry' };

export class TreePlatform {
	records: TreeRecord[] = [];
	/** The indexes of the companies for whose lists the platform returns status 500. Null stands for the global list. */
	readonly failingCompanies = new Set<number | null>();
	/** The indexes of the companies for whose lists the platform returns status 403. */
	readonly refusingCompanies = new Set<number>();
	/** The indexes of the companies whose records are currently missing from the global list. */
	readonly companiesHiddenFromGlobalList = new Set<number>();
	/** The index of a company that isn't in the list of companies yet. Null if there is none. */
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

	/** Returns the indexes of a company and of the companies above it, deepest first. */
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
		if (this.companiesHiddenFromGlobalList.has(owner)) return false;
		return kind === 'all' || (kind === 'without grandchildren' && this.getAncestry(owner).length < 3);
	}

	/** Returns the indexes of the companies whose lists currently contain a record, deepest first. */
	getListingCompanies({ owner }: Pick<TreeRecord, 'owner'>): number[] {
		if (owner === null) return [];
		const companies = this.traits.shouldListDescendants ? this.getAncestry(owner) : [owner];
		return companies.filter((index) => !this.refusingCompanies.has(index));
	}

	/** Makes the stand-in fail or refuse the requests for the lists of `failingCompanies` and `refusingCompanies`. */
	setFaults(): void {
		const { standIn } = this.fixture;
		standIn.clearFaults();
		for (const route of Object.values(this.routes)) {
			for (const index of this.refusingCompanies)
				standIn.addFault({ times: Infinity, route, kind: 'forbidden-company', companyId: this.getCompanyId(index) });
			for (const index of this.failingCompanies)
				if (index !== null)
					standIn.addFault({ times: Infinity, route, kind: 'status-500', companyId: this.getCompanyId(index) });
		}
	}

	/** Returns the response to a request for companies or records. The stand-in calls it with its own response. */
	protected replaceEnvelope(envelope: unknown, { route, companyId, body }: LoggedRequest): unknown {
		if (!isRecord(envelope) || !isRecord(body) || envelope.data === null) return envelope;
		const createPage = (rows: IDataObject[]) => {
			const pageSize = Number(body.pageSize);
			const startIndex = (Number(body.pageNumber) - 1) * pageSize;
			const results = rows.slice(startIndex, startIndex + pageSize);
			const totals = { totalNumberOfRecords: rows.length, totalNumberOfPages: Math.ceil(rows.length / pageSize) };
			return { ...envelope, data: { results, ...totals } };
		};
		if (route === 'POST /api/companies/search') return createPage(this.listCompanies());
		const list = Object.keys(this.routes).find((name) => this.routes[name] === route);
		if (list === undefined) return envelope;
		if (companyId === undefined) {
			if (this.traits.globalLists[list] === 'refused') return REFUSED_ENVELOPE;
			if (this.failingCompanies.has(null)) return FAILED_ENVELOPE;
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
	 * Returns the rows of the list of companies. Each row contains the rows of its child companies. Child companies may
	 * also have rows at the top level, before or after the topmost companies (deployment behaviour, "Companies";
	 * deployment facts, "Responses").
	 */
	private listCompanies(): IDataObject[] {
		const { parents, leadingChildCount } = this.traits;
		const toCompanyRow = (index: number): IDataObject => ({
			companyResourceId: this.getCompanyId(index),
			companyName: `${this.isSelected(index) ? 'in' : 'out'} ${index}`,
			children: parents.flatMap((parent, child) =>
				parent === index && child !== this.unlistedCompany ? [toCompanyRow(child)] : [],
			),
		});
		const listedIndexes = parents.map((_, index) => index).filter((index) => index !== this.unlistedCompany);
		const topmostIndexes = listedIndexes.filter((index) => parents[index] === null);
		if (leadingChildCount === null) return topmostIndexes.map(toCompanyRow);
		const childIndexes = listedIndexes.filter((index) => parents[index] !== null).reverse();
		const topLevelIndexes = [
			...childIndexes.slice(0, leadingChildCount),
			...topmostIndexes,
			...childIndexes.slice(leadingChildCount),
		];
		return topLevelIndexes.map(toCompanyRow);
	}
}

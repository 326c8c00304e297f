import { z } from 'zod';

import { HOUR, MINUTE, type Deployment } from './deployment';
import {
	isFault,
	isOpen,
	OWN,
	statusOf,
	type Fault,
	type ListName,
	type ModelCompany,
	type ModelRecord,
	type Platform,
} from './platform';
import type { Random } from './random';

/** What the service is asked, as far as the model minds. */
export interface Asked {
	method: string;
	path: string;
	/** The company that the request is for; none = a request without a company. */
	company?: string | undefined;
	body: unknown;
}

/** What it answers; a fault instead of a status breaks the connection. */
export interface Answer {
	status: number;
	data: unknown;
	broken?: 'reset' | 'hang';
}

const searchBody = z.object({
	pageNumber: z.number().int().positive(),
	pageSize: z.number().int().positive(),
	orderBy: z.string(),
	ascending: z.boolean(),
	filter: z
		.object({ SearchInputTextValue: z.string().optional(), searchInputTextValue: z.string().optional() })
		.passthrough(),
	enrollmentType: z.string().nullish(),
});
type Search = z.infer<typeof searchBody>;

const SIMULATOR =
	/^\/api\/(phishing|quishing|smishing)-simulator\/\1-campaign(-job-report)?\/(search|summary\/([^/]+)\/(\d+))$/;
const ENROLLMENT = /^\/api\/enrollments\/([^/]+)$/;
const FAR_FUTURE = Date.UTC(2099, 0, 1);

const ok = (data: unknown): Answer => ({ status: 200, data });
const failed = (status: number): Answer => ({ status, data: null });
function ofFault(fault: Fault): Answer {
	if (fault === 'html') return ok('<html><body>We will be back soon.</body></html>');
	return typeof fault === 'number' ? failed(fault) : { status: 0, data: null, broken: fault };
}

/** Answers requests as a deployment of the service does, out of what the platform keeps. */
export class Answers {
	/** So many more list requests are answered before this happens. */
	during: { after: number; happens: () => void } | undefined;

	constructor(
		readonly platform: Platform,
		readonly deployment: Deployment,
		private readonly random: Pick<Random, 'shuffled'>,
	) {}

	/** @returns the create time that a record shows for a record, in its own clock; undefined = it shows none to go by */
	timeOf(record: ModelRecord): number | undefined {
		const { times, timesShift, serviceOffset, roundTo } = this.deployment;
		if (times === 'none' || record.time === 'none' || record.time === 'sentinel') return undefined;
		if (record.time === 'future') return FAR_FUTURE;
		return Math.floor((record.created + timesShift + serviceOffset) / roundTo) * roundTo;
	}

	answer(asked: Asked): Answer {
		const { platform } = this;
		if (asked.path === '/api/companies/search') {
			return platform.companiesFault ? ofFault(platform.companiesFault) : this.companySearch(asked);
		}
		if (asked.path === '/api/companies/my') return this.ownCompany();
		if (isFault(platform.fault)) return ofFault(platform.fault);
		if (asked.company !== undefined) {
			if (!platform.isManaged(asked.company)) return failed(403);
			const fault = platform.companies.get(asked.company)?.fault;
			if (fault) return ofFault(fault);
		}
		const [, simulator, job, , id, group] = SIMULATOR.exec(asked.path) ?? [];
		if (simulator === 'phishing' || simulator === 'quishing' || simulator === 'smishing') {
			if (id && group) return this.details(simulator, asked, decodeURIComponent(id), Number(group));
			return this.search(simulator, asked, job !== undefined);
		}
		if (asked.path === '/api/enrollments/search') return this.search('enrollment', asked, false);
		const [, enrollment] = ENROLLMENT.exec(asked.path) ?? [];
		if (enrollment && asked.method === 'GET')
			return this.details('enrollment', asked, decodeURIComponent(enrollment), 1);
		return failed(404);
	}

	/** The companies whose records a request sees. */
	private covered(company: string | undefined, unscoped = this.deployment.unscoped): string[] | undefined {
		const { platform, deployment } = this;
		const managed = () => [...platform.companies.keys()].filter((id) => platform.isManaged(id));
		if (company !== undefined) {
			return deployment.parentsIncludeChildren
				? [company, ...platform.below(company).filter((id) => platform.isManaged(id))]
				: [company];
		}
		switch (unscoped) {
			case 'all':
				return managed();
			case 'own':
				return platform.isManaged(OWN) ? [OWN] : [];
			case 'some':
				return managed().filter((id) => Number(id.slice('company-'.length)) % 3 !== 1);
			case 'refused':
				return undefined;
		}
	}

	private search(list: ListName, { company, body }: Asked, isJob: boolean): Answer {
		const parsed = searchBody.safeParse(body);
		if (!parsed.success) return failed(400);
		const search = parsed.data;
		const { fault, asked = '' } = this.platform.listFaults.get(list) ?? {};
		const isMeant = ['all', company === undefined ? 'unscoped' : 'companies'].includes(asked);
		if (this.platform.isEmpty(list)) return ok(this.page([], search));
		if (isFault(fault) && isMeant) return ofFault(fault);
		const { sort } = this.deployment;
		if (sort === 'refused' && search.orderBy !== 'Name') return failed(400);
		const covered = this.covered(company, fault === 'some' ? 'some' : this.deployment.unscoped);
		if (!covered) return failed(403);
		if (this.during && --this.during.after < 0) {
			const { happens } = this.during;
			this.during = undefined;
			happens();
		}
		const text = search.filter.SearchInputTextValue || search.filter.searchInputTextValue || '';
		const records = covered
			.flatMap((owner) => [...this.platform.of(list, owner)])
			.filter((record) => isOpen(record.visible) && record.name.includes(text))
			.filter(({ isSurvey }) => search.enrollmentType !== 'Survey' || isSurvey);
		const page = this.page(this.sorted(records, search), search);
		return ok({ ...page, results: page.results.map((record) => this.row(record, isJob)) });
	}

	private sorted(records: ModelRecord[], { orderBy, ascending }: Search): ModelRecord[] {
		const { sort } = this.deployment;
		const direction = ascending ? 1 : -1;
		if (orderBy === 'Name' || sort === 'byName' || sort === 'refused') {
			const upwards = orderBy === 'Name' ? direction : 1;
			return records.sort((a, b) => upwards * (a.name < b.name ? -1 : 1));
		}
		const keyed = (sort === 'unstableTies' ? this.random.shuffled(records) : records).map((record) => ({
			record,
			// A record that shows no time is kept with one all the same; only a sentinel is sorted as it is written.
			key: record.time === 'sentinel' ? 0 : (this.timeOf(record) ?? record.created),
		}));
		keyed.sort((a, b) => (sort === 'oldestFirst' ? 1 : direction) * (a.key - b.key));
		const sorted = keyed.map(({ record }) => record);
		if (sort === 'mostlyInOrder') {
			// The service ignores the wish, and the first rows are in the order wished for by chance.
			const byName = [...sorted].sort((a, b) => (a.name < b.name ? -1 : 1));
			const first = new Set(byName.slice(0, 5));
			return [...sorted.filter((record) => first.has(record)), ...byName.slice(5)];
		}
		return sorted;
	}

	private page<Row>(all: Row[], { pageNumber, pageSize }: Search, totals = this.deployment.totals) {
		const { pageCap, behindLast, trimmed } = this.deployment;
		const size = pageCap > 0 ? Math.min(pageSize, pageCap) : pageSize;
		// Every fifth place is taken by a row that is not shown.
		const places = trimmed ? all.flatMap((row, index) => (index % 4 === 3 ? [row, undefined] : [row])) : all;
		const pages = Math.max(1, Math.ceil(places.length / size));
		const wanted = behindLast === 'lastAgain' ? Math.min(pageNumber, pages) : pageNumber;
		const results = places.slice((wanted - 1) * size, wanted * size).filter((row): row is Row => row !== undefined);
		const said = (pagesSaid: number, records: number) => ({
			...{ pageNumber, pageSize: size, totalNumberOfPages: pagesSaid, totalNumberOfRecords: records, results },
		});
		switch (totals) {
			case 'right':
				return said(pages, places.length);
			case 'absent':
				return { pageNumber, pageSize: size, results };
			case 'pagesAsAsked':
				return said(Math.max(1, Math.ceil(places.length / pageSize)), places.length);
			case 'low':
				return said(Math.max(1, pages - 1), Math.max(0, places.length - Math.ceil(places.length / 6)));
			case 'high':
				return said(pages + 1, places.length + 3);
		}
	}

	private row(record: ModelRecord, isJob: boolean) {
		const company = this.deployment.rowsNameCompany
			? { companyResourceId: record.owner, companyName: this.platform.companies.get(record.owner)?.name }
			: {};
		const common = {
			marker: record.marker,
			name: record.name,
			status: statusOf(record),
			...company,
			...this.times(record, isJob),
		};
		if (record.list === 'enrollment') return { enrollmentId: record.id, trainingName: record.name, ...common };
		if (isJob) return { [`${record.list}CampaignResourceId`]: record.id, instanceGroup: record.group, ...common };
		return { resourceId: record.id, instanceGroup: 1, ...common };
	}

	private times(record: ModelRecord, isJob: boolean): object {
		const { times } = this.deployment;
		const field = times === 'createdDate' || isJob ? 'createdDate' : 'createTime';
		if (record.time === 'sentinel') return { [field]: '0001-01-01T00:00:00' };
		const time = this.timeOf(record);
		if (time === undefined) return times === 'none' ? {} : { [field]: null };
		if (record.time === 'seconds') return { [field]: Math.floor(time / 1000) };
		const text = new Date(time).toISOString();
		if (times === 'unzoned') return { [field]: text.slice(0, -1) };
		return { [field]: times === 'fraction' ? text.replace('Z', '4567') : text };
	}

	private details(list: ListName, { company }: Asked, id: string, group: number): Answer {
		const covered = this.covered(company) ?? [];
		const found = this.platform.records.find(
			(record) =>
				record.list === list &&
				record.id === id &&
				(list === 'enrollment' || record.group === group) &&
				isOpen(record.visible) &&
				covered.includes(record.owner),
		);
		if (!found) return failed(404);
		if (found.detailsFail > 0) {
			found.detailsFail--;
			found.detailsFailed = true;
			return failed(500);
		}
		return ok({ detailsOf: found.marker });
	}

	private companyRow(company: ModelCompany, children: object[]): object {
		const { timesShift, serviceOffset } = this.deployment;
		return {
			companyName: company.name,
			companyResourceId: company.id,
			licenceExpired: false,
			createTime: new Date(company.created + timesShift + serviceOffset).toISOString(),
			children,
			tags: [],
		};
	}

	private companySearch({ body }: Asked): Answer {
		const parsed = searchBody.safeParse(body);
		if (!parsed.success) return failed(400);
		const managed = [...this.platform.companies.values()].filter(({ managed }) => isOpen(managed));
		const { filter } = parsed.data;
		const text = (filter.SearchInputTextValue || filter.searchInputTextValue || '').toLowerCase();
		// Counts that are too low would hide companies from every reader.
		const totals = this.deployment.totals === 'low' ? 'right' : this.deployment.totals;
		if (!this.deployment.nestedCompanies) {
			const found = managed.filter(({ name }) => name.toLowerCase().includes(text));
			return ok(
				this.page(
					found.map((company) => this.companyRow(company, [])),
					parsed.data,
					totals,
				),
			);
		}
		const isTop = ({ parent }: ModelCompany) => !parent || !this.platform.isManaged(parent);
		const nested = (company: ModelCompany): object =>
			this.companyRow(company, managed.filter(({ parent }) => parent === company.id).map(nested));
		return ok(this.page(managed.filter(isTop).map(nested), parsed.data, totals));
	}

	private ownCompany(): Answer {
		const own = this.platform.companies.get(OWN);
		return ok({ name: own?.name, resourceId: OWN, children: [] });
	}

	/** The Date header of an answer, undefined for none. */
	dateHeader(): string | undefined {
		const { headerError, clock } = this.platform;
		const now = clock.now() + this.deployment.serviceOffset;
		if (headerError.answers > 0) {
			headerError.answers--;
			return new Date(now + headerError.ms).toUTCString();
		}
		switch (this.deployment.dateHeader) {
			case 'right':
				return new Date(now).toUTCString();
			case 'wrong':
				return new Date(now + 240 * HOUR + 7 * MINUTE).toUTCString();
			case 'absent':
				return undefined;
		}
	}
}

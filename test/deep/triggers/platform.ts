import type { TurnedClock } from './clock';
import type { TimeForm } from './deployment';

/** The lists that can be watched: the campaigns or jobs of a simulator, or enrollments. */
export type ListName = 'phishing' | 'quishing' | 'smishing' | 'enrollment';

/** A stretch of time; without an end, it still lasts. */
export interface Span {
	from: number;
	to?: number;
}

/**
 * What fails for a company: every answer is that status, or a page for people with status 200, or the connection breaks, at
 * once or after two minutes.
 */
export type Fault = 403 | 404 | 500 | 503 | 'html' | 'reset' | 'hang';
/** The same, or lists that seem to be empty, or leave out companies. */
export type FaultOrEmpty = Fault | 'empty' | 'some';
/** Whether a list is not answered at all. */
export const isFault = (fault: FaultOrEmpty | undefined): fault is Fault =>
	fault !== undefined && fault !== 'empty' && fault !== 'some';

/** What fails of the lists of a kind of records: all, the list without a company, or those of companies. */
export interface ListFault {
	fault: FaultOrEmpty;
	asked: 'all' | 'unscoped' | 'companies';
}

export interface ModelRecord {
	/** Names this record in every answer, whatever IDs the deployment gives. */
	marker: string;
	list: ListName;
	id: string;
	group: number;
	name: string;
	owner: string;
	/** When it was created, by n8n's clock. */
	created: number;
	time: TimeForm;
	isSurvey: boolean;
	/** When it is in the service's lists. */
	visible: Span[];
	/** When it is in a list that the trigger watches. */
	shown: Span[];
	statuses: Array<{ at: number; status: string }>;
	/** When it changed company. */
	moves: number[];
	/** How many more requests for its details fail. */
	detailsFail: number;
	/** Whether a request for its details has failed because of that. */
	detailsFailed: boolean;
}

export interface ModelCompany {
	id: string;
	name: string;
	parent?: string;
	created: number;
	/** When the credential manages it. */
	managed: Span[];
	/** When the trigger watches it. */
	watched: Span[];
	fault?: Fault;
}

/** What a new record is like; the rest is usual. */
export interface NewRecord {
	list: ListName;
	owner: string;
	created?: number;
	/** Since when it is in the service's lists; since now, unless given. */
	since?: number;
	time?: TimeForm;
	status?: string;
	id?: string;
	group?: number;
	isSurvey?: boolean;
	name?: string;
}

export const isOpen = (spans: readonly Span[]): boolean => spans.length > 0 && spans.at(-1)?.to === undefined;

/** Opens or closes the last span, so that it says what is so from now on. */
export function note(spans: Span[], isSo: boolean, at: number): void {
	const last = spans.at(-1);
	if (isSo === isOpen(spans)) return;
	if (isSo) spans.push({ from: at });
	else if (last) last.to = at;
}

export const statusOf = ({ statuses }: ModelRecord): string => statuses.at(-1)?.status ?? '';

/** What a company's unscoped list is of, when the deployment answers with the credential's own company only. */
export const OWN = 'company-0';

/** Everything that a platform keeps: companies and records, with the times of all that happened to them. */
export class Platform {
	readonly companies = new Map<string, ModelCompany>();
	readonly records: ModelRecord[] = [];
	private readonly byOwner = new Map<string, Set<ModelRecord>>();
	/** Fails all searches and details, but not the list of companies. */
	fault: FaultOrEmpty | undefined;
	companiesFault: Fault | undefined;
	/** What fails of some lists only. */
	readonly listFaults = new Map<ListName, ListFault>();
	/** What is added to the Date header, once for each of so many answers. */
	headerError = { ms: 0, answers: 0 };
	private serial = 0;

	constructor(
		readonly clock: TurnedClock,
		/** Makes the next ID. With IDs that are unique in a company only, the same ID occurs in several. */
		private readonly hasUniqueIds = true,
	) {}

	/** Whether the lists of a kind of records seem to be empty now. */
	isEmpty(list: ListName): boolean {
		return this.fault === 'empty' || this.listFaults.get(list)?.fault === 'empty';
	}

	addCompany(options: { name?: string; parent?: string | undefined; created?: number } = {}): ModelCompany {
		const index = this.companies.size;
		const at = this.clock.now();
		const company: ModelCompany = {
			id: `company-${index}`,
			name: options.name ?? `Customer ${index}`,
			...(options.parent ? { parent: options.parent } : {}),
			created: options.created ?? at,
			managed: [{ from: at }],
			watched: [],
		};
		this.companies.set(company.id, company);
		return company;
	}

	create(made: NewRecord): ModelRecord {
		const at = this.clock.now();
		const serial = ++this.serial;
		const inCompany = this.of(made.list, made.owner).size;
		const record: ModelRecord = {
			marker: `r${serial}`,
			list: made.list,
			id: made.id ?? (this.hasUniqueIds ? `id-${serial}` : `id-${inCompany + 1}`),
			group: made.group ?? 1,
			// The order of names has nothing to do with the order of creation.
			name: made.name ?? `N${((serial * 7919) % 10_007).toString(36)}-${serial}`,
			owner: made.owner,
			created: made.created ?? at,
			time: made.time ?? 'usual',
			isSurvey: made.isSurvey ?? false,
			visible: [{ from: made.since ?? at }],
			shown: [],
			statuses: [{ at: made.since ?? at, status: made.status ?? 'Scheduled' }],
			moves: [],
			detailsFail: 0,
			detailsFailed: false,
		};
		this.records.push(record);
		this.of(record.list, record.owner).add(record);
		return record;
	}

	/** Every record that a company ever owned and still owns, visible or not. */
	of(list: ListName, owner: string): Set<ModelRecord> {
		const key = `${list} ${owner}`;
		const known = this.byOwner.get(key) ?? new Set();
		this.byOwner.set(key, known);
		return known;
	}

	move(record: ModelRecord, owner: string): void {
		if (record.owner === owner) return;
		this.of(record.list, record.owner).delete(record);
		record.owner = owner;
		record.moves.push(this.clock.now());
		this.of(record.list, owner).add(record);
	}

	setStatus(record: ModelRecord, status: string): void {
		if (statusOf(record) !== status) record.statuses.push({ at: this.clock.now(), status });
	}

	setVisible(record: ModelRecord, isVisible: boolean): void {
		note(record.visible, isVisible, this.clock.now());
	}

	setManaged(company: ModelCompany, isManaged: boolean): void {
		note(company.managed, isManaged, this.clock.now());
	}

	isManaged(id: string): boolean {
		const company = this.companies.get(id);
		return company !== undefined && isOpen(company.managed);
	}

	/** The company's children, their children and so on. */
	below(id: string): string[] {
		const children = [...this.companies.values()].filter(({ parent }) => parent === id);
		return children.flatMap((child) => [child.id, ...this.below(child.id)]);
	}

	/** Whether a company stands above another one. */
	isAbove(id: string, below: string): boolean {
		for (let parent = this.companies.get(below)?.parent; parent; parent = this.companies.get(parent)?.parent) {
			if (parent === id) return true;
		}
		return false;
	}
}

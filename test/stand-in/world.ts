import { companyRoleId, Holdings, roleId, type ApiClientRecord, type Upload } from './holdings';
import type { PersonalityName } from './personality';
import { guid, shortId, type MakeId } from './random';
import {
	EPOCH,
	flatten,
	seedCatalogue,
	seedCompanies,
	seedCompany,
	seedGroups,
	type Company,
	type CompanyGroup,
	type Training,
} from './seed';

/** What every world of a service begins with. Seeded once: a reset is so frequent that seeding it anew takes long. */
export interface Beginning {
	/** The reseller's own company: not one of its customers. */
	reseller: Company;
	/** A company of another reseller. */
	foreign: Company;
	tree: Company[];
	/** The trainings that every company may use. */
	catalogue: Training[];
	groups: CompanyGroup[];
	/** What the dates are based on where they are to be of today. */
	today?: number | undefined;
}

/** How a deployment makes the identifier of a key. */
const makeIdOf = (personality: PersonalityName): MakeId => (personality === 'deployed' ? shortId : guid);

/**
 * @param count how many companies there are, nested ones included
 * @param today the moment that seeded dates are based on; a fixed day unless given
 */
export function beginningOf(count: number, personality: PersonalityName, today?: number): Beginning {
	const makeId = makeIdOf(personality);
	const resellerName = 'Northwind Reseller';
	const tree = seedCompanies(count, resellerName, Date.now(), makeId, today);
	return {
		reseller: seedCompany(makeId('the reseller'), resellerName, resellerName),
		foreign: seedCompany(makeId('a foreign company'), 'Somebody Else Ltd', 'Another Reseller'),
		tree,
		catalogue: seedCatalogue(),
		groups: seedGroups(flatten(tree), makeId),
		today,
	};
}

/** All data of the service. A reset replaces it with new data. */
export class World {
	readonly reseller: Company;
	readonly foreign: Company;
	readonly tree: Company[];
	readonly catalogue: Training[];
	/** What a company was created with that its row in a list does not show. */
	readonly companyDetails: Record<string, Record<string, unknown>> = {};
	readonly logos: Record<string, Upload> = {};
	groups: CompanyGroup[];
	/** Every client that may sign in, the newest last. */
	readonly signIns: ApiClientRecord[] = [];
	/** What operations did to records whose type has no field for it, by the record's identifier: { isPaused: true }. */
	readonly notes = new Map<string, Record<string, unknown>>();
	readonly agentCodes = new Map<string, { sessionId: string; used: boolean }>();
	readonly login = { username: 'admin@northwind-reseller.example', password: 'correct-horse-battery-staple' };
	/** Makes an identifier of a key, as the deployment's are. */
	readonly makeId: MakeId;
	/** The identifier of a role as a company has it. */
	readonly roleIdOf: typeof companyRoleId;
	/** The moment that seeded dates are based on. */
	readonly day: number;
	readonly #today: number | undefined;
	readonly #holdings = new Map<string, Holdings>();
	#flat: Company[] | undefined;
	#byId: Map<string, Company> | undefined;
	#made = 0;

	/** @param beginning stays as it is: the world takes a copy */
	constructor(
		beginning: Beginning,
		readonly personality: PersonalityName,
	) {
		this.makeId = makeIdOf(personality);
		this.#today = beginning.today;
		this.day = beginning.today ?? EPOCH;
		this.roleIdOf = personality === 'deployed' ? companyRoleId : (_company, name) => roleId(name);
		({
			reseller: this.reseller,
			foreign: this.foreign,
			tree: this.tree,
			catalogue: this.catalogue,
			groups: this.groups,
		} = structuredClone(beginning));
		this.#seedSignIn('reseller', 'Reseller', this.reseller);
		this.#seedSignIn('company-admin', 'Company Admin', this.adminCompany);
		this.#seedSignIn('blocked', 'Reseller', this.reseller, {
			hasIpAddressRestriction: true,
			allowedIpAddresses: ['203.0.113.0/24'],
		});
		this.#seedSignIn('limited', 'Reseller', this.reseller, {
			lacks: ['companies/search|POST', 'leaderboard/get-all/export|POST'],
		});
	}

	/** The company of the Company Admin credential. */
	get adminCompany(): Company {
		return this.tree[0] ?? this.reseller;
	}

	/** All managed companies in listing order, nested ones after their parents. */
	get companies(): Company[] {
		return (this.#flat ??= flatten(this.tree));
	}

	get trainings(): Training[] {
		return [...this.catalogue, ...this.#all(({ trainings }) => trainings)];
	}

	get targetGroups() {
		return this.#all(({ targetGroups }) => targetGroups);
	}

	get enrollments() {
		return this.#all(({ enrollments }) => enrollments);
	}

	get clients() {
		return this.#all(({ clients }) => clients);
	}

	#all<T>(what: (holdings: Holdings) => T[]): T[] {
		return [this.reseller, ...this.companies].flatMap((company) => what(this.of(company)));
	}

	/** A managed company by its id. */
	company(id: string): Company | undefined {
		this.#byId ??= new Map(this.companies.map((company) => [company.companyResourceId, company]));
		return this.#byId.get(id);
	}

	/** Everything of one company, the reseller's own included; an identifier that is nobody's is the reseller's too. */
	of(which: Company | string): Holdings {
		const company = typeof which === 'string' ? (this.company(which) ?? this.reseller) : which;
		const there = this.#holdings.get(company.companyResourceId);
		if (there) return there;
		const made = new Holdings(company, this.catalogue, this.makeId, this.roleIdOf, this.#today);
		this.#holdings.set(company.companyResourceId, made);
		return made;
	}

	/** Notes what an operation did to a record, beside what is noted there already. */
	note(resourceId: string, done: Record<string, unknown>): void {
		this.notes.set(resourceId, { ...this.notes.get(resourceId), ...done });
	}

	notesOn(resourceId: string): Record<string, unknown> {
		return this.notes.get(resourceId) ?? {};
	}

	/** Adds a company at the end of the top level, or under another one. */
	add(company: Company, parent: Company | undefined): void {
		(parent ? parent.children : this.tree).push(company);
		this.#flat = undefined;
		this.#byId = undefined;
	}

	/** Removes a company, and with it those below it. */
	remove(company: Company): void {
		const siblings = [this.tree, ...this.companies.map(({ children }) => children)].find((all) =>
			all.includes(company),
		);
		siblings?.splice(siblings.indexOf(company), 1);
		this.#flat = undefined;
		this.#byId = undefined;
		for (const group of this.groups)
			group.companyResourceIdArray = group.companyResourceIdArray.filter((id) => this.company(id));
	}

	/** The identifier of a thing that is created now: the same in every run of the same requests. */
	newId(kind: string): string {
		const key = `made ${kind} ${++this.#made}`;
		// The identifier of an enrollment is a GUID everywhere.
		return kind === 'enrollment' ? guid(key) : this.makeId(key);
	}

	/** Whoever may sign in with this id; the newest when an id was taken twice. */
	signIn(clientId: string): ApiClientRecord | undefined {
		return this.signIns.findLast((client) => client.clientId === clientId);
	}

	#seedSignIn(name: string, role: string, company: Company, more: Partial<ApiClientRecord> = {}): void {
		const client: ApiClientRecord = {
			resourceId: this.makeId(`client ${name}`),
			companyResourceId: company.companyResourceId,
			name: `Stand-in ${name}`,
			clientId: `${name}-client`,
			clientSecret: `${name}-secret-${guid(`secret ${name}`).slice(0, 13)}`,
			statusId: 1,
			hasIpAddressRestriction: false,
			allowedIpAddresses: [],
			roleResourceIdList: [this.roleIdOf(company.companyResourceId, role)],
			createTime: '2025-06-01T09:00:00.000Z',
			lacks: [],
			...more,
		};
		this.signIns.push(client);
		this.of(company).clients.push(client);
	}
}

import { fullReportCampaign, fullReportOf, type FullReportJob } from './full-report';
import { between, guid, seeded, shortId, type MakeId } from './random';
import { SIMULATORS, type PersonalityName, type Simulator } from './personality';
import {
	seedCampaigns,
	seedCatalogue,
	seedCompanies,
	seedCompany,
	seedEnrollments,
	seedOwnTrainings,
	seedTargetGroups,
	seedUsers,
	type Campaign,
	type Company,
	type Enrollment,
	type TargetGroup,
	type TargetUser,
	type Training,
} from './seed';

/** A file that somebody uploaded. */
export type Upload = { fileName: string; mimeType: string; bytes: number; sha256: string };

/** A group of companies (contract 2.14). */
export type CompanyGroup = { resourceId: string; name: string; companyResourceIdArray: string[]; createTime: string };

/** A REST API client (contract 2.11). */
export type ApiClientRecord = {
	resourceId: string;
	companyResourceId: string;
	name: string;
	clientId: string;
	clientSecret: string;
	statusId: number;
	hasIpAddressRestriction: boolean;
	allowedIpAddresses: string[];
	roleResourceIdList: string[];
	createTime: string;
	/** Permissions that this one lacks although its role has them. */
	lacks: string[];
};

/** A system user (contract 2.12) as it was asked for. */
export type SystemUser = {
	resourceId: string;
	companyResourceId: string;
	email: string;
	asked: Record<string, unknown>;
};

/** A SCIM integration (contract 2.13). */
export type Scim = {
	resourceId: string;
	companyResourceId: string;
	name: string;
	token: string;
	/** How often a token was made; 1 after creation. */
	tokenVersion: number;
	groupResourceId: string | null;
	createTime: string;
	asked: Record<string, unknown>;
};

/** A direct-email setting (contract 4.6). */
export type EmailSetting = {
	resourceId: string;
	companyResourceId: string;
	name: string;
	tenantId: string;
	allowedDomains: string[];
	type: number;
	isDefault: boolean;
	testsSent: number;
};

/** A SAML setting (contract 2.15) with the metadata file that came with it. */
export type SamlSetting = {
	resourceId: string;
	companyResourceId: string;
	asked: Record<string, unknown>;
	file: Upload;
};

/** Names of the roles that decide (contract 2.10). */
export const ROLES = ['Company Admin', 'Reseller', 'Report Viewer'] as const;

/** The identifier of a role. */
export function roleId(name: string): string {
	return guid(`role ${name}`);
}

/** The identifier of a role where each company has roles of its own. */
export function companyRoleId(companyResourceId: string, name: string): string {
	return shortId(`role ${companyResourceId} ${name}`);
}

/** A credential that people sign in with. */
export interface Client {
	clientId: string;
	clientSecret: string;
	role: string;
	companyResourceId?: string;
}

/** What belongs to one company. Made when first looked at, so that starting stays fast. */
export class Holdings {
	clients: ApiClientRecord[] = [];
	systemUsers: SystemUser[] = [];
	scim: Scim[] = [];
	emailSettings: EmailSetting[] = [];
	samlSettings: SamlSetting[] = [];
	googleCode: string | undefined;
	#users: TargetUser[] | undefined;
	#groups: TargetGroup[] | undefined;
	#trainings: Training[] | undefined;
	#enrollments: Enrollment[] | undefined;
	readonly #campaigns = new Map<Simulator, Campaign[]>();

	constructor(
		readonly company: Company,
		private readonly catalogue: readonly Training[],
		private readonly makeId: MakeId,
		roleIdOf: typeof companyRoleId,
		/** Whether it has the job with 500 people. */
		private readonly hasBigJob: boolean,
	) {
		const companyResourceId = company.companyResourceId;
		this.clients.push({
			resourceId: makeId(`client ${companyResourceId}`),
			companyResourceId,
			name: 'Reporting Integration',
			clientId: guid(`client id ${companyResourceId}`).replaceAll('-', ''),
			clientSecret: guid(`client secret ${companyResourceId}`),
			statusId: 1,
			hasIpAddressRestriction: false,
			allowedIpAddresses: [],
			roleResourceIdList: [roleIdOf(companyResourceId, 'Company Admin')],
			createTime: '2025-09-01T09:00:00.000Z',
			lacks: [],
		});
		this.scim.push({
			resourceId: makeId(`scim ${companyResourceId}`),
			companyResourceId,
			name: 'Directory Sync',
			token: guid(`scim token ${companyResourceId}`),
			tokenVersion: 1,
			groupResourceId: null,
			createTime: '2025-09-02T09:00:00.000Z',
			asked: {},
		});
	}

	get users(): TargetUser[] {
		return (this.#users ??= seedUsers(this.company, this.makeId));
	}

	get targetGroups(): TargetGroup[] {
		return (this.#groups ??= seedTargetGroups(this.company, this.users, this.makeId));
	}

	/** Its own trainings; the shared catalogue comes on top of these. */
	get trainings(): Training[] {
		return (this.#trainings ??= seedOwnTrainings(this.company));
	}

	get enrollments(): Enrollment[] {
		return (this.#enrollments ??= seedEnrollments(
			this.company,
			[...this.catalogue, ...this.trainings],
			this.targetGroups,
		));
	}

	campaigns(simulator: Simulator): Campaign[] {
		const there = this.#campaigns.get(simulator);
		if (there) return there;
		const made = seedCampaigns(this.company, simulator, this.targetGroups, this.makeId);
		if (this.hasBigJob) made.push(fullReportCampaign(this.company, simulator, this.makeId));
		this.#campaigns.set(simulator, made);
		return made;
	}

	/** The people that an enrollment or campaign reaches. */
	members(groupIds: readonly string[]): TargetUser[] {
		const ids = new Set(
			this.targetGroups
				.filter((group) => groupIds.includes(group.resourceId))
				.flatMap((group) => group.userResourceIds),
		);
		return this.users.filter((user) => ids.has(user.resourceId));
	}
}

/** A company and all below it, depth first. */
export function flatten(companies: readonly Company[]): Company[] {
	return companies.flatMap((company) => [company, ...flatten(company.children)]);
}

/** Everything the service knows. Dropped and made anew by a reset. */
export class World {
	/** The reseller's own company: not one of its customers. */
	readonly reseller: Company;
	/** A company of another reseller. */
	readonly foreign: Company;
	readonly tree: Company[];
	readonly catalogue: Training[] = seedCatalogue();
	readonly details = new Map<string, Record<string, unknown>>();
	readonly logos = new Map<string, Upload>();
	groups: CompanyGroup[];
	/** Every client that may sign in, the newest last. */
	readonly signIns: ApiClientRecord[] = [];
	readonly generated = new Map<string, string>();
	readonly agentCodes = new Map<string, { sessionId: string; used: boolean }>();
	readonly login = { username: 'admin@northwind-reseller.example', password: 'correct-horse-battery-staple' };
	readonly #holdings = new Map<string, Holdings>();
	#flat: Company[] | undefined;
	#byId: Map<string, Company> | undefined;
	#made = 0;

	/** Makes an identifier of a key, as the deployment's are. */
	readonly makeId: MakeId;
	/** The identifier of a role as a company has it. */
	readonly roleIdOf: typeof companyRoleId;

	constructor(
		count: number,
		startedAt: number,
		readonly personality: PersonalityName,
		private readonly bigJob = false,
	) {
		this.makeId = personality === 'deployed' ? shortId : guid;
		this.roleIdOf = personality === 'deployed' ? companyRoleId : (_company, name) => roleId(name);
		const { makeId } = this;
		const resellerName = 'Northwind Reseller';
		this.reseller = seedCompany(makeId('the reseller'), resellerName, resellerName);
		this.foreign = seedCompany(makeId('a foreign company'), 'Somebody Else Ltd', 'Another Reseller');
		this.tree = seedCompanies(count, resellerName, startedAt, personality === 'renamed', makeId);
		this.groups = this.#seedGroups();
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

	/** Where the job with 500 people is, if it is asked for: at the company that CustomerFixture acts for, and at the Company Admin's. */
	get bigJobCompanies(): Company[] {
		return [this.companies.find(({ companyName }) => companyName === 'Harbour Bakery'), this.adminCompany].filter(
			(company) => company !== undefined,
		);
	}

	/** All managed companies in listing order, nested ones after their parents. */
	get companies(): Company[] {
		return (this.#flat ??= flatten(this.tree));
	}

	/** A managed company by its id. */
	company(id: string): Company | undefined {
		this.#byId ??= new Map(this.companies.map((company) => [company.companyResourceId, company]));
		return this.#byId.get(id);
	}

	/** Everything of one company. */
	of(company: Company): Holdings {
		const there = this.#holdings.get(company.companyResourceId);
		if (there) return there;
		const made = new Holdings(
			company,
			this.catalogue,
			this.makeId,
			this.roleIdOf,
			this.bigJob && this.bigJobCompanies.includes(company),
		);
		this.#holdings.set(company.companyResourceId, made);
		return made;
	}

	/** Adds a company at the end of the top level, or under another one. */
	add(company: Company, parent: Company | undefined): void {
		(parent ? parent.children : this.tree).push(company);
		this.#flat = undefined;
		this.#byId = undefined;
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

	#seedGroups(): CompanyGroup[] {
		const next = seeded('company groups');
		const all = this.companies;
		if (all.length === 0) return [];
		return Array.from({ length: 30 }, (_, i) => ({
			resourceId: this.makeId(`company group ${i}`),
			name: i === 0 ? 'Bakeries' : i === 1 ? 'Größte Kunden' : `Region ${String(i).padStart(2, '0')}`,
			companyResourceIdArray:
				i === 0
					? all.filter((company) => company.companyName?.includes('Bakery')).map((company) => company.companyResourceId)
					: [
							...new Set(
								Array.from(
									{ length: between(next, 0, 12) },
									() => all[between(next, 0, all.length - 1)]?.companyResourceId ?? '',
								),
							),
						].filter(Boolean),
			createTime: new Date(Date.UTC(2025, i % 12, 1 + i, 10)).toISOString(),
		}));
	}
}

/** The world as tests look at it: always the present one, also after a reset. */
export interface State {
	readonly companies: Company[];
	readonly tree: Company[];
	readonly reseller: Company;
	readonly foreign: Company;
	readonly companyDetails: Record<string, Record<string, unknown>>;
	readonly logos: Record<string, Upload>;
	readonly groups: CompanyGroup[];
	readonly users: TargetUser[];
	readonly targetGroups: TargetGroup[];
	readonly trainings: Training[];
	readonly enrollments: Enrollment[];
	readonly campaigns: Campaign[];
	readonly clients: ApiClientRecord[];
	readonly systemUsers: SystemUser[];
	readonly scim: Scim[];
	readonly emailSettings: EmailSetting[];
	readonly samlSettings: SamlSetting[];
	readonly login: { username: string; password: string };
	/** What belongs to one company. */
	of(companyResourceId: string): Holdings;
	/**
	 * The job of a simulator with exactly 500 people, 100 of whom opened, 50 clicked, 20 submitted and 5 clicked without
	 * having opened. @param companyResourceId 'Harbour Bakery', unless given; the Company Admin's company has one too
	 * @throws Error when the service was started without the option bigJob
	 */
	fullReportJob(simulator: Simulator, companyResourceId?: string): FullReportJob;
}

/** A view on the present world. */
export function stateOf(world: () => World): State {
	const all = <T>(what: (holdings: Holdings) => T[]): T[] =>
		[world().reseller, ...world().companies].flatMap((company) => what(world().of(company)));
	return {
		get companies() {
			return world().companies;
		},
		get tree() {
			return world().tree;
		},
		get reseller() {
			return world().reseller;
		},
		get foreign() {
			return world().foreign;
		},
		get companyDetails() {
			return Object.fromEntries(world().details);
		},
		get logos() {
			return Object.fromEntries(world().logos);
		},
		get groups() {
			return world().groups;
		},
		get users() {
			return all((holdings) => holdings.users);
		},
		get targetGroups() {
			return all((holdings) => holdings.targetGroups);
		},
		get trainings() {
			return [...world().catalogue, ...all((holdings) => holdings.trainings)];
		},
		get enrollments() {
			return all((holdings) => holdings.enrollments);
		},
		get campaigns() {
			return all((holdings) => SIMULATORS.flatMap((simulator) => holdings.campaigns(simulator)));
		},
		get clients() {
			return all((holdings) => holdings.clients);
		},
		get systemUsers() {
			return all((holdings) => holdings.systemUsers);
		},
		get scim() {
			return all((holdings) => holdings.scim);
		},
		get emailSettings() {
			return all((holdings) => holdings.emailSettings);
		},
		get samlSettings() {
			return all((holdings) => holdings.samlSettings);
		},
		get login() {
			return world().login;
		},
		of(companyResourceId) {
			const company =
				companyResourceId === world().reseller.companyResourceId
					? world().reseller
					: world().company(companyResourceId);
			if (!company) throw new Error(`The stand-in service has no company ${companyResourceId}`);
			return world().of(company);
		},
		fullReportJob(simulator, companyResourceId) {
			const [company] = world().bigJobCompanies.filter(
				(entry) => companyResourceId === undefined || entry.companyResourceId === companyResourceId,
			);
			const job = company && fullReportOf(world().of(company).campaigns(simulator));
			if (!job) throw new Error('There is no job with 500 people: start the service with bigJob: true');
			return job;
		},
	};
}

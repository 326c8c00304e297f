/** The data that belongs to one company of the stand-in platform. */
import { makeGuid, makeShortId, type IdFactory } from './random';
import type { Simulator } from './profile';
import {
	seedCampaigns,
	seedEnrollments,
	seedOwnTrainings,
	seedReportedEmails,
	seedTargetGroups,
	seedUsers,
	type Campaign,
	type Company,
	type Enrollment,
	type ReportedEmail,
	type Reporter,
	type Schedule,
	type TargetGroup,
	type TargetUser,
	type Training,
} from './seed';

/** An uploaded file, without its content. */
export type UploadedFile = { fileName: string; mimeType: string; bytes: number; sha256: string };

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
	/** The permissions that this client lacks although its role has them. */
	missingPermissions: string[];
};

/** A system user (contract 2.12), with the body of the last request that created or changed the user. */
export type SystemUser = {
	resourceId: string;
	companyResourceId: string;
	email: string;
	requestBody: Record<string, unknown>;
};

/** A SCIM integration (contract 2.13). */
export type ScimIntegration = {
	resourceId: string;
	companyResourceId: string;
	name: string;
	token: string;
	/** The number of tokens created so far; 1 after creation. */
	tokenVersion: number;
	groupResourceId: string | null;
	createTime: string;
	requestBody: Record<string, unknown>;
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
	sentTestCount: number;
};

/** A SAML setting (contract 2.15) with its uploaded metadata file. */
export type SamlSetting = {
	resourceId: string;
	companyResourceId: string;
	requestBody: Record<string, unknown>;
	file: UploadedFile;
};

/** A domain that the platform sends emails to (deployment onboarding 2). The words for the status are invented: no document names them. */
export type AllowedDomain = {
	resourceId: string;
	domain: string;
	txtRecord: string;
	status: 'Verified' | 'Unverified';
	lastCheckTime: string | null;
	verifyTime: string | null;
	createTime: string;
};

/** The names of the roles that determine access (contract 2.10). */
export const ROLE_NAMES = ['Company Admin', 'Reseller', 'Report Viewer'] as const;

/** Returns the ID of a role on the contract's platform, where all companies share roles. */
export function getSharedRoleId(name: string): string {
	return makeGuid(`role ${name}`);
}

/** Returns the ID of a role on a live deployment, where each company has its own roles. */
export function getCompanyRoleId(companyResourceId: string, name: string): string {
	return makeShortId(`role ${companyResourceId} ${name}`);
}

/** An event of a person, such as a click (deployment onboarding 3). It has no ID of its own. */
export interface PersonEvent {
	targetUserResourceId: string;
	/** The ID of the campaign or the enrollment. */
	resourceId: string;
	name: string;
	actionType: string;
	actionTime: string;
	productType: string;
	difficultyType: string | null;
}

/** The client ID and secret that a test signs in with. */
export interface ClientCredential {
	clientId: string;
	clientSecret: string;
	role: string;
	companyResourceId?: string;
}

/** An entry of the audit log, as far as tests set it. */
export interface AuditEntry {
	resourceId: string;
	userName: string;
	entityName: string;
	operation: string;
	auditDescription: string;
	logDate: string;
}

/** The records of one company. They are created on first use, so that the stand-in starts fast. */
export class CompanyData {
	clients: ApiClientRecord[] = [];
	systemUsers: SystemUser[] = [];
	scimIntegrations: ScimIntegration[] = [];
	emailSettings: EmailSetting[] = [];
	samlSettings: SamlSetting[] = [];
	/** Events that a test added to those of the company's campaign jobs and enrollments. */
	personEvents: PersonEvent[] = [];
	/** The schedules for emailing reports; undefined until the first request for them. */
	schedules: Schedule[] | undefined;
	googleCode: string | undefined;
	/** The entries of the audit log that a test added. */
	auditEntries: AuditEntry[] = [];
	#allowedDomains: AllowedDomain[] | undefined;
	#users: TargetUser[] | undefined;
	#targetGroups: TargetGroup[] | undefined;
	#trainings: Training[] | undefined;
	#enrollments: Enrollment[] | undefined;
	#reportedEmails: ReportedEmail[] | undefined;
	#reporters: Reporter[] | undefined;
	#deletedEnrollments: Enrollment[] | undefined;
	readonly #campaigns = new Map<Simulator, Campaign[]>();

	constructor(
		readonly company: Company,
		private readonly catalogue: readonly Training[],
		private readonly makeId: IdFactory,
		getRoleId: typeof getCompanyRoleId,
		private readonly referenceTime?: number,
	) {
		const companyResourceId = company.companyResourceId;
		this.clients.push({
			resourceId: makeId(`client ${companyResourceId}`),
			companyResourceId,
			name: 'Reporting Integration',
			clientId: makeGuid(`client id ${companyResourceId}`).replaceAll('-', ''),
			clientSecret: makeGuid(`client secret ${companyResourceId}`),
			statusId: 1,
			hasIpAddressRestriction: false,
			allowedIpAddresses: [],
			roleResourceIdList: [getRoleId(companyResourceId, 'Company Admin')],
			createTime: '2025-09-01T09:00:00.000Z',
			missingPermissions: [],
		});
		this.scimIntegrations.push({
			resourceId: makeId(`scim ${companyResourceId}`),
			companyResourceId,
			name: 'Directory Sync',
			token: makeGuid(`scim token ${companyResourceId}`),
			tokenVersion: 1,
			groupResourceId: null,
			createTime: '2025-09-02T09:00:00.000Z',
			requestBody: {},
		});
	}

	get users(): TargetUser[] {
		return (this.#users ??= seedUsers(this.company, this.makeId));
	}

	/** The allowed domains. The seed data contains the verified domain of the users. */
	get allowedDomains(): AllowedDomain[] {
		if (!this.#allowedDomains) {
			this.#allowedDomains = [];
			this.addVerifiedDomain(this.users[0]?.email ?? '');
		}
		return this.#allowedDomains;
	}

	set allowedDomains(domains: AllowedDomain[]) {
		this.#allowedDomains = domains;
	}

	/** Adds the domain of an email address as a verified domain, unless the company has the domain already. */
	addVerifiedDomain(email: string): void {
		const [, domain = ''] = email.split('@');
		if (domain === '' || this.allowedDomains.some((entry) => entry.domain === domain)) return;
		const createTime = '2025-09-01T09:00:00.000Z';
		this.allowedDomains.push({
			resourceId: this.makeId(`allowed domain ${this.company.companyResourceId} ${domain}`),
			domain,
			txtRecord: `domain-verification=${makeGuid(`txt ${domain}`)}`,
			status: 'Verified',
			lastCheckTime: createTime,
			verifyTime: createTime,
			createTime,
		});
	}

	get targetGroups(): TargetGroup[] {
		return (this.#targetGroups ??= seedTargetGroups(this.company, this.users, this.makeId, this.referenceTime));
	}

	/** The company's own trainings, without those of the shared catalogue. */
	get trainings(): Training[] {
		return (this.#trainings ??= seedOwnTrainings(this.company));
	}

	/** The deleted enrollments. The seed data contains one. */
	get deletedEnrollments(): Enrollment[] {
		this.#deletedEnrollments ??= this.enrollments.slice(0, 1).map((enrollment) => ({
			...enrollment,
			resourceId: makeGuid(`deleted ${enrollment.resourceId}`),
			name: `Old ${enrollment.name}`,
		}));
		return this.#deletedEnrollments;
	}

	get enrollments(): Enrollment[] {
		return (this.#enrollments ??= seedEnrollments(
			this.company,
			[...this.catalogue, ...this.trainings],
			this.targetGroups,
			this.referenceTime,
		));
	}

	get reportedEmails(): ReportedEmail[] {
		return (this.#reportedEmails ??= seedReportedEmails(this.company, this.users, this.referenceTime));
	}

	/** The devices with the report add-in. In the seed data, two of three people have one. */
	get reporters(): Reporter[] {
		return (this.#reporters ??= this.users
			.filter((_user, index) => index % 3 !== 0)
			.map(({ resourceId, email }, index) => ({
				resourceId: this.makeId(`add-in ${resourceId}`),
				email,
				lastSeen: new Date(Date.now() - index * 86_400_000).toISOString(),
				hostName: `PC-${index + 1}`,
			})));
	}

	set reporters(reporters: Reporter[]) {
		this.#reporters = reporters;
	}

	/** Returns the campaigns of one simulator. */
	getCampaigns(simulator: Simulator): Campaign[] {
		const existingCampaigns = this.#campaigns.get(simulator);
		if (existingCampaigns) return existingCampaigns;
		const newCampaigns = seedCampaigns(this.company, simulator, this.targetGroups, this.makeId, this.referenceTime);
		this.#campaigns.set(simulator, newCampaigns);
		return newCampaigns;
	}

	/** Returns the users who are in at least one of the target groups. */
	getGroupMembers(groupIds: readonly string[]): TargetUser[] {
		const memberIds = new Set(
			this.targetGroups
				.filter((group) => groupIds.includes(group.resourceId))
				.flatMap((group) => group.userResourceIds),
		);
		return this.users.filter((user) => memberIds.has(user.resourceId));
	}
}

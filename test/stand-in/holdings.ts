/** What belongs to one company of the service. */
import { guid, shortId, type MakeId } from './random';
import type { Simulator } from './personality';
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
	type Schedule,
	type TargetGroup,
	type TargetUser,
	type Training,
} from './seed';

/** A file that somebody uploaded. */
export type Upload = { fileName: string; mimeType: string; bytes: number; sha256: string };

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

/** The records of one company. They are created when first needed, so that the service starts fast. */
export class Holdings {
	clients: ApiClientRecord[] = [];
	systemUsers: SystemUser[] = [];
	scim: Scim[] = [];
	emailSettings: EmailSetting[] = [];
	samlSettings: SamlSetting[] = [];
	/** When reports are mailed; undefined until somebody asks. */
	schedules: Schedule[] | undefined;
	googleCode: string | undefined;
	#users: TargetUser[] | undefined;
	#groups: TargetGroup[] | undefined;
	#trainings: Training[] | undefined;
	#enrollments: Enrollment[] | undefined;
	#reported: ReportedEmail[] | undefined;
	#archive: Enrollment[] | undefined;
	readonly #campaigns = new Map<Simulator, Campaign[]>();

	constructor(
		readonly company: Company,
		private readonly catalogue: readonly Training[],
		private readonly makeId: MakeId,
		roleIdOf: typeof companyRoleId,
		private readonly today?: number,
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
		return (this.#groups ??= seedTargetGroups(this.company, this.users, this.makeId, this.today));
	}

	/** Its own trainings; the shared catalogue comes on top of these. */
	get trainings(): Training[] {
		return (this.#trainings ??= seedOwnTrainings(this.company));
	}

	/** Enrollments that were deleted: one of them long ago. */
	get archive(): Enrollment[] {
		this.#archive ??= this.enrollments.slice(0, 1).map((enrollment) => ({
			...enrollment,
			resourceId: guid(`deleted ${enrollment.resourceId}`),
			name: `Old ${enrollment.name}`,
		}));
		return this.#archive;
	}

	get enrollments(): Enrollment[] {
		return (this.#enrollments ??= seedEnrollments(
			this.company,
			[...this.catalogue, ...this.trainings],
			this.targetGroups,
			this.today,
		));
	}

	get reportedEmails(): ReportedEmail[] {
		return (this.#reported ??= seedReportedEmails(this.company, this.users, this.today));
	}

	campaigns(simulator: Simulator): Campaign[] {
		const there = this.#campaigns.get(simulator);
		if (there) return there;
		const made = seedCampaigns(this.company, simulator, this.targetGroups, this.makeId, this.today);
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

import type { Simulator } from '../personality';

// Type aliases rather than interfaces: an alias may be handed on as a plain record.

/** A company as company search lists it (contract 2.4). */
export type Company = {
	companyName: string | null;
	companyResourceId: string;
	resellerName: string;
	industryName: string;
	industryResourceId: string;
	licenseTypeName: string;
	licenseTypeResourceId: string;
	isNumberOfUsersLimited: boolean;
	numberOfUsers: string;
	privacyDurationId: number;
	licenceExpired: boolean;
	licenseEndDate: string;
	createTime: string;
	targetUserCount: number;
	children: Company[];
	tags: string[];
	deletedTargetUserCount: number;
	inactiveTargetUserCount: number;
	monthlyActiveUserCount: number;
};

/** A group of companies (contract 2.14). */
export type CompanyGroup = { resourceId: string; name: string; companyResourceIdArray: string[]; createTime: string };

/** A person who gets trainings and simulations. */
export type TargetUser = {
	resourceId: string;
	firstName: string;
	lastName: string;
	email: string;
	department: string;
	language: string;
	companyResourceId: string;
	companyName: string | null;
};

/** A target group item (contract 2.6); the company's id is the service's own knowledge. */
export type TargetGroup = {
	resourceId: string;
	name: string;
	companyName: string | null;
	priority: string;
	userCount: number;
	createTime: string;
	updateTime: string;
	companyResourceId: string;
	userResourceIds: string[];
	/** Whether an identity provider fills it. */
	isScimGroup?: boolean;
	/** The body it was created with, and those it was started with. */
	asked?: Record<string, unknown>;
	starts?: Array<Record<string, unknown>>;
};

/** A training item (contract 2.5). */
export type Training = {
	trainingId: string;
	trainingName: string;
	description: string;
	createdBy: string;
	category: string;
	targetAudience: string;
	type: string;
	duration: string;
	level: string;
	vendorName: string;
	createTime: string;
	isNew: boolean;
	isFavourite: boolean;
	isEditable: boolean;
	hasQuiz: boolean;
	tags: string[];
	languages: string[];
	compliances: string[];
	availableFor: string[];
	coverImage: { imageUrl: string; name: string };
	trainingRoles: Array<{ roleId: number; code: string; roleName: string }>;
};

/** An enrollment: what was asked for at its creation, and what became of it. */
export type Enrollment = {
	resourceId: string;
	name: string;
	companyResourceId: string;
	trainingId: string;
	trainingName: string;
	category: string;
	targetAudience: string;
	type: string;
	enrolledBy: string;
	delivery: string;
	status: string;
	certificateName: string;
	languages: string[];
	tags: string[];
	startDate: string;
	dueDate: string | null;
	createTime: string;
	awardCertificate: boolean;
	markedAsTest: boolean;
	excludeFromReports: boolean;
	autoEnroll: boolean;
	hasReminder: boolean;
	sendTemplatesInPreferredLanguage: boolean;
	targetGroupResourceIds: string[];
	/** How often it was sent; more than once shows a doubled write. */
	sendCount: number;
	/** Seeded enrollments have progress, new ones do not yet. */
	seeded: boolean;
	/** The body it was created with. */
	asked: Record<string, unknown>;
};

/** A simulator's campaign with the runs (instance groups) of it. */
export type Campaign = {
	resourceId: string;
	name: string;
	simulator: Simulator;
	companyResourceId: string;
	companyName: string | null;
	status: string;
	scenario: string;
	difficulty: string;
	createTime: string;
	excludeFromReports: boolean;
	instanceGroups: number[];
	userResourceIds: string[];
	/** The body it was created with, and those it was started with. */
	asked?: Record<string, unknown>;
	starts?: Array<Record<string, unknown>>;
};

/** A real mail that somebody reported (deployment activity, 2). */
export type ReportedEmail = {
	resourceId: string;
	subject: string;
	reportedBy: string;
	from: string;
	senderName: string;
	senderIp: string;
	htmlBody: string;
	status: string;
	result: string;
	tags: string[];
	note: string | null;
	customMessage: string | null;
	isNotifyUser: boolean;
	createTime: string;
	sha512: string;
	/** How many mails its reporter got about it. */
	mailsSent: number;
};

/** When a report is mailed by itself: what it was asked for with, and whether it is on. */
export type Schedule = {
	resourceId: string;
	status: number;
	reportType: number;
	reportResourceId: string;
	name: string;
	frequency: number;
	emailAddresses: string[];
	managerEmails: string[];
	targetGroupResourceIds: string[];
	[more: string]: unknown;
};

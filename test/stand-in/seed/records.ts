import type { Simulator } from '../profile';

// Records are type aliases instead of interfaces, because TypeScript accepts only aliases as a Record<string, unknown>.

/** A company with the fields that the company search returns (contract 2.4). */
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

/** A device of a person with the report add-in (deployment onboarding 4). */
export type Reporter = { resourceId: string; email: string; lastSeen: string | null; hostName: string };

/** A group of companies (contract 2.14). */
export type CompanyGroup = { resourceId: string; name: string; companyResourceIdArray: string[]; createTime: string };

/** A person who receives trainings and simulated attacks. */
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

/**
 * A target group: the fields that searches return (contract 2.6), and its company and members, which they do not
 * return.
 */
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
	/** True if an identity provider fills the group. */
	isScimGroup?: boolean;
};

/** A training with the fields that searches return (contract 2.5). */
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

/** An enrollment: the values that it was created with, and its current state. */
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
	/** How many times the enrollment was sent. Tests use it to find writes that were repeated by mistake. */
	sendCount: number;
	/** True for seeded enrollments. Only in these do users have progress. */
	isSeeded: boolean;
	/** The request body that last created or changed the enrollment. */
	requestBody: Record<string, unknown>;
};

/** A simulation campaign. It has one instance group for each time it was sent. */
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
	/** The times at which requests started jobs, by instance group. */
	sentTimes?: Record<number, string>;
	userResourceIds: string[];
	/** The request body that created the campaign. */
	createBody?: Record<string, unknown>;
	/** The request bodies that started the campaign, in order. */
	startBodies?: Array<Record<string, unknown>>;
};

/** A suspicious email that a user reported (deployment activity 2). */
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
	/** The number of emails that the user who reported it has received about it. */
	sentEmailCount: number;
};

/**
 * A schedule for emailing a report: the values that it was created with, and its status, which is 1 if it is turned on.
 */
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
	[otherField: string]: unknown;
};

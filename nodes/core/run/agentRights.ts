import { AGENT_LEVELS, type AgentLevel } from '../http/credential';

/**
 * The level of rights that an AI agent needs to run an operation, or 'never' if no agent may run it. 'never' is for operations that
 * output or take a secret, delete, revoke or replace something, give access to the platform, or can't be undone. It is also for
 * operations with files, because n8n passes a tool's files to the model (n8n 7).
 */
export type AgentRight = AgentLevel | 'never';

/** The rights for the campaigns of the three simulators. Some of these operations exist only for phishing. */
const CAMPAIGN_RIGHTS = {
	clicked: 'read',
	create: 'change',
	createAndStart: 'email',
	delete: 'never',
	export: 'never',
	exportJobs: 'never',
	exportPeople: 'never',
	fullReport: 'read',
	fullReportOfPeriod: 'read',
	get: 'read',
	getActivity: 'read',
	getJobSummary: 'read',
	getMany: 'read',
	getManyJobs: 'read',
	getManyScenarios: 'read',
	getReportFile: 'never',
	opened: 'read',
	reported: 'read',
	resendJob: 'email',
	resendJobToPeople: 'email',
	searchJobUsers: 'read',
	start: 'email',
	// Stopping may be final, because no document describes how to continue a stopped job.
	stopJob: 'never',
	submitted: 'read',
} as const;

/**
 * The rights of AI agents, by resource and operation. They are defined only here. An operation that is missing here is never allowed.
 */
export const AGENT_RIGHTS: Readonly<Record<string, Readonly<Record<string, AgentRight>>>> = {
	account: {
		checkAccess: 'read',
		exchangeAgentCode: 'never',
		getAgentLoginUrl: 'never',
		getAuditLogs: 'read',
		login: 'never',
		// A logout ends a user's session.
		logout: 'never',
	},
	apiClient: {
		// The form takes the client's secret, which the model would have to know.
		create: 'never',
		delete: 'never',
		generateCredentials: 'never',
		get: 'read',
		getMany: 'read',
		provision: 'never',
		// An update replaces all values of the client, including its secret.
		update: 'never',
	},
	company: {
		checkLicense: 'read',
		create: 'change',
		delete: 'never',
		export: 'never',
		get: 'read',
		getMany: 'read',
		getOwn: 'read',
		getTotalActiveUsers: 'read',
		update: 'change',
	},
	companyGroup: {
		addParticipants: 'change',
		create: 'change',
		delete: 'never',
		export: 'never',
		get: 'read',
		getAllGroups: 'read',
		getMany: 'read',
		getMembers: 'read',
		removeParticipants: 'never',
		replaceParticipants: 'never',
		// `valuesForbiddenToAgents` keeps agents from choosing participants, who would replace the current participants.
		update: 'change',
	},
	directEmailSetting: {
		create: 'change',
		delete: 'never',
		get: 'read',
		getMany: 'read',
		// This replaces the company's default setting, which is used for all of the company's emails.
		makeDefault: 'never',
		test: 'email',
	},
	enrollment: {
		// The platform sends the enrollment at its start date.
		create: 'email',
		createAndSend: 'email',
		// The only group that this operation deletes is one that it has just created.
		createAndSendToPeople: 'email',
		delete: 'never',
		deleteForGood: 'never',
		export: 'never',
		get: 'read',
		getFormDetails: 'read',
		getMany: 'read',
		getManyDeleted: 'read',
		resend: 'email',
		resendCertificate: 'email',
		resendToPeople: 'email',
		// People can open a restored enrollment again, and its reminders and auto-enrollment may continue (deployment activity 8).
		restore: 'email',
		send: 'email',
		// Stopping is final (deployment activity 4): no document describes how to continue a stopped enrollment.
		stop: 'never',
		stopAutoEnrollment: 'never',
		stopReminders: 'never',
		// An update can change the date on which the enrollment is sent.
		update: 'email',
	},
	executiveReport: {
		createScheduledReport: 'email',
		deleteScheduledReport: 'never',
		get: 'read',
		getMany: 'read',
		getScheduledReport: 'read',
		getScheduledReports: 'read',
		getWidgetData: 'read',
		switchScheduledReport: 'email',
		updateScheduledReport: 'email',
	},
	googleOAuth: {
		// This connects a Google account to the platform.
		complete: 'never',
		getConsentUrl: 'change',
		revoke: 'never',
	},
	leaderboard: {
		export: 'never',
		exportUserTimeline: 'never',
		getMany: 'read',
		getTopPerformers: 'read',
		getUserPerformance: 'read',
		getUserTimeline: 'read',
	},
	phishingCampaign: CAMPAIGN_RIGHTS,
	quishingCampaign: CAMPAIGN_RIGHTS,
	smishingCampaign: CAMPAIGN_RIGHTS,
	reportedEmail: {
		export: 'never',
		get: 'read',
		getMany: 'read',
		// An update can email the user who reported the message.
		update: 'email',
	},
	role: {
		getMany: 'read',
	},
	samlSetting: {
		// A SAML setting decides who can sign in.
		create: 'never',
		delete: 'never',
		get: 'read',
		getDefault: 'read',
		getMany: 'read',
	},
	scimIntegration: {
		create: 'never',
		delete: 'never',
		get: 'read',
		getFields: 'read',
		getMany: 'read',
		revokeToken: 'never',
		update: 'change',
	},
	systemUser: {
		// Create gives a new user access to the platform. Update replaces the user's roles.
		create: 'never',
		delete: 'never',
		getMany: 'read',
		update: 'never',
	},
	targetGroup: {
		addMembers: 'change',
		create: 'change',
		delete: 'never',
		get: 'read',
		getMany: 'read',
		getMembers: 'read',
		removeMembers: 'never',
		update: 'change',
	},
	targetUser: {
		create: 'change',
		createOrUpdate: 'change',
		delete: 'never',
		export: 'never',
		get: 'read',
		getCountSummary: 'read',
		getGroups: 'read',
		getMany: 'read',
		importFile: 'never',
		update: 'change',
	},
	training: {
		getMany: 'read',
	},
	trainingReport: {
		exportSendingReport: 'never',
		exportUsers: 'never',
		getActivity: 'read',
		getCertificates: 'read',
		getInteractions: 'read',
		getNotifications: 'read',
		getReminderMails: 'read',
		getSendingReport: 'read',
		getSummary: 'read',
		getUsers: 'read',
		progressOfPeriod: 'read',
	},
};

/** Finds the right that an agent needs to run an operation. @returns 'never' for an unknown operation */
export function findAgentRight(resource: string, operation: string): AgentRight {
	const rights = AGENT_RIGHTS[resource] ?? {};
	// A property that every JavaScript object inherits, such as 'constructor', isn't an operation.
	return Object.hasOwn(rights, operation) ? (rights[operation] ?? 'never') : 'never';
}

/** Returns true if an agent that the credential allows `level` may run an operation that needs `right`. */
export const isWithinLevel = (right: AgentRight, level: AgentLevel): boolean =>
	right !== 'never' && AGENT_LEVELS.indexOf(right) <= AGENT_LEVELS.indexOf(level);

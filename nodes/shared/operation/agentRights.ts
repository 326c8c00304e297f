import { AGENT_LEVELS, type AgentLevel } from '../transport/connection';

/**
 * The level that an operation needs, or 'never': it outputs or takes a secret, deletes, revokes or replaces something, gives
 * access to the platform, can't be undone, or is about a file, because n8n hands a tool's files to the model (n8n-facts 16).
 */
export type AgentRight = AgentLevel | 'never';

/** The operations of the three simulators; phishing alone has some of them. */
const CAMPAIGN = {
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
	// No document has a way to go on with a stopped job.
	stopJob: 'never',
	submitted: 'read',
} as const;

/** What AI agents may do, by resource and operation: the only place that decides it. What is missing here is never allowed. */
export const AGENT_RIGHTS: Readonly<Record<string, Readonly<Record<string, AgentRight>>>> = {
	account: {
		checkAccess: 'read',
		exchangeAgentCode: 'never',
		getAgentLoginUrl: 'never',
		getAuditLogs: 'read',
		login: 'never',
		// It ends the session of a person.
		logout: 'never',
	},
	apiClient: {
		// It takes a client's secret, which a model would have to know.
		create: 'never',
		delete: 'never',
		generateCredentials: 'never',
		get: 'read',
		getMany: 'read',
		provision: 'never',
		// It replaces all values of the client, its secret included.
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
		// Without a choice of participants (`notForAgents`), because that replaces them.
		update: 'change',
	},
	directEmailSetting: {
		create: 'change',
		delete: 'never',
		get: 'read',
		getMany: 'read',
		// It replaces the default of the company, by which all of its emails are sent.
		makeDefault: 'never',
		test: 'email',
	},
	enrollment: {
		// It is sent at its start date, without anything else being done.
		create: 'email',
		createAndSend: 'email',
		// It deletes nothing but the group that it has made itself.
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
		// People can open it again, and its reminders and auto-enrollment, which the trash stopped, may go on (deployment activity, 8).
		restore: 'email',
		send: 'email',
		// Final (deployment activity); no document has a way to go on with a stopped enrollment.
		stop: 'never',
		stopAutoEnrollment: 'never',
		stopReminders: 'never',
		// It changes the date at which it is sent.
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
		// It takes the code of a consent, and connects an account.
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
	phishingCampaign: CAMPAIGN,
	quishingCampaign: CAMPAIGN,
	smishingCampaign: CAMPAIGN,
	reportedEmail: {
		export: 'never',
		get: 'read',
		getMany: 'read',
		// It tells the reporter by email.
		update: 'email',
	},
	role: {
		getMany: 'read',
	},
	samlSetting: {
		// It decides who can sign in.
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
		// A new administrator has access, and the roles of one who is there are replaced.
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

/** Finds the level that an operation needs. */
export function findAgentRight(resource: string, operation: string): AgentRight {
	const rights = AGENT_RIGHTS[resource] ?? {};
	// Names such as 'constructor' are those of every JavaScript object.
	return Object.hasOwn(rights, operation) ? (rights[operation] ?? 'never') : 'never';
}

/** Tells whether a level includes what an operation needs. */
export const isWithinLevel = (right: AgentRight, level: AgentLevel): boolean =>
	right !== 'never' && AGENT_LEVELS.indexOf(right) <= AGENT_LEVELS.indexOf(level);

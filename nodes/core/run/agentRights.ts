import { AGENT_LEVELS, type AgentLevel } from '../http/credential';

/**
 * The level of rights that an AI agent needs to run an operation, or 'never' if no agent may run it. 'never' is for operations that
 * output or take a secret, delete, revoke or replace something, give access to the platform, or can't be undone. It is also for
 * operations with files, because n8n passes a tool's files to the model (n8n 7).
 */
export type AgentRight = AgentLevel | 'never';

/** The rights for the campaigns of the three simulators. Some of these operations exist only for phishing. */
const CAMPAIGN_RIGHTS = {
	campaign: {
		create: 'change',
		createAndStart: 'email',
		delete: 'never',
		export: 'never',
		get: 'read',
		getDeliveryDomains: 'read',
		getMany: 'read',
		start: 'email',
	},
	campaignJob: {
		export: 'never',
		getMany: 'read',
		getReportFile: 'never',
		getSummary: 'read',
		resend: 'email',
		resendToPeople: 'email',
		// Stopping may be final, because no document describes how to continue a stopped job.
		stop: 'never',
	},
	result: {
		export: 'never',
		getClicked: 'read',
		getFullReport: 'read',
		getMany: 'read',
		getManyByPeriod: 'read',
		getOpened: 'read',
		getReported: 'read',
		getSubmitted: 'read',
	},
	scenario: {
		getMany: 'read',
	},
	userActivity: {
		getMany: 'read',
	},
} as const;

/** The rights for the operations of one node, by resource and operation. */
type NodeRights = Readonly<Record<string, Readonly<Record<string, AgentRight>>>>;

/**
 * The rights of AI agents, by node, resource and operation. They are defined only here. An operation that is missing here is never allowed.
 */
export const AGENT_RIGHTS: Readonly<Record<string, NodeRights>> = {
	account: {
		account: {
			checkAccess: 'read',
			login: 'never',
			// A logout ends a user's session.
			logout: 'never',
		},
		agentSignIn: {
			exchangeCode: 'never',
			getLoginUrl: 'never',
		},
		auditLog: {
			getMany: 'read',
		},
	},
	allowedDomain: {
		allowedDomain: {
			create: 'change',
			delete: 'never',
			export: 'never',
			getMany: 'read',
			getTxtRecord: 'change',
			// This skips the proof that the customer owns the domain.
			markAsVerified: 'never',
			verify: 'change',
		},
	},
	apiClient: {
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
	},
	company: {
		company: {
			checkLicense: 'read',
			create: 'change',
			delete: 'never',
			export: 'never',
			get: 'read',
			getAccessWindow: 'read',
			getMany: 'read',
			getOwn: 'read',
			getTotalActiveUsers: 'read',
			update: 'change',
		},
	},
	companyGroup: {
		companyGroup: {
			create: 'change',
			delete: 'never',
			export: 'never',
			get: 'read',
			getMany: 'read',
			listAll: 'read',
			// `valuesForbiddenToAgents` keeps agents from selecting members, who would replace the current members.
			update: 'change',
		},
		member: {
			add: 'change',
			getMany: 'read',
			remove: 'never',
			replace: 'never',
		},
	},
	directEmailSetting: {
		directEmailSetting: {
			create: 'change',
			delete: 'never',
			get: 'read',
			getMany: 'read',
			// This replaces the company's default setting, which is used for all of the company's emails.
			makeDefault: 'never',
			test: 'email',
		},
		smtpSetting: {
			getMany: 'read',
		},
	},
	enrollment: {
		deletedEnrollment: {
			deletePermanently: 'never',
			getMany: 'read',
			// People can open a restored enrollment again, and its reminders and auto-enrollment may continue (deployment activity 8).
			restore: 'email',
		},
		enrollment: {
			// The platform sends the enrollment at its start date.
			create: 'email',
			createAndSend: 'email',
			delete: 'never',
			export: 'never',
			get: 'read',
			getFormOptions: 'read',
			getMany: 'read',
			send: 'email',
			// The only group that this operation deletes is one that it has just created.
			sendToPeople: 'email',
			// Stopping is final (deployment activity 4): no document describes how to continue a stopped enrollment.
			stop: 'never',
			// An update can change the date on which the enrollment is sent.
			update: 'email',
		},
		followUp: {
			resend: 'email',
			resendCertificate: 'email',
			resendToPeople: 'email',
			stopAutoEnrollment: 'never',
			stopReminders: 'never',
		},
	},
	executiveReport: {
		report: {
			get: 'read',
			getMany: 'read',
			getWidgetData: 'read',
		},
		scheduledReport: {
			create: 'email',
			delete: 'never',
			get: 'read',
			getMany: 'read',
			turnOnOrOff: 'email',
			update: 'email',
		},
	},
	googleOAuth: {
		googleOAuth: {
			// This connects a Google account to the platform.
			complete: 'never',
			getConsentUrl: 'change',
			revoke: 'never',
		},
	},
	humanRisk: {
		coverage: {
			getByCustomer: 'read',
			getByPerson: 'read',
		},
		risk: {
			getByCustomer: 'read',
			getByPerson: 'read',
		},
	},
	leaderboard: {
		leaderboard: {
			export: 'never',
			getMany: 'read',
			getTopPerformers: 'read',
		},
		user: {
			exportTimeline: 'never',
			getManyWithTimeline: 'read',
			getPerformance: 'read',
			getTimeline: 'read',
		},
	},
	phishingCampaign: CAMPAIGN_RIGHTS,
	quishingCampaign: CAMPAIGN_RIGHTS,
	reportedEmail: {
		reportedEmail: {
			export: 'never',
			get: 'read',
			getMany: 'read',
			// An update can email the user who reported the message.
			update: 'email',
		},
	},
	role: {
		role: {
			getMany: 'read',
		},
	},
	samlSetting: {
		samlSetting: {
			// A SAML setting decides who can sign in.
			create: 'never',
			delete: 'never',
			get: 'read',
			getDefault: 'read',
			getMany: 'read',
		},
	},
	scimIntegration: {
		scimIntegration: {
			create: 'never',
			delete: 'never',
			get: 'read',
			getFields: 'read',
			getMany: 'read',
			revokeToken: 'never',
			update: 'change',
		},
	},
	smishingCampaign: CAMPAIGN_RIGHTS,
	systemUser: {
		systemUser: {
			// Create gives a new user access to the platform. Update replaces the user's roles.
			create: 'never',
			delete: 'never',
			getMany: 'read',
			update: 'never',
		},
	},
	targetGroup: {
		member: {
			add: 'change',
			getMany: 'read',
			remove: 'never',
		},
		targetGroup: {
			checkReadiness: 'read',
			create: 'change',
			delete: 'never',
			get: 'read',
			getMany: 'read',
			update: 'change',
		},
	},
	targetUser: {
		targetUser: {
			compareWithList: 'read',
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
	},
	training: {
		training: {
			getMany: 'read',
		},
	},
	trainingReport: {
		certificate: {
			getMany: 'read',
		},
		email: {
			export: 'never',
			getNotifications: 'read',
			getReminders: 'read',
			getSendingReport: 'read',
		},
		enrolledUser: {
			export: 'never',
			getInteractions: 'read',
			getMany: 'read',
		},
		progress: {
			getManyByPeriod: 'read',
			getSummary: 'read',
		},
		userActivity: {
			getMany: 'read',
		},
	},
};

/** Finds the right that an agent needs to run an operation. @returns 'never' for an unknown operation */
export function findAgentRight(node: string, resource: string, operation: string): AgentRight {
	const nodeRights = AGENT_RIGHTS[node];
	// A property that every JavaScript object inherits, such as 'constructor', is neither a resource nor an operation.
	if (!nodeRights || !Object.hasOwn(nodeRights, resource)) return 'never';
	const rights = nodeRights[resource] ?? {};
	return Object.hasOwn(rights, operation) ? (rights[operation] ?? 'never') : 'never';
}

/** Returns true if an agent that the credential allows `level` may run an operation that needs `right`. */
export const isWithinLevel = (right: AgentRight, level: AgentLevel): boolean =>
	right !== 'never' && AGENT_LEVELS.indexOf(right) <= AGENT_LEVELS.indexOf(level);

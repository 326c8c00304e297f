import type { ContractKey } from '../request';

/** What an operation does; a deletion is also a write. */
export type Effect = 'read' | 'write' | 'delete';

/**
 * How a request names the company that it is for:
 * - `header`: in the company header; without it, it is for the credential's own company
 * - `path`: as {resourceId} in the path; its answer is that company
 * - `members`: in the body, as a list of companies
 * - `list`: not at all, but its answer is a list of companies, which can be filtered
 * - `own`: not at all; it is about the credential's own company
 * - `none`: not at all; it is about all companies, about none, or about something whose company is not known
 */
export type Binding = 'header' | 'path' | 'members' | 'list' | 'own' | 'none';

export interface Rule {
	effect: Effect;
	binding: Binding;
}

/** A request that is not in the table. */
export const UNKNOWN: Rule = { effect: 'write', binding: 'none' };
/** A request of which it is not certain what it is: everything that can be refused is. */
export const UNCERTAIN: Rule = { effect: 'delete', binding: 'none' };

const SIMULATORS = ['phishing', 'smishing', 'quishing'] as const;
const ACTIONS = ['opened', 'clicked', 'submitted'] as const;

const campaignReads = SIMULATORS.flatMap((simulator): ContractKey[] => {
	const campaign = `/api/${simulator}-simulator/${simulator}-campaign` as const;
	const job = `${campaign}-job-report` as const;
	return [
		`POST ${campaign}/search`,
		`POST ${campaign}/search/export`,
		`POST ${job}/search`,
		`POST ${job}/search/export`,
		`GET ${job}/summary/{resourceId}/{instanceGroup}`,
		`POST ${job}/{searchType}/search/{resourceId}/{instanceGroup}`,
		...ACTIONS.map((action): ContractKey => `POST ${job}/search-email-${action}/{resourceId}`),
		...ACTIONS.map((action): ContractKey => `POST ${job}/search-sms-${action}/{resourceId}`),
	];
});

/**
 * Every operation that this package sends: what it does, and how it names its company. An operation that is not here counts
 * as a write that names no company. The test of the rules compares this table with all operations and lists.
 */
const TABLE: ReadonlyArray<[Effect, Binding, readonly ContractKey[]]> = [
	[
		'read',
		'header',
		[
			...campaignReads,
			'GET /api/companies/clients/{resourceId}',
			'GET /api/companies/saml-settings/default',
			'GET /api/companies/saml-settings/{resourceId}',
			'GET /api/enrollments/form-details',
			'GET /api/enrollments/{resourceId}',
			'GET /api/executive-report/metrics',
			'GET /api/executive-report/{resourceId}',
			'GET /api/leaderboard/form-details',
			'GET /api/roles',
			'GET /api/scim/fields',
			'GET /api/scim/{resourceId}',
			'GET /api/training-reports/form-details',
			'GET /api/training-reports/{enrollmentId}/interactions/{targetUserResourceId}',
			'GET /api/training-reports/{enrollmentId}/summary',
			'POST /api/companies/clients/search',
			'POST /api/companies/direct-email-settings/search',
			'POST /api/companies/saml-settings/search',
			'POST /api/enrollments/search',
			'POST /api/enrollments/{enrollmentId}/certificates/search',
			'POST /api/executive-report/get-widget-datas',
			'POST /api/executive-report/search',
			'POST /api/leaderboard/get-all/export',
			'POST /api/leaderboard/get-user-timeline/export',
			'POST /api/notifications/{enrollmentId}/search',
			'POST /api/scim/search',
			'POST /api/target-groups/search/current-company',
			'POST /api/training-reports/{enrollmentId}/reminder-mails/search',
			'POST /api/training-reports/{enrollmentId}/sending-report/search',
			'POST /api/training-reports/{enrollmentId}/sending-report/search/export',
			'POST /api/training-reports/{enrollmentId}/users/search',
			'POST /api/trainings/search',
		],
	],
	[
		'write',
		'header',
		[
			// A new secret, which the platform shows only once.
			'GET /api/companies/clients/generate-client-credentials',
			// The first step of a sign-in at Google, which connects the company to an account.
			'GET /api/googleoauth/authorize',
			// Google's code can be exchanged only once.
			'GET /api/googleoauth/callback',
			'POST /api/companies/clients',
			'POST /api/companies/direct-email-settings',
			'POST /api/companies/direct-email-settings/test',
			'POST /api/companies/saml-settings',
			'POST /api/enrollments',
			'POST /api/enrollments/{resourceId}/send',
			'POST /api/scim',
			'POST /api/system-users',
			'PUT /api/companies/clients/{resourceId}',
			'PUT /api/companies/direct-email-settings/make-default/{resourceId}',
			'PUT /api/scim/{resourceId}',
		],
	],
	[
		'delete',
		'header',
		[
			'DELETE /api/companies/clients/{resourceId}',
			'DELETE /api/googleoauth/revoke',
			// The token that is in use stops working at once (contract 3).
			'POST /api/scim/{resourceId}/revoke',
		],
	],
	['read', 'path', ['GET /api/companies/{resourceId}']],
	['read', 'own', ['GET /api/companies/my']],
	['read', 'list', ['POST /api/companies/search']],
	// A group itself belongs to the reseller. One that exists may have other companies in it, which only its creation cannot.
	['write', 'members', ['POST /api/company-groups']],
	[
		'write',
		'none',
		[
			// A new company is none of those that are listed.
			'POST /api/companies',
			'PUT /api/company-groups/{resourceId}',
			'PUT /api/company-groups/{resourceId}/participants',
			'GET /api/account/logout',
			'POST /api/account/login',
			'POST /api/agent-auth/login-url',
			'POST /api/agent-auth/token',
			'POST /api/v2/agent-auth/login-url',
			'POST /api/v2/agent-auth/token',
		],
	],
	[
		'read',
		'none',
		[
			// A file cannot be filtered.
			'POST /api/companies/search/export',
			'GET /api/company-groups',
			'GET /api/company-groups/{resourceId}',
			'POST /api/company-groups/search',
			'POST /api/company-groups/search/export',
			'POST /api/company-groups/{resourceId}/companies/search',
			'GET /api/codetypes',
			'GET /api/lookups/licenses',
			'GET /api/lookups/{typeId}',
			'GET /api/timezone/timezones',
		],
	],
];

/** The table by contract key. */
export const RULES: ReadonlyMap<string, Rule> = new Map(
	TABLE.flatMap(([effect, binding, keys]) => keys.map((key): [string, Rule] => [key, { effect, binding }])),
);

/** The rule for a contract key; one that is unknown counts as a write. */
export const ruleFor = (contract: string): Rule => RULES.get(contract) ?? UNKNOWN;

interface Template extends Rule {
	method: string;
	segments: string[];
	/** How many segments are placeholders. */
	open: number;
}

const isPlaceholder = (segment: string) => segment.startsWith('{');

const TEMPLATES = [...RULES].map(([key, rule]): Template => {
	const [method = '', path = ''] = key.split(' ');
	const segments = path.toLowerCase().split('/').slice(1);
	return { ...rule, method, segments, open: segments.filter(isPlaceholder).length };
});

const STRICTNESS: readonly Effect[] = ['read', 'write', 'delete'];

/**
 * The rule for a path. An ID such as "my" makes the path of one operation that of another, and services compare paths without
 * regard to case; so the effect is the strictest of all operations that the path fits, and the binding that of the most
 * specific one, which is the one that a service chooses.
 * @param segments the parts of the path, decoded
 * @returns the rule, and the values at its placeholders; undefined for an unknown path
 */
export function ruleAt(method: string, segments: readonly string[]): { rule: Rule; values: string[] } | undefined {
	const asked = segments.map((segment) => segment.toLowerCase());
	const fitting = TEMPLATES.filter(
		(template) =>
			template.method === method &&
			template.segments.length === asked.length &&
			template.segments.every((segment, index) => isPlaceholder(segment) || segment === asked[index]),
	).sort((one, other) => one.open - other.open);
	const [first] = fitting;
	if (!first) return undefined;
	const effect = STRICTNESS.findLast((each) => fitting.some((template) => template.effect === each)) ?? 'delete';
	return {
		rule: { effect, binding: first.binding },
		values: segments.filter((_segment, index) => isPlaceholder(first.segments[index] ?? '')),
	};
}

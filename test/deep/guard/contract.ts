/**
 * What the contract says of a request: whether it changes something, and which companies it names. Written from the
 * contract's section 4 and from deployment-beyond.md, for a server that knows nothing of the nodes.
 */
import type { Arrived } from './front';

const ONE = '[^/]+';
const SIMULATOR = '(?:phishing|smishing|quishing)';
const CAMPAIGN = `${SIMULATOR}-simulator/${SIMULATOR}-campaign`;

/** The POSTs that only ask. */
const ASKING = [
	...['companies', 'company-groups'].map((list) => `${list}/search(?:/export)?`),
	...['companies/clients/search', 'scim/search', 'trainings/search', 'target-groups/search/current-company'],
	...['enrollments/search(?:/export)?', `company-groups/${ONE}/companies/search`, 'system-users/search'],
	...['sending-report', 'reminder-mails', 'users'].map((list) => `training-reports/${ONE}/${list}/search(?:/export)?`),
	...[`enrollments/${ONE}/certificates/search`, `notifications/${ONE}/search`],
	...[`${CAMPAIGN}/search(?:/export)?`, `${CAMPAIGN}-job-report/search(?:/export)?`],
	`${CAMPAIGN}-job-report/(?!search/)${ONE}/search/(?:export/)?${ONE}/${ONE}`,
	`${CAMPAIGN}-job-report/search-(?:email|sms)-[a-z]+/${ONE}`,
	`${SIMULATOR}-simulator/${SIMULATOR}-scenario/search`,
	...['leaderboard/get-all(?:/export)?', 'leaderboard/get-user-timeline(?:/export)?', 'leaderboard/get-top-performers'],
	...['leaderboard/user-performance', 'executive-report/search', 'executive-report/get-widget-datas'],
	...['companies/saml-settings/search', 'companies/direct-email-settings/search', 'report-scheduling/search'],
	...['audit-logs/search', 'target-users/search(?:/export)?'],
	...[`target-users/${ONE}/(?:groups|search)`, `target-groups/${ONE}/users`, 'target-groups/search', 'roles/search'],
].map((path) => new RegExp(`^/api/${path}$`));

/** The GETs that change something: a session ends, a sign-in at Google begins, credentials are stored. */
const CHANGING = ['/api/account/logout', '/api/googleoauth/authorize', '/api/googleoauth/callback'];

const pathOf = ({ target }: Arrived): string => target.split('?')[0] ?? '';

/** Whether a request changes something at the service. */
export function isWrite(request: Arrived): boolean {
	const path = pathOf(request);
	if (request.method === 'GET') return CHANGING.includes(path);
	return request.method !== 'POST' || !ASKING.some((each) => each.test(path));
}

/** Whether a request deletes a thing that has an ID of its own. */
export const isDeleting = ({ method, target }: Arrived): boolean =>
	method === 'DELETE' && !target.startsWith('/api/googleoauth/');

/** What is the same for everybody: lists of countries, time zones, licences. */
const OF_PLATFORM = /^\/api\/(?:lookups|codetypes|timezone)(?:\/|$)/;
/** What is a person's or the reseller's own: no company can be named that it would be limited to. */
const OF_NOBODY = /^\/api\/(?:account|(?:v2\/)?agent-auth)\//;
const GROUP = /^\/api\/company-groups\/([^/]+)(?:\/participants)?$/;

/** How a request can be limited to a company. */
export type Reach =
	/** It has nothing of a company. */
	| { kind: 'platform' }
	/** The list of companies: whoever asks may filter what comes. */
	| { kind: 'companies' }
	/** It cannot be limited, or makes a company: what can it reach? */
	| { kind: 'all' }
	/** Makes a group of companies, or changes one: those in the body and, before, those in it. */
	| { kind: 'group'; id?: string }
	/** The header, the query or the path say which company. */
	| { kind: 'one' };

/** How a request can be limited to a company (contract 4.1). */
export function reachOf(request: Arrived): Reach {
	const path = pathOf(request);
	if (OF_PLATFORM.test(path)) return { kind: 'platform' };
	if (OF_NOBODY.test(path) || path === '/api/companies/my') return { kind: 'all' };
	if (path === '/api/companies/search') return { kind: 'companies' };
	if (path === '/api/companies' && request.method === 'POST') return { kind: 'all' };
	if (path === '/api/company-groups' && request.method === 'POST') return { kind: 'group' };
	const [, id] = (request.method === 'GET' ? null : GROUP.exec(path)) ?? [];
	if (id !== undefined && request.method !== 'POST') return { kind: 'group', id: decoded(id) };
	return { kind: 'one' };
}

/** A text with every percent sign resolved, as one proxy after another would do. */
export function decoded(text: string): string {
	let now = text;
	for (let round = 0; round < 4; round++) {
		const next = now.replace(/(?:%[0-9a-f]{2})+/gi, (escaped) =>
			Buffer.from(escaped.replaceAll('%', ''), 'hex').toString(),
		);
		if (next === now) break;
		now = next;
	}
	return now;
}

/** A name as servers compare it, which are not all careful: "Company_ID " is "companyid". */
const plain = (name: string): string =>
	decoded(name)
		.toLowerCase()
		.replaceAll(/[^a-z]/g, '');

/** Whether something of this name says which company is meant. A company's name, its number of users and so on do not. */
function saysCompany(name: string): boolean {
	const word = plain(name);
	if (word.includes('companygroup') || !/compan(y|ies)/.test(word)) return false;
	return /id|resource|array|list/.test(word) || /^(?:target)?compan(y|ies)$/.test(word);
}

/** What says which company a request is for. */
export interface Naming {
	where: 'header' | 'second header' | 'query' | 'path' | 'body';
	name: string;
	value: string;
}

/** All single values in a value, each with the names that lead to it. */
export function leavesOf(value: unknown, names: string[] = []): Array<{ names: string[]; value: string }> {
	if (typeof value !== 'object' || value === null) return value === null ? [] : [{ names, value: String(value) }];
	return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...names, name]));
}

/** Names in a list of conditions that say which company is wanted: { FieldName: 'CompanyResourceId', Value: ... }. */
function conditionsOf(value: unknown): Naming[] {
	if (typeof value !== 'object' || value === null) return [];
	const fields = new Map(Object.entries(value).map(([name, inner]) => [plain(name), inner]));
	const field = fields.get('fieldname');
	const here: Naming[] =
		typeof field === 'string' && saysCompany(field)
			? leavesOf(fields.get('value')).map((leaf) => ({ where: 'body', name: field, value: leaf.value }))
			: [];
	return [...here, ...Object.values(value).flatMap(conditionsOf)];
}

/** @returns undefined where it is no JSON */
export function jsonOf(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		return undefined;
	}
}

function inBody({ target, headers, body }: Arrived): Naming[] {
	const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
	if (type.startsWith('multipart/'))
		return [...body.matchAll(/name="([^"]*)"(?:\r\n[^\r\n]+)*\r\n\r\n([^\r\n]*)/g)]
			.filter(([, name = '']) => saysCompany(name))
			.map(([, name = '', value = '']) => ({ where: 'body', name, value }));
	const json = jsonOf(body);
	const named = leavesOf(json)
		.filter(({ names }) => names.some(saysCompany))
		.map(({ names, value }): Naming => ({ where: 'body', name: names.join('.'), value }));
	// The list of companies is filtered in any case by whoever asks; what it is searched for limits it further.
	return target.startsWith('/api/companies/search') ? named : [...named, ...conditionsOf(json)];
}

/** What of the path /api/companies/{resourceId} is no ID. */
const WORDS = ['search', 'my', 'clients', 'saml-settings', 'direct-email-settings'];

/** Everything in a request that says which company it is for. @param header the one that this service looks at */
export function namingsOf(request: Arrived, header: string): Naming[] {
	const [path = '', ...rest] = request.target.split('?');
	const query = [...new URLSearchParams(rest.join('?'))];
	const [, company] = /^\/api\/companies\/([^/]+)/.exec(path) ?? [];
	return [
		...request.headers
			.filter(([name]) => name === header || saysCompany(name))
			.map(([name, value]): Naming => ({ where: name === header ? 'header' : 'second header', name, value })),
		...query
			.filter(([name]) => saysCompany(name))
			.map(([name, value]): Naming => ({ where: 'query', name, value: decoded(value) })),
		...(company === undefined || WORDS.includes(company)
			? []
			: [{ where: 'path' as const, name: 'resourceId', value: decoded(company) }]),
		...inBody(request),
	];
}

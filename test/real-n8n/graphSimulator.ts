/**
 * Simulates the parts of Microsoft Entra ID and Microsoft Graph that examples 21 and 23 use, as their public documentation describes them:
 * - learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow: Each tenant has its own token. The tenant may
 *   be named by its ID or its domain. The application's ID and secret are sent as Basic authentication.
 * - learn.microsoft.com/graph/json-batching: POST /$batch returns 200 even if requests in it fail. Each response has its own status.
 * - learn.microsoft.com/graph/api/user-list, group-list: $filter; $select and $expand=manager for the list of users
 * - learn.microsoft.com/graph/paging: A page has 100 users by default. @odata.nextLink is the whole URL of the next page.
 * - learn.microsoft.com/graph/api/group-post-members: 204, or 400 if the person is a member already, or 404 if they don't exist
 * - learn.microsoft.com/graph/api/group-delete-members: 204, or 404 if the person isn't a member
 */
import formbody from '@fastify/formbody';
import fastify from 'fastify';
import { isUndefined, omitBy, pick } from 'lodash';
import { z } from 'zod';

/** The credentials of the application, which works in every tenant, and the name of the group that exists in every tenant. */
export const ENTRA_APP = { user: 'entra-client', password: 'entra-secret', group: 'Security Awareness Overdue' };

/** A simulated failure. It lasts until `clearFaults` is called. */
export interface GraphFault {
	/** The email address of the person, the domain of their address, or the ID of the tenant whose requests fail. */
	subject: string;
	status: 401 | 404 | 429;
	/**
	 * Limits the failure to requests that write. With `fails`, nothing changes. With `lands`, the change is made although the
	 * response is an error.
	 */
	writeFault?: 'fails' | 'lands';
}

/** A user as Graph lists it. A property that a request doesn't select is not returned. */
export interface GraphUser {
	givenName: string | null;
	surname: string | null;
	mail: string | null;
	userPrincipalName: string;
	accountEnabled: boolean;
	userType: 'Member' | 'Guest';
	department: string | null;
	mobilePhone: string | null;
	businessPhones: string[];
	/** The manager, who is only returned if the request expands it. */
	manager?: Pick<GraphUser, 'givenName' | 'surname' | 'mail'>;
}

/** A running simulator of Entra ID and Graph. */
export interface GraphSimulator {
	/** The users of each tenant. Only the list of users returns them. */
	usersByTenant: Map<string, GraphUser[]>;
	/** The base URL. Examples 21 and 23 use `${url}/login` to sign in and `${url}/v1.0` for Graph. */
	url: string;
	/** The email addresses of the members of all tenants' groups. */
	memberEmails: Set<string>;
	/** All requests that write, including refused ones, such as 'POST anna@customer.example'. */
	writeRequests: string[];
	addFault: (fault: GraphFault) => void;
	clearFaults: () => void;
	/** All tokens that the simulator has issued. */
	issuedTokens: string[];
	close: () => Promise<void>;
}

interface GraphResponse {
	status: number;
	body?: object;
}

const batchSchema = z.object({
	requests: z.array(
		z.object({ id: z.string(), method: z.string(), url: z.string(), body: z.record(z.string()).optional() }),
	),
});

/** The number of users on a page, if the request doesn't set $top. */
const DEFAULT_PAGE_SIZE = 100;
const usersQuerySchema = z.object({
	$select: z.string().optional(),
	$expand: z.string().optional(),
	$top: z.coerce.number().default(DEFAULT_PAGE_SIZE),
	$skiptoken: z.coerce.number().default(0),
});

const buildError = (status: number, message: string): GraphResponse => ({ status, body: { error: { message } } });
const buildList = (ids: string[]): GraphResponse => ({ status: 200, body: { value: ids.map((id) => ({ id })) } });
/** Reads the first quoted text in a `$filter`. Two quotation marks in it stand for one. */
const readQuotedText = (filter: string) => (/'((?:''|[^'])*)'/.exec(filter)?.[1] ?? '').replaceAll("''", "'");
const ERROR_MESSAGES = {
	401: 'Access token validation failure.',
	404: 'Resource does not exist or one of its queried reference-property objects are not present.',
	429: 'Too many requests.',
};

/** Starts the simulator on a free port. @param hasPerson returns true if the tenant has a person with this email address */
export async function startGraph(hasPerson: (email: string, tenant: string) => boolean): Promise<GraphSimulator> {
	const memberEmails = new Set<string>();
	const writeRequests: string[] = [];
	const issuedTokens: string[] = [];
	const faults: GraphFault[] = [];
	const usersByTenant = new Map<string, GraphUser[]>();
	const findFault = (subject: string, isWrite: boolean) =>
		faults.find(
			(fault) => [subject, subject.split('@').at(-1)].includes(fault.subject) && (!fault.writeFault || isWrite),
		);

	function handleRequest(
		tenant: string,
		{ method, url, body }: z.infer<typeof batchSchema>['requests'][number],
	): GraphResponse {
		const { pathname, searchParams } = new URL(url, 'http://graph');
		const filterValue = readQuotedText(searchParams.get('$filter') ?? '');
		if (pathname === '/groups') return buildList(filterValue === ENTRA_APP.group ? [`group-${tenant}`] : []);
		if (pathname === '/users') {
			const fault = findFault(filterValue, false);
			if (fault?.status === 404) return buildList([]);
			if (fault) return buildError(fault.status, ERROR_MESSAGES[fault.status]);
			return buildList(hasPerson(filterValue, tenant) ? [`person-${filterValue}`] : []);
		}
		const [, , , , id] = pathname.split('/');
		const email = decodeURIComponent((body?.['@odata.id'] ?? id ?? '').split('person-').at(-1) ?? '');
		writeRequests.push(`${method} ${email}`);
		const fault = findFault(email, true);
		if (fault?.writeFault === 'lands') memberEmails.add(email);
		if (fault) return buildError(fault.status, ERROR_MESSAGES[fault.status]);
		if (method === 'DELETE') return memberEmails.delete(email) ? { status: 204 } : buildError(404, ERROR_MESSAGES[404]);
		if (memberEmails.has(email))
			return buildError(
				400,
				"One or more added object references already exist for the following modified properties: 'members'.",
			);
		memberEmails.add(email);
		return { status: 204 };
	}

	const app = fastify({ forceCloseConnections: true });
	await app.register(formbody);
	app.post('/login/:tenant/oauth2/v2.0/token', async ({ params, headers }, reply) => {
		const { tenant } = z.object({ tenant: z.string() }).parse(params);
		const key = Buffer.from(`${ENTRA_APP.user}:${ENTRA_APP.password}`).toString('base64');
		if (headers.authorization !== `Basic ${key}` || findFault(tenant, false)?.status === 401)
			return await reply
				.code(401)
				.send({ error: 'invalid_client', error_description: 'AADSTS7000215: Invalid client secret.' });
		issuedTokens.push(`token-${issuedTokens.length}-${tenant}`);
		return { token_type: 'Bearer', expires_in: 3599, access_token: issuedTokens.at(-1) };
	});
	app.post('/v1.0/$batch', async ({ headers, body }, reply) => {
		const token = (headers.authorization ?? '').replace('Bearer ', '');
		if (!issuedTokens.includes(token)) return await reply.code(401).send({ error: { message: ERROR_MESSAGES[401] } });
		const tenant = token.split('-').slice(2).join('-');
		return {
			responses: batchSchema
				.parse(body)
				.requests.map((request) => ({ id: request.id, ...handleRequest(tenant, request) })),
		};
	});
	app.get('/v1.0/users', async ({ headers, query, url: path }, reply) => {
		const token = (headers.authorization ?? '').replace('Bearer ', '');
		const tenant = token.split('-').slice(2).join('-');
		const fault = findFault(tenant, false);
		const status = issuedTokens.includes(token) ? fault?.status : 401;
		if (status !== undefined) return await reply.code(status).send({ error: { message: ERROR_MESSAGES[status] } });
		const { $select = '', $expand, $top, $skiptoken } = usersQuerySchema.parse(query);
		const users = usersByTenant.get(tenant) ?? [];
		const end = $skiptoken + $top;
		const nextUrl = new URL(path, url);
		nextUrl.searchParams.set('$skiptoken', String(end));
		const names = $expand === undefined ? $select.split(',') : [...$select.split(','), 'manager'];
		const value = users.slice($skiptoken, end).map((user) => pick(user, names));
		return omitBy({ value, '@odata.nextLink': end < users.length ? nextUrl.href : undefined }, isUndefined);
	});
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	return {
		url,
		usersByTenant,
		memberEmails,
		writeRequests,
		issuedTokens,
		addFault: (fault) => {
			faults.push(fault);
		},
		clearFaults: () => {
			faults.length = 0;
		},
		close: () => app.close(),
	};
}

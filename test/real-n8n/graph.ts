/**
 * A stand-in for Microsoft Entra ID and Microsoft Graph, as far as example 21 uses them and as their public documentation says:
 * - learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow: a token per tenant, which may be named by a
 *   domain; the application's ID and secret as Basic authentication
 * - learn.microsoft.com/graph/json-batching: POST /$batch; 200 says nothing of what is in it, each answer has a status
 * - learn.microsoft.com/graph/api/user-list, group-list: $filter
 * - learn.microsoft.com/graph/api/group-post-members: 204; 400 if it is a member already, 404 if it does not exist
 * - learn.microsoft.com/graph/api/group-delete-members: 204; 404 if it is no member
 */
import formbody from '@fastify/formbody';
import fastify from 'fastify';
import { z } from 'zod';

/** The application that every tenant has agreed to, and the group that each has. */
export const ENTRA_APP = { user: 'entra-client', password: 'entra-secret', group: 'Security Awareness Overdue' };

/** What goes wrong on purpose, for one person's address or a tenant's domain, until it is healed. */
export interface GraphFault {
	about: string;
	status: 401 | 404 | 429;
	/** Only what writes; `lands` if it is done all the same. */
	writes?: 'fails' | 'lands';
}

/** A running stand-in. */
export interface Graph {
	/** The settings for it: `${url}/login`, `${url}/v1.0`. */
	url: string;
	/** The addresses of those who are in the groups. */
	members: Set<string>;
	/** What was written, as 'POST anna@customer.example', also what was refused. */
	writes: string[];
	fault: (fault: GraphFault) => void;
	heal: () => void;
	/** The tokens that were handed out. */
	tokens: string[];
	close: () => Promise<void>;
}

interface Answer {
	status: number;
	body?: object;
}

const batch = z.object({
	requests: z.array(
		z.object({ id: z.string(), method: z.string(), url: z.string(), body: z.record(z.string()).optional() }),
	),
});

const refused = (status: number, message: string): Answer => ({ status, body: { error: { message } } });
const listed = (ids: string[]): Answer => ({ status: 200, body: { value: ids.map((id) => ({ id })) } });
/** The text between the first quotes of a filter. */
const quoted = (filter: string) => (/'((?:''|[^'])*)'/.exec(filter)?.[1] ?? '').replaceAll("''", "'");
const SAYS = {
	401: 'Access token validation failure.',
	404: 'Resource does not exist or one of its queried reference-property objects are not present.',
	429: 'Too many requests.',
};

/** Starts one on a free port of this machine. @param isThere whether a tenant has a person with this address */
export async function startGraph(isThere: (email: string) => boolean): Promise<Graph> {
	const members = new Set<string>();
	const writes: string[] = [];
	const tokens: string[] = [];
	const faults: GraphFault[] = [];
	const faultOf = (about: string, isWrite: boolean) =>
		faults.find((each) => [about, about.split('@').at(-1)].includes(each.about) && (!each.writes || isWrite));

	function answer(tenant: string, { method, url, body }: z.infer<typeof batch>['requests'][number]): Answer {
		const { pathname, searchParams } = new URL(url, 'http://graph');
		const name = quoted(searchParams.get('$filter') ?? '');
		if (pathname === '/groups') return listed(name === ENTRA_APP.group ? [`group-${tenant}`] : []);
		if (pathname === '/users') {
			const fault = faultOf(name, false);
			if (fault?.status === 404) return listed([]);
			return fault ? refused(fault.status, SAYS[fault.status]) : listed(isThere(name) ? [`person-${name}`] : []);
		}
		const [, , , , id] = pathname.split('/');
		const email = decodeURIComponent((body?.['@odata.id'] ?? id ?? '').split('person-').at(-1) ?? '');
		writes.push(`${method} ${email}`);
		const fault = faultOf(email, true);
		if (fault?.writes === 'lands') members.add(email);
		if (fault) return refused(fault.status, SAYS[fault.status]);
		if (method === 'DELETE') return members.delete(email) ? { status: 204 } : refused(404, SAYS[404]);
		if (members.has(email))
			return refused(
				400,
				"One or more added object references already exist for the following modified properties: 'members'.",
			);
		members.add(email);
		return { status: 204 };
	}

	const app = fastify({ forceCloseConnections: true });
	await app.register(formbody);
	app.post('/login/:tenant/oauth2/v2.0/token', async ({ params, headers }, reply) => {
		const { tenant } = z.object({ tenant: z.string() }).parse(params);
		const key = Buffer.from(`${ENTRA_APP.user}:${ENTRA_APP.password}`).toString('base64');
		if (headers.authorization !== `Basic ${key}` || faultOf(tenant, false)?.status === 401)
			return await reply
				.code(401)
				.send({ error: 'invalid_client', error_description: 'AADSTS7000215: Invalid client secret.' });
		tokens.push(`token-${tokens.length}-${tenant}`);
		return { token_type: 'Bearer', expires_in: 3599, access_token: tokens.at(-1) };
	});
	app.post('/v1.0/$batch', async ({ headers, body }, reply) => {
		const token = (headers.authorization ?? '').replace('Bearer ', '');
		if (!tokens.includes(token)) return await reply.code(401).send({ error: { message: SAYS[401] } });
		const tenant = token.split('-').slice(2).join('-');
		return { responses: batch.parse(body).requests.map((request) => ({ id: request.id, ...answer(tenant, request) })) };
	});
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	return {
		url,
		members,
		writes,
		tokens,
		fault: (fault) => void faults.push(fault),
		heal: () => void faults.splice(0),
		close: () => app.close(),
	};
}

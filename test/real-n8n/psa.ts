/**
 * A stand-in for the system that a service provider writes tickets and bills in, in two dialects; each behaves as its public
 * documentation says, as far as the examples use it:
 * - ConnectWise PSA, at /connectwise: developer.connectwise.com (company/companies, service/tickets and their notes,
 *   finance/agreements and their additions; conditions; Basic authentication with a clientId header)
 * - HaloPSA, at /halo: halopsa.com/apidoc (OAuth 2 client credentials; Client, Tickets, Actions, RecurringInvoice, updatelines;
 *   what is written is a list; more than 500 requests in five minutes are answered with 429)
 */
import formbody from '@fastify/formbody';
import fastify, { type FastifyInstance } from 'fastify';

import { connectWise } from './psa/connectWise';
import { halo } from './psa/halo';
import { Books } from './psa/books';

export type { Agreement, Line, PsaCompany, Ticket } from './psa/books';

/** What each dialect asks for before it answers. */
export const PSA_KEYS = {
	user: 'acme+public-key',
	password: 'private-key',
	/** As the examples have it when they are imported. */
	clientId: 'your-client-id',
	haloClientId: 'halo-client',
	haloClientSecret: 'halo-secret',
};

/** What goes wrong on purpose: the status of the next answers, for everybody or for what names one company. */
export interface PsaFault {
	status: 401 | 429 | 500;
	/** Only requests about this company: its search by name, and what is written for it. */
	company?: string;
	/** How many requests; once unless given. */
	times?: number;
	/** Only requests that write. */
	writes?: boolean;
}

/** A running stand-in. */
export interface Psa {
	/** The settings for it: `${url}/connectwise`, `${url}/halo`. */
	url: string;
	/** What is in it; both dialects show the same. */
	books: Books;
	fault: (fault: PsaFault) => void;
	/** Nothing goes wrong any more. */
	heal: () => void;
	/** The requests that were answered, as 'POST /service/tickets', since it was emptied. */
	requests: string[];
	/** Empties it, with these companies and an agreement for each. */
	reset: (names?: string[]) => void;
	close: () => Promise<void>;
}

/** Starts one on a free port of this machine, with a company and an agreement for each name. */
export async function startPsa(names: string[] = []): Promise<Psa> {
	const books = new Books(names);
	const requests: string[] = [];
	const faults: Array<Required<Omit<PsaFault, 'company'>> & { company?: string | undefined }> = [];
	const app = fastify({ forceCloseConnections: true });
	await app.register(formbody);
	app.addHook('preHandler', async ({ method, url, body }, reply) => {
		const [path = ''] = url.split('?');
		if (path.endsWith('/auth/token')) return;
		const about = books.companyOf(decodeURIComponent(url), body);
		const fault = faults.find(
			(each) =>
				each.times > 0 &&
				(!each.writes || method !== 'GET') &&
				(each.company === undefined || each.company === about?.name),
		);
		if (fault) {
			fault.times--;
			if (fault.status === 429) void reply.header('retry-after', '60');
			await reply.code(fault.status).send({ message: SAYS[fault.status] });
			return;
		}
		requests.push(`${method} ${path.replace(/^\/(connectwise|halo)/, '')}`);
	});
	await app.register(async (scope: FastifyInstance) => connectWise(scope, books, PSA_KEYS), { prefix: '/connectwise' });
	await app.register(async (scope: FastifyInstance) => halo(scope, books, PSA_KEYS), { prefix: '/halo' });
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	return {
		url,
		books,
		requests,
		fault: ({ times = 1, writes = false, ...rest }) => void faults.push({ times, writes, ...rest }),
		heal: () => void (faults.length = 0),
		reset: (again = names) => {
			books.fill(again);
			requests.length = 0;
			faults.length = 0;
		},
		close: () => app.close(),
	};
}

const SAYS = { 401: 'The key is not valid.', 429: 'Too many requests.', 500: 'An error has occurred.' };

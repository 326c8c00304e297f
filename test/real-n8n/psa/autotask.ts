/**
 * The API of Autotask PSA, as far as the examples use it. It behaves as the vendor's developer help says
 * (autotask.net/help/DeveloperHelp: "Autotask API zones", "Making basic query calls to the REST API", "Advanced query features of the REST
 * API", "API thread limiting", "REST API supportability, query thresholds, and latency", Tickets, TicketNotes, Companies):
 * - The zone of a user is found without credentials. All other requests need the headers ApiIntegrationCode, UserName and Secret.
 * - A query has a filter as JSON and answers with at most 500 records and the URL of the next page.
 * - A tenant may send 10,000 requests an hour, and a tracking identifier three requests at once to one endpoint.
 * - Invalid records are answered with 500 and a list of errors.
 * Contracts are in autotaskContracts.ts. The limits and the credentials apply to them, too.
 */
import { setTimeout as pause } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import { registerAutotaskContracts } from './autotaskContracts';
import { answerErrors, answerQuery, API_PATH } from './autotaskQueries';
import type { PsaCompany, PsaRecords, Ticket } from './psaData';

interface AutotaskCredentials {
	/** The tracking identifier of the integration. */
	autotaskCode: string;
	autotaskUser: string;
	autotaskSecret: string;
}

/** The number of requests that a tenant may send in an hour. Tests may lower it. */
export const AUTOTASK_LIMITS = { requestsPerHour: 10_000, threadsPerEndpoint: 3 };
const HOUR_MS = 3_600_000;
/** How long a request takes, so that parallel requests overlap. */
const RESPONSE_TIME_MS = 20;
const COMPLETE_STATUS = 5;
const NEW_STATUS = 1;

/** The body of a new ticket. Without a ticket category that has them as defaults, queue and due date are required. */
const newTicketSchema = z.object({
	companyID: z.number(),
	title: z.string().min(1).max(255),
	description: z.string().max(8000).default(''),
	status: z.number(),
	priority: z.number(),
	queueID: z.number(),
	dueDateTime: z.string().datetime({ offset: true }),
	externalID: z.string().max(50).default(''),
});
const newNoteSchema = z.object({
	title: z.string().min(1).max(250),
	description: z.string().min(1).max(32_000),
	noteType: z.number(),
	publish: z.number(),
});
const ticketPathSchema = z.object({ id: z.coerce.number() });

/** Checks the credentials and the limits of each request. */
function addAccessChecks(app: FastifyInstance, credentials: AutotaskCredentials): void {
	const requestTimes: number[] = [];
	const openRequestCounts = new Map<string, number>();
	const getEndpoint = (url: string) => url.slice(url.indexOf(API_PATH) + API_PATH.length + 1).split(/[/?]/)[0] ?? '';
	const isZoneRequest = (url: string) => getEndpoint(url).toLowerCase() === 'zoneinformation';
	app.addHook('onRequest', async ({ headers, url }, reply) => {
		if (isZoneRequest(url)) return;
		const endpoint = getEndpoint(url);
		openRequestCounts.set(endpoint, (openRequestCounts.get(endpoint) ?? 0) + 1);
		if (
			headers.apiintegrationcode !== credentials.autotaskCode ||
			headers.username !== credentials.autotaskUser ||
			headers.secret !== credentials.autotaskSecret
		)
			return await reply.code(401).send({ errors: ['Unauthorized'] });
		const now = Date.now();
		while (requestTimes.length > 0 && (requestTimes[0] ?? 0) <= now - HOUR_MS) requestTimes.shift();
		if (requestTimes.length >= AUTOTASK_LIMITS.requestsPerHour)
			return await reply.code(429).send({ errors: ['The request threshold of this database is exceeded.'] });
		requestTimes.push(now);
		if ((openRequestCounts.get(endpoint) ?? 0) > AUTOTASK_LIMITS.threadsPerEndpoint)
			return await reply.code(429).send({ errors: [`The thread limit of ${endpoint} is exceeded.`] });
		await pause(RESPONSE_TIME_MS);
		return undefined;
	});
	app.addHook('onResponse', async ({ url }) => {
		if (!isZoneRequest(url))
			openRequestCounts.set(getEndpoint(url), (openRequestCounts.get(getEndpoint(url)) ?? 1) - 1);
	});
}

/** Adds the routes of Autotask to a server. */
export function registerAutotask(app: FastifyInstance, psaRecords: PsaRecords, credentials: AutotaskCredentials): void {
	const toCompanyRecord = ({ id, name, isInactive = false }: PsaCompany) => ({
		id,
		companyName: name,
		isActive: !isInactive,
	});
	const toTicketRecord = ({ id, summary, text, queue, companyId, reference, isClosed }: Ticket) => ({
		id,
		title: summary,
		description: text,
		companyID: companyId,
		queueID: Number(queue),
		externalID: reference,
		status: isClosed ? COMPLETE_STATUS : NEW_STATUS,
	});

	addAccessChecks(app, credentials);
	app.get(`${API_PATH}/zoneInformation`, async ({ query, protocol, host }, reply) => {
		const { user } = z.object({ user: z.string().optional() }).parse(query);
		if (user !== credentials.autotaskUser) return await answerErrors(reply, 'The zone of this user is unknown.');
		const url = `${protocol}://${host}/autotask`;
		return { zoneName: 'Stand-in', url: `${url}/atservicesrest/`, webUrl: `${url}/`, ci: 1 };
	});
	app.get(`${API_PATH}/Companies/query`, async ({ query, url, protocol, host }, reply) => {
		const queryUrl = `${protocol}://${host}${url.split('?')[0]}`;
		return await answerQuery(psaRecords.companies.map(toCompanyRecord), queryUrl, query, reply);
	});
	app.get(`${API_PATH}/Tickets/query`, async ({ query, url, protocol, host }, reply) => {
		const queryUrl = `${protocol}://${host}${url.split('?')[0]}`;
		return await answerQuery(psaRecords.tickets.map(toTicketRecord), queryUrl, query, reply);
	});
	app.post(`${API_PATH}/Tickets`, async ({ body }, reply) => {
		const { data, error } = newTicketSchema.safeParse(body);
		if (!data) {
			const fields = error.issues.map(({ path }) => `${path.join('.')} is required.; on record number [0].`);
			return await answerErrors(reply, ...fields);
		}
		const { companyID: companyId, title: summary, description: text, queueID, externalID: reference } = data;
		if (!psaRecords.findCompany(companyId))
			return await answerErrors(reply, 'Value does not reference an existing entity for companyID.');
		const ticket = psaRecords.openTicket({ companyId, summary, text, queue: String(queueID), reference });
		return { itemId: ticket.id };
	});
	app.post(`${API_PATH}/Tickets/:id/Notes`, async ({ params, body }, reply) => {
		const ticket = psaRecords.findTicket(ticketPathSchema.parse(params).id);
		const { data } = newNoteSchema.safeParse(body);
		if (!ticket || !data)
			return await answerErrors(reply, 'A note needs a ticket, title, description, noteType and publish.');
		ticket.notes.push(data.description);
		return { itemId: ticket.id * 100 + ticket.notes.length };
	});
	registerAutotaskContracts(app, psaRecords);
}

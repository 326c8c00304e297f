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

import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';

import { registerAutotaskContracts } from './autotaskContracts';
import type { PsaCompany, PsaRecords, Ticket } from './psaData';

interface AutotaskCredentials {
	/** The tracking identifier of the integration. */
	autotaskCode: string;
	autotaskUser: string;
	autotaskSecret: string;
}

/** The path of the API. A user enters it behind the zone's address. */
export const API_PATH = '/atservicesrest/v1.0';
const MAX_RECORDS = 500;
/** The number of requests that a tenant may send in an hour. Tests may lower it. */
export const AUTOTASK_LIMITS = { requestsPerHour: 10_000, threadsPerEndpoint: 3 };
const HOUR_MS = 3_600_000;
/** How long a request takes, so that parallel requests overlap. */
const RESPONSE_TIME_MS = 20;
const COMPLETE_STATUS = 5;
const NEW_STATUS = 1;

const conditionSchema = z.object({
	op: z.enum(['eq', 'noteq', 'gt', 'gte', 'lt', 'lte', 'in', 'exist', 'notExist']),
	field: z.string(),
	value: z.unknown(),
});
const searchSchema = z.object({
	filter: z.array(conditionSchema).min(1),
	MaxRecords: z.number().min(1).max(MAX_RECORDS).default(MAX_RECORDS),
});
type Condition = z.infer<typeof conditionSchema>;
const querySchema = z.object({ search: z.string(), afterId: z.coerce.number().default(0) });
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

/** Returns a value that can be compared by size: the number, or the time of a date. */
const toComparable = (value: unknown): number =>
	typeof value === 'string' && Number.isNaN(Number(value))
		? Date.parse(`${value.slice(0, 10)}T00:00:00Z`)
		: Number(value);

/** Returns true if a record meets a condition. The comparison of texts ignores case. */
function isMatchingCondition(record: Record<string, unknown>, { op, field, value }: Condition): boolean {
	const key = Object.keys(record).find((name) => name.toLowerCase() === field.toLowerCase()) ?? field;
	const actualValue = record[key];
	const isEqualTo = (expectedValue: unknown) =>
		String(actualValue).toLowerCase() === String(expectedValue).toLowerCase();
	const checks: Record<Condition['op'], () => boolean> = {
		eq: () => isEqualTo(value),
		noteq: () => !isEqualTo(value),
		gt: () => toComparable(actualValue) > toComparable(value),
		gte: () => toComparable(actualValue) >= toComparable(value),
		lt: () => toComparable(actualValue) < toComparable(value),
		lte: () => toComparable(actualValue) <= toComparable(value),
		in: () => Array.isArray(value) && value.some(isEqualTo),
		exist: () => actualValue !== undefined && actualValue !== null,
		notExist: () => actualValue === undefined || actualValue === null,
	};
	return checks[op]();
}

/** Answers invalid records and queries. Autotask uses the status 500 for both. */
export const answerErrors = (reply: FastifyReply, ...errors: string[]): FastifyReply =>
	reply.code(500).send({ errors });

/**
 * Answers a query of an endpoint, such as GET /Companies/query, with the records that meet all conditions.
 * @param records all records of the endpoint, with the field names of Autotask
 * @param url the URL of the request, without its query
 * @param query the query of the request, with the search as JSON
 */
export async function answerQuery(
	records: Array<Record<string, unknown> & { id: number }>,
	url: string,
	query: unknown,
	reply: FastifyReply,
): Promise<unknown> {
	const { search, afterId } = querySchema.parse(query);
	const { data } = searchSchema.safeParse(JSON.parse(search));
	if (!data) return await answerErrors(reply, 'The query has no valid filter.');
	const matchingRecords = records.filter(
		(record) => record.id > afterId && data.filter.every((condition) => isMatchingCondition(record, condition)),
	);
	const items = matchingRecords.slice(0, data.MaxRecords);
	const lastId = items.at(-1)?.id ?? 0;
	const hasMore = items.length < matchingRecords.length;
	const nextPageUrl = hasMore ? `${url}?${new URLSearchParams({ search, afterId: String(lastId) }).toString()}` : null;
	const pageDetails = { count: items.length, requestCount: data.MaxRecords, prevPageUrl: null, nextPageUrl };
	return { items, pageDetails };
}

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

/** The API of HaloPSA, as far as the examples use it (halopsa.com/apidoc). */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { Agreement, PsaRecords, AgreementLine, PsaCompany, Ticket } from './psaData';

interface HaloCredentials {
	haloClientId: string;
	haloClientSecret: string;
}

const ACCESS_TOKEN = 'a-token-of-the-stand-in';

const flagSchema = z.enum(['true', 'false']).default('false');
const clientPathSchema = z.object({ id: z.coerce.number() });
const clientSearchSchema = z.object({
	search: z.string().default(''),
	includeinactive: z.enum(['true', 'false']).default('true'),
	pageinate: flagSchema,
	page_size: z.coerce.number().max(100).default(50),
	page_no: z.coerce.number().min(1).default(1),
});
const ticketSearchSchema = z.object({
	third_party_id_string: z.string().optional(),
	open_only: flagSchema,
	client_id: z.coerce.number().optional(),
});
const invoiceSearchSchema = z.object({ client_id: z.coerce.number().optional(), includelines: flagSchema });
/** The body of a request that creates a ticket. HaloPSA expects a list with one ticket. */
const newTicketsSchema = z
	.array(
		z.object({
			summary: z.string().min(1),
			details: z.string().default(''),
			client_id: z.number().optional(),
			tickettype_id: z.coerce.number().optional(),
			third_party_id_string: z.string().default(''),
		}),
	)
	.length(1);
const newActionsSchema = z
	.array(
		z.object({
			ticket_id: z.coerce.number(),
			note: z.string().min(1),
			outcome: z.string().optional(),
			hiddenfromuser: z.boolean().default(false),
		}),
	)
	.length(1);
const changedLinesSchema = z.array(z.object({ id: z.number(), ihid: z.number(), qty_order: z.number() })).min(1);

/** The client ID of tickets that don't name a client. */
const UNKNOWN_CLIENT_ID = 0;

/** Adds the routes of HaloPSA to a server. */
export function registerHalo(
	app: FastifyInstance,
	psaRecords: PsaRecords,
	{ haloClientId, haloClientSecret }: HaloCredentials,
): void {
	const getClientName = (id: number) => psaRecords.findCompany(id)?.name ?? 'Unknown';
	const toTicketResponse = ({ id, summary, text, queue, companyId, reference }: Ticket) => ({
		id,
		summary,
		details: text,
		tickettype_id: Number(queue),
		client_id: companyId,
		client_name: getClientName(companyId),
		third_party_id_string: reference,
	});
	const toClientResponse = ({ id, name, isInactive = false }: PsaCompany) => ({ id, name, inactive: isInactive });
	const toLineResponse = ({ id, product, quantity, unitPrice, cancelledDate }: AgreementLine, ihid: number) => ({
		id,
		ihid,
		item_shortdescription: product,
		qty_order: quantity,
		unit_price: unitPrice,
		isinactive: cancelledDate !== undefined,
	});
	const toInvoiceResponse = ({ id, name, companyId, lines, isCancelled = false }: Agreement, withLines: boolean) => ({
		id,
		name,
		client_id: companyId,
		client_name: getClientName(companyId),
		disabled: isCancelled,
		lines: withLines ? lines.map((line) => toLineResponse(line, id)) : undefined,
	});

	app.post('/auth/token', async ({ body, headers }, reply) => {
		const tokenRequest = z
			.object({ grant_type: z.string(), client_id: z.string(), client_secret: z.string() })
			.safeParse(body).data;
		const expectedAuthorization = `Basic ${Buffer.from(`${haloClientId}:${haloClientSecret}`).toString('base64')}`;
		if (
			headers.authorization !== expectedAuthorization &&
			(tokenRequest?.client_id !== haloClientId || tokenRequest.client_secret !== haloClientSecret)
		)
			return await reply.code(400).send({ error: 'invalid_client' });
		return { access_token: ACCESS_TOKEN, token_type: 'Bearer', expires_in: 3600 };
	});
	app.addHook('onRequest', async ({ headers, url }, reply) => {
		if (!url.startsWith('/halo/auth/token') && headers.authorization !== `Bearer ${ACCESS_TOKEN}`)
			await reply.code(401).send();
	});
	app.get('/api/Client', async ({ query }) => {
		const { search, includeinactive: includeInactive, pageinate, ...page } = clientSearchSchema.parse(query);
		const clients = psaRecords.companies.filter(
			({ name, isInactive = false }) =>
				name.toLowerCase().includes(search.toLowerCase()) && (includeInactive === 'true' || !isInactive),
		);
		const start = (page.page_no - 1) * page.page_size;
		const shownClients = pageinate === 'true' ? clients.slice(start, start + page.page_size) : clients;
		return { record_count: clients.length, clients: shownClients.map(toClientResponse) };
	});
	app.get('/api/Client/:id', async ({ params }, reply) => {
		const client = psaRecords.findCompany(clientPathSchema.parse(params).id);
		return client ? toClientResponse(client) : await reply.code(404).send('There is no such client.');
	});
	app.get('/api/Tickets', async ({ query }) => {
		const {
			third_party_id_string: reference,
			open_only: openOnly,
			client_id: clientId,
		} = ticketSearchSchema.parse(query);
		const tickets = psaRecords.tickets.filter(
			(ticket) =>
				(reference === undefined || ticket.reference === reference) &&
				(clientId === undefined || ticket.companyId === clientId) &&
				(openOnly === 'false' || !ticket.isClosed),
		);
		return { record_count: tickets.length, tickets: tickets.map(toTicketResponse) };
	});
	app.post('/api/Tickets', async ({ body }, reply) => {
		const [values] = newTicketsSchema.safeParse(body).data ?? [];
		if (!values) return await reply.code(400).send('A list of one ticket with a summary is wanted.');
		const {
			summary,
			details: text,
			client_id: clientId,
			tickettype_id: type,
			third_party_id_string: reference,
		} = values;
		const ticket = psaRecords.openTicket({
			companyId: clientId ?? UNKNOWN_CLIENT_ID,
			summary,
			text,
			queue: String(type ?? ''),
			reference,
		});
		return await reply.code(201).send(toTicketResponse(ticket));
	});
	app.post('/api/Actions', async ({ body }, reply) => {
		const [action] = newActionsSchema.safeParse(body).data ?? [];
		const ticket = action && psaRecords.findTicket(action.ticket_id);
		if (!ticket) return await reply.code(400).send('A list of one action with a ticket and a note is wanted.');
		ticket.notes.push(action.note);
		return await reply.code(201).send({ id: ticket.notes.length, ...action });
	});
	app.get('/api/RecurringInvoice', async ({ query }) => {
		const { client_id: clientId, includelines } = invoiceSearchSchema.parse(query);
		const agreements = psaRecords.agreements.filter(
			({ companyId }) => clientId === undefined || companyId === clientId,
		);
		const invoices = agreements.map((agreement) => toInvoiceResponse(agreement, includelines === 'true'));
		return { record_count: invoices.length, invoices };
	});
	app.post('/api/RecurringInvoice/updatelines', async ({ body }, reply) => {
		const requestedChanges = changedLinesSchema.safeParse(body).data ?? [];
		const changes = requestedChanges.flatMap(({ id, ihid, qty_order: quantity }) =>
			psaRecords.agreements
				.filter((agreement) => agreement.id === ihid)
				.flatMap(({ lines }) => lines.filter((line) => line.id === id).map((line) => ({ line, quantity, ihid }))),
		);
		if (requestedChanges.length === 0 || changes.length < requestedChanges.length)
			return await reply.code(400).send('A list of lines with id, ihid and qty_order is wanted.');
		for (const { line, quantity } of changes) line.quantity = quantity;
		return await reply.code(201).send(changes.map(({ line, ihid }) => toLineResponse(line, ihid)));
	});
}

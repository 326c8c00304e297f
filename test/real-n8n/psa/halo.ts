/** The dialect of HaloPSA: halopsa.com/apidoc. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { Agreement, Books, Line, PsaCompany, Ticket } from './books';

interface Keys {
	haloClientId: string;
	haloClientSecret: string;
}

const TOKEN = 'a-token-of-the-stand-in';

const flag = z.enum(['true', 'false']).default('false');
const clientId = z.object({ id: z.coerce.number() });
const search = z.object({ search: z.string().default('') });
const ticketSearch = z.object({
	third_party_id_string: z.string().optional(),
	open_only: flag,
	client_id: z.coerce.number().optional(),
});
const invoiceSearch = z.object({ client_id: z.coerce.number().optional(), includelines: flag });
/** What is written comes as a list. */
const newTickets = z
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
const newActions = z
	.array(
		z.object({
			ticket_id: z.coerce.number(),
			note: z.string().min(1),
			outcome: z.string().optional(),
			hiddenfromuser: z.boolean().default(false),
		}),
	)
	.length(1);
const changedLines = z.array(z.object({ id: z.number(), ihid: z.number(), qty_order: z.number() })).min(1);

/** The client of tickets that name none. */
const NOBODY = 0;

/** Its routes. */
export function halo(app: FastifyInstance, books: Books, { haloClientId, haloClientSecret }: Keys): void {
	const nameOf = (id: number) => books.company(id)?.name ?? 'Unknown';
	const shownTicket = ({ id, summary, text, queue, companyId, reference }: Ticket) => ({
		id,
		summary,
		details: text,
		tickettype_id: Number(queue),
		client_id: companyId,
		client_name: nameOf(companyId),
		third_party_id_string: reference,
	});
	const shownClient = ({ id, name, isInactive = false }: PsaCompany) => ({ id, name, inactive: isInactive });
	const shownLine = ({ id, product, quantity, unitPrice, cancelledDate }: Line, ihid: number) => ({
		id,
		ihid,
		item_shortdescription: product,
		qty_order: quantity,
		unit_price: unitPrice,
		isinactive: cancelledDate !== undefined,
	});
	const shownInvoice = ({ id, name, companyId, lines, isCancelled = false }: Agreement, withLines: boolean) => ({
		id,
		name,
		client_id: companyId,
		client_name: nameOf(companyId),
		disabled: isCancelled,
		lines: withLines ? lines.map((line) => shownLine(line, id)) : undefined,
	});

	app.post('/auth/token', async ({ body, headers }, reply) => {
		const sent = z
			.object({ grant_type: z.string(), client_id: z.string(), client_secret: z.string() })
			.safeParse(body).data;
		const basic = `Basic ${Buffer.from(`${haloClientId}:${haloClientSecret}`).toString('base64')}`;
		if (
			headers.authorization !== basic &&
			(sent?.client_id !== haloClientId || sent.client_secret !== haloClientSecret)
		)
			return await reply.code(400).send({ error: 'invalid_client' });
		return { access_token: TOKEN, token_type: 'Bearer', expires_in: 3600 };
	});
	app.addHook('onRequest', async ({ headers, url }, reply) => {
		if (!url.startsWith('/halo/auth/token') && headers.authorization !== `Bearer ${TOKEN}`)
			await reply.code(401).send();
	});
	app.get('/api/Client', async ({ query }) => {
		const word = search.parse(query).search.toLowerCase();
		const clients = books.companies.filter(({ name }) => name.toLowerCase().includes(word));
		return { record_count: clients.length, clients: clients.map(shownClient) };
	});
	app.get('/api/Client/:id', async ({ params }, reply) => {
		const client = books.company(clientId.parse(params).id);
		return client ? shownClient(client) : await reply.code(404).send('There is no such client.');
	});
	app.get('/api/Tickets', async ({ query }) => {
		const { third_party_id_string: reference, open_only: open, client_id: client } = ticketSearch.parse(query);
		const tickets = books.tickets.filter(
			(ticket) =>
				(reference === undefined || ticket.reference === reference) &&
				(client === undefined || ticket.companyId === client) &&
				(open === 'false' || !ticket.isClosed),
		);
		return { record_count: tickets.length, tickets: tickets.map(shownTicket) };
	});
	app.post('/api/Tickets', async ({ body }, reply) => {
		const [asked] = newTickets.safeParse(body).data ?? [];
		if (!asked) return await reply.code(400).send('A list of one ticket with a summary is wanted.');
		const { summary, details: text, client_id: client, tickettype_id: type, third_party_id_string: reference } = asked;
		const ticket = books.open({ companyId: client ?? NOBODY, summary, text, queue: String(type ?? ''), reference });
		return await reply.code(201).send(shownTicket(ticket));
	});
	app.post('/api/Actions', async ({ body }, reply) => {
		const [asked] = newActions.safeParse(body).data ?? [];
		const ticket = asked && books.ticket(asked.ticket_id);
		if (!ticket) return await reply.code(400).send('A list of one action with a ticket and a note is wanted.');
		ticket.notes.push(asked.note);
		return await reply.code(201).send({ id: ticket.notes.length, ...asked });
	});
	app.get('/api/RecurringInvoice', async ({ query }) => {
		const { client_id: client, includelines } = invoiceSearch.parse(query);
		const found = books.agreements.filter(({ companyId }) => client === undefined || companyId === client);
		return { record_count: found.length, invoices: found.map((each) => shownInvoice(each, includelines === 'true')) };
	});
	app.post('/api/RecurringInvoice/updatelines', async ({ body }, reply) => {
		const asked = changedLines.safeParse(body).data ?? [];
		const found = asked.flatMap(({ id, ihid, qty_order: quantity }) =>
			books.agreements
				.filter((agreement) => agreement.id === ihid)
				.flatMap(({ lines }) => lines.filter((line) => line.id === id).map((line) => ({ line, quantity, ihid }))),
		);
		if (asked.length === 0 || found.length < asked.length)
			return await reply.code(400).send('A list of lines with id, ihid and qty_order is wanted.');
		for (const { line, quantity } of found) line.quantity = quantity;
		return await reply.code(201).send(found.map(({ line, ihid }) => shownLine(line, ihid)));
	});
}

/** The dialect of ConnectWise PSA: developer.connectwise.com, Manage REST API. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { Agreement, Books, Line, Ticket } from './books';

interface Keys {
	user: string;
	password: string;
	clientId: string;
}

const list = z.object({ conditions: z.string().optional(), pageSize: z.coerce.number().max(1000).default(25) });
const ids = z.object({ id: z.coerce.number(), additionId: z.coerce.number().optional() });
/** A ticket needs a summary of 100 characters at most, and a company. */
const newTicket = z.object({
	summary: z.string().min(1).max(100),
	company: z.object({ id: z.number() }),
	board: z.object({ name: z.string() }).optional(),
	initialDescription: z.string().default(''),
	externalXRef: z.string().max(100).default(''),
});
const newNote = z.object({
	text: z.string().min(1),
	detailDescriptionFlag: z.boolean().default(false),
	internalAnalysisFlag: z.boolean().default(false),
	resolutionFlag: z.boolean().default(false),
});
const patch = z
	.array(z.object({ op: z.enum(['add', 'replace', 'remove']), path: z.string(), value: z.number() }))
	.min(1);

const refusal = (message: string) => ({ code: 'InvalidObject', message });

/** Conditions as `name="A" and closedFlag=false`: each field and its value. */
function conditionsOf(text = ''): Array<[field: string, value: string]> {
	return [...text.matchAll(/([\w/]+)\s*=\s*("(?:\\.|[^"])*"|\w+)/g)].map(([, field = '', value = '']) => [
		field,
		value.replace(/^"|"$/g, '').replaceAll('\\"', '"'),
	]);
}

/** Those of the records whose fields are as the conditions want them; text without regard to case. */
const matching = <Shown extends object>(records: Shown[], conditions: string | undefined): Shown[] =>
	records.filter((record) =>
		conditionsOf(conditions).every(([path, wanted]) => {
			const value = path
				.split('/')
				.reduce<unknown>((from, key) => (from as Record<string, unknown> | undefined)?.[key], record);
			return String(value).toLowerCase() === wanted.toLowerCase();
		}),
	);

/** Its routes. */
export function connectWise(app: FastifyInstance, books: Books, { user, password, clientId }: Keys): void {
	const named = (id: number) => ({ id, name: books.company(id)?.name });
	const shownTicket = ({ id, summary, queue, companyId, reference, isClosed }: Ticket) => ({
		id,
		summary,
		board: { name: queue },
		company: named(companyId),
		externalXRef: reference,
		closedFlag: isClosed,
	});
	const shownAgreement = ({ id, name, companyId, isCancelled = false, endDate }: Agreement) => ({
		id,
		name,
		company: named(companyId),
		cancelledFlag: isCancelled,
		noEndingDateFlag: endDate === undefined,
		endDate,
	});
	const shownLine = ({ id, product, quantity, unitPrice, cancelledDate }: Line, agreementId: number) => ({
		id,
		agreementId,
		product: { identifier: product },
		description: product,
		quantity,
		unitPrice,
		billCustomer: 'Billable',
		cancelledDate,
	});
	const agreementOf = (params: unknown) => {
		const { id } = ids.parse(params);
		return books.agreements.find((agreement) => agreement.id === id);
	};

	app.addHook('onRequest', async ({ headers }, reply) => {
		const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
		if (headers.authorization !== basic || headers.clientid !== clientId)
			await reply
				.code(401)
				.send({ code: 'Unauthorized', message: 'Cannot authenticate: public key, private key or clientId.' });
	});
	app.get('/company/companies', async ({ query }) => {
		const { conditions, pageSize } = list.parse(query);
		return matching(books.companies, conditions).slice(0, pageSize);
	});
	app.get('/company/companies/:id', async ({ params }, reply) => {
		const company = books.company(ids.parse(params).id);
		return company ?? (await reply.code(404).send({ code: 'NotFound', message: 'Company was not found.' }));
	});
	app.get('/service/tickets', async ({ query }) => {
		const { conditions, pageSize } = list.parse(query);
		return matching(books.tickets.map(shownTicket), conditions).slice(0, pageSize);
	});
	app.post('/service/tickets', async ({ body }, reply) => {
		const { data, error } = newTicket.safeParse(body);
		if (!data || !books.company(data.company.id))
			return await reply.code(400).send(refusal(error?.message ?? 'company is unknown'));
		const { summary, company, board, initialDescription: text, externalXRef: reference } = data;
		const ticket = books.open({ companyId: company.id, summary, queue: board?.name ?? '', text, reference });
		return await reply.code(201).send(shownTicket(ticket));
	});
	app.post('/service/tickets/:id/notes', async ({ params, body }, reply) => {
		const ticket = books.ticket(ids.parse(params).id);
		if (!ticket) return await reply.code(404).send({ code: 'NotFound', message: 'Ticket was not found.' });
		const { data } = newNote.safeParse(body);
		if (!data || !(data.detailDescriptionFlag || data.internalAnalysisFlag || data.resolutionFlag))
			return await reply.code(400).send(refusal('A note needs a text and one of its flags.'));
		ticket.notes.push(data.text);
		return await reply.code(201).send({ id: ticket.notes.length, ticketId: ticket.id, ...data });
	});
	app.get('/finance/agreements', async ({ query }) => {
		const { conditions, pageSize } = list.parse(query);
		return matching(books.agreements.map(shownAgreement), conditions).slice(0, pageSize);
	});
	app.get('/finance/agreements/:id', async ({ params }, reply) => {
		const agreement = agreementOf(params);
		if (!agreement) return await reply.code(404).send({ code: 'NotFound', message: 'Agreement was not found.' });
		return shownAgreement(agreement);
	});
	app.get('/finance/agreements/:id/additions', async ({ params, query }, reply) => {
		const agreement = agreementOf(params);
		if (!agreement) return await reply.code(404).send({ code: 'NotFound', message: 'Agreement was not found.' });
		const { conditions, pageSize } = list.parse(query);
		const lines = agreement.lines.map((line) => shownLine(line, agreement.id));
		return matching(lines, conditions).slice(0, pageSize);
	});
	app.patch('/finance/agreements/:id/additions/:additionId', async ({ params, body }, reply) => {
		const { additionId } = ids.parse(params);
		const agreement = agreementOf(params);
		const line = agreement?.lines.find(({ id }) => id === additionId);
		if (!agreement || !line)
			return await reply.code(404).send({ code: 'NotFound', message: 'Addition was not found.' });
		const { data } = patch.safeParse(body);
		if (!data?.every(({ op, path }) => op === 'replace' && /^\/?quantity$/.test(path)))
			return await reply.code(400).send(refusal('The stand-in replaces the quantity only.'));
		for (const { value } of data) line.quantity = value;
		return shownLine(line, agreement.id);
	});
}

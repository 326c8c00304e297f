/** The API of ConnectWise PSA, as far as the examples use it (developer.connectwise.com, Manage REST API). */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { Agreement, AgreementLine, PsaCompany, PsaRecords, Ticket } from './psaData';

interface ConnectWiseCredentials {
	user: string;
	password: string;
	clientId: string;
}

const listQuerySchema = z.object({
	conditions: z.string().optional(),
	pageSize: z.coerce.number().max(1000).default(25),
	page: z.coerce.number().min(1).default(1),
});
const pathSchema = z.object({ id: z.coerce.number(), additionId: z.coerce.number().optional() });
/** The body of a new ticket. A ticket needs a company and a summary of at most 100 characters. */
const newTicketSchema = z.object({
	summary: z.string().min(1).max(100),
	company: z.object({ id: z.number() }),
	board: z.object({ name: z.string() }).optional(),
	initialDescription: z.string().default(''),
	externalXRef: z.string().max(100).default(''),
});
const newNoteSchema = z.object({
	text: z.string().min(1),
	detailDescriptionFlag: z.boolean().default(false),
	internalAnalysisFlag: z.boolean().default(false),
	resolutionFlag: z.boolean().default(false),
});
const patchSchema = z
	.array(z.object({ op: z.enum(['add', 'replace', 'remove']), path: z.string(), value: z.number() }))
	.min(1);

const buildError = (message: string) => ({ code: 'InvalidObject', message });

/** Parses conditions such as `name="A" and closedFlag=false` into pairs of field and value. */
function parseConditions(text = ''): Array<[field: string, value: string]> {
	return [...text.matchAll(/([\w/]+)\s*=\s*("(?:\\.|[^"])*"|\w+)/g)].map(([, field = '', value = '']) => [
		field,
		value.replace(/^"|"$/g, '').replaceAll('\\"', '"'),
	]);
}

/** Returns the records that match all conditions. The comparison ignores case. */
const filterByConditions = <Item extends object>(records: Item[], conditions: string | undefined): Item[] =>
	records.filter((record) =>
		parseConditions(conditions).every(([path, expectedValue]) => {
			const value = path
				.split('/')
				.reduce<unknown>((parent, key) => (parent as Record<string, unknown> | undefined)?.[key], record);
			return String(value).toLowerCase() === expectedValue.toLowerCase();
		}),
	);

/** Adds the routes of ConnectWise PSA to a server. */
export function registerConnectWise(
	app: FastifyInstance,
	psaRecords: PsaRecords,
	{ user, password, clientId }: ConnectWiseCredentials,
): void {
	const toCompanyResponse = ({ id, name, isInactive = false }: PsaCompany) => ({ id, name, deletedFlag: isInactive });
	const toCompanyReference = (id: number) => ({ id, name: psaRecords.findCompany(id)?.name });
	const toTicketResponse = ({ id, summary, queue, companyId, reference, isClosed }: Ticket) => ({
		id,
		summary,
		board: { name: queue },
		company: toCompanyReference(companyId),
		externalXRef: reference,
		closedFlag: isClosed,
	});
	const toAgreementResponse = ({ id, name, companyId, isCancelled = false, endDate }: Agreement) => ({
		id,
		name,
		company: toCompanyReference(companyId),
		cancelledFlag: isCancelled,
		noEndingDateFlag: endDate === undefined,
		endDate,
	});
	const toAdditionResponse = (
		{ id, product, quantity, unitPrice, cancelledDate }: AgreementLine,
		agreementId: number,
	) => ({
		id,
		agreementId,
		product: { identifier: product },
		description: product,
		quantity,
		unitPrice,
		billCustomer: 'Billable',
		cancelledDate,
	});
	const findAgreement = (params: unknown) => {
		const { id } = pathSchema.parse(params);
		return psaRecords.agreements.find((agreement) => agreement.id === id);
	};

	app.addHook('onRequest', async ({ headers }, reply) => {
		const expectedAuthorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
		if (headers.authorization !== expectedAuthorization || headers.clientid !== clientId)
			await reply
				.code(401)
				.send({ code: 'Unauthorized', message: 'Cannot authenticate: public key, private key or clientId.' });
	});
	app.get('/company/companies', async ({ query }) => {
		const { conditions, pageSize, page } = listQuerySchema.parse(query);
		const companies = psaRecords.companies.map(toCompanyResponse);
		return filterByConditions(companies, conditions).slice((page - 1) * pageSize, page * pageSize);
	});
	app.get('/company/companies/:id', async ({ params }, reply) => {
		const company = psaRecords.findCompany(pathSchema.parse(params).id);
		if (!company) return await reply.code(404).send({ code: 'NotFound', message: 'Company was not found.' });
		return toCompanyResponse(company);
	});
	app.get('/service/tickets', async ({ query }) => {
		const { conditions, pageSize } = listQuerySchema.parse(query);
		return filterByConditions(psaRecords.tickets.map(toTicketResponse), conditions).slice(0, pageSize);
	});
	app.post('/service/tickets', async ({ body }, reply) => {
		const { data, error } = newTicketSchema.safeParse(body);
		if (!data || !psaRecords.findCompany(data.company.id))
			return await reply.code(400).send(buildError(error?.message ?? 'company is unknown'));
		const { summary, company, board, initialDescription: text, externalXRef: reference } = data;
		const ticket = psaRecords.openTicket({ companyId: company.id, summary, queue: board?.name ?? '', text, reference });
		return await reply.code(201).send(toTicketResponse(ticket));
	});
	app.post('/service/tickets/:id/notes', async ({ params, body }, reply) => {
		const ticket = psaRecords.findTicket(pathSchema.parse(params).id);
		if (!ticket) return await reply.code(404).send({ code: 'NotFound', message: 'Ticket was not found.' });
		const { data } = newNoteSchema.safeParse(body);
		if (!data || !(data.detailDescriptionFlag || data.internalAnalysisFlag || data.resolutionFlag))
			return await reply.code(400).send(buildError('A note needs a text and one of its flags.'));
		ticket.notes.push(data.text);
		return await reply.code(201).send({ id: ticket.notes.length, ticketId: ticket.id, ...data });
	});
	app.get('/finance/agreements', async ({ query }) => {
		const { conditions, pageSize } = listQuerySchema.parse(query);
		return filterByConditions(psaRecords.agreements.map(toAgreementResponse), conditions).slice(0, pageSize);
	});
	app.get('/finance/agreements/:id', async ({ params }, reply) => {
		const agreement = findAgreement(params);
		if (!agreement) return await reply.code(404).send({ code: 'NotFound', message: 'Agreement was not found.' });
		return toAgreementResponse(agreement);
	});
	app.get('/finance/agreements/:id/additions', async ({ params, query }, reply) => {
		const agreement = findAgreement(params);
		if (!agreement) return await reply.code(404).send({ code: 'NotFound', message: 'Agreement was not found.' });
		const { conditions, pageSize } = listQuerySchema.parse(query);
		const lines = agreement.lines.map((line) => toAdditionResponse(line, agreement.id));
		return filterByConditions(lines, conditions).slice(0, pageSize);
	});
	app.patch('/finance/agreements/:id/additions/:additionId', async ({ params, body }, reply) => {
		const { additionId } = pathSchema.parse(params);
		const agreement = findAgreement(params);
		const line = agreement?.lines.find(({ id }) => id === additionId);
		if (!agreement || !line)
			return await reply.code(404).send({ code: 'NotFound', message: 'Addition was not found.' });
		const { data } = patchSchema.safeParse(body);
		if (!data?.every(({ op, path }) => op === 'replace' && /^\/?quantity$/.test(path)))
			return await reply.code(400).send(buildError('The stand-in replaces the quantity only.'));
		for (const { value } of data) line.quantity = value;
		return toAdditionResponse(line, agreement.id);
	});
}

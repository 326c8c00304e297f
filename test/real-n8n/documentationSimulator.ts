/**
 * Simulates the documentation system in which a service provider keeps documents of its customers. It has the APIs of two products.
 * Each behaves as its public documentation says, as far as examples 27 and 28 use it:
 * - Hudu, at /hudu: the API documentation of an instance, version 2.46 (GET /companies; page, page_size; GET and POST /articles, GET and
 *   PUT /articles/{id}; company_id, name, page_size; an x-api-key header), and support.hudu.com, "REST API"
 * - IT Glue, at /itglue: api.itglue.com/developer and the documents endpoints of release 1.118.103 (an x-api-key header; JSON:API, so
 *   that a body of another content type is answered with 415; the list has only documents outside of folders and can't be filtered by
 *   name; a new document is a draft without content; its content is in sections; PATCH publishes it; GET /organizations with page[number]
 *   and page[size] up to 1,000)
 */
import fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';

/** The API key that both APIs accept, in the header x-api-key. */
export const DOCUMENTATION_API_KEY = 'documentation-key';

/** An organization, which Hudu calls a company. */
export interface Organization {
	id: number;
	name: string;
}

/** A document of a customer. */
export interface StoredDocument {
	id: number;
	organizationId: number;
	name: string;
	/** The texts of the document. A document in Hudu has exactly one. */
	sections: Array<{ id: number; type: string; content: string }>;
	/** False for a draft. Hudu has no drafts here. */
	isPublished: boolean;
	/** True if a person has moved the document into a folder. */
	isInFolder?: boolean;
}

/** A simulated failure of the next requests. */
export interface DocumentationFault {
	status: 401 | 429 | 500;
	/** Limits the failure to requests about this organization. */
	organizationId?: number;
	/** Limits the failure to requests with this method. */
	method?: 'GET' | 'POST' | 'PUT' | 'PATCH';
	/** The number of requests that fail. The default is 1. */
	times?: number;
}

/** A running simulator. */
export interface DocumentationSimulator {
	/** The base URLs, which a user enters as documentationUrl. */
	urls: { hudu: string; itglue: string };
	/** The organizations, which both APIs share. */
	organizations: Organization[];
	/** All documents, in the order of their creation. */
	documents: StoredDocument[];
	/** The successful requests since the last reset, such as 'POST /documents/1/relationships/sections'. */
	requests: string[];
	addFault: (fault: DocumentationFault) => void;
	/** Deletes all documents, recorded requests and simulated failures. */
	reset: () => void;
	close: () => Promise<void>;
}

const ERROR_MESSAGES = { 401: 'Unauthorized', 429: 'Too Many Requests', 500: 'Internal Server Error' };
const TEXT_SECTION = 'Document::Text';
const JSON_API_TYPE = 'application/vnd.api+json';
const DEFAULT_HUDU_PAGE_SIZE = 25;
const DEFAULT_IT_GLUE_PAGE_SIZE = 50;
const MAX_IT_GLUE_PAGE_SIZE = 1000;

const huduPageSchema = z.object({
	page: z.coerce.number().default(1),
	page_size: z.coerce.number().default(DEFAULT_HUDU_PAGE_SIZE),
});
const itGluePageSchema = z.object({
	'page[number]': z.coerce.number().default(1),
	'page[size]': z.coerce.number().max(MAX_IT_GLUE_PAGE_SIZE).default(DEFAULT_IT_GLUE_PAGE_SIZE),
});
const idSchema = z.object({ id: z.coerce.number() });
const articleSearchSchema = z.object({
	company_id: z.coerce.number().optional(),
	name: z.string().default(''),
	page_size: z.coerce.number().default(DEFAULT_HUDU_PAGE_SIZE),
});
const newArticleSchema = z.object({
	article: z.object({ name: z.string().min(1), content: z.string().min(1), company_id: z.number() }),
});
const changedArticleSchema = z.object({
	article: z.object({
		name: z.string().optional(),
		content: z.string().optional(),
		company_id: z.number().optional(),
	}),
});
const newDocumentSchema = z.object({
	data: z.object({ type: z.literal('documents'), attributes: z.object({ name: z.string().min(1) }) }),
});
const newSectionSchema = z.object({
	data: z.object({
		type: z.literal('document-sections'),
		attributes: z.object({ resource_type: z.string(), content: z.string() }),
	}),
});
const changedSectionSchema = z.object({
	data: z.object({ type: z.literal('document-sections'), attributes: z.object({ content: z.string() }) }),
});
const sectionPathSchema = z.object({ id: z.coerce.number(), sectionId: z.coerce.number() });

/** The organizations and documents of the simulator. Both APIs use them. */
class DocumentStore {
	readonly documents: StoredDocument[] = [];
	private lastId = 100;

	constructor(readonly organizations: Organization[]) {}

	hasOrganization(organizationId: number): boolean {
		return this.organizations.some(({ id }) => id === organizationId);
	}

	createDocument(organizationId: number, name: string, isPublished: boolean): StoredDocument {
		const document: StoredDocument = { id: ++this.lastId, organizationId, name, sections: [], isPublished };
		this.documents.push(document);
		return document;
	}

	addSection(document: StoredDocument, type: string, content: string): StoredDocument['sections'][number] {
		const section = { id: ++this.lastId, type, content };
		document.sections.push(section);
		return section;
	}

	findDocument(id: number): StoredDocument | undefined {
		return this.documents.find((document) => document.id === id);
	}
}

/** Adds the routes of Hudu to a server. */
function registerHudu(app: FastifyInstance, store: DocumentStore): void {
	const toArticle = ({ id, name, organizationId, sections }: StoredDocument) => ({
		id,
		name,
		content: sections[0]?.content ?? '',
		company_id: organizationId,
		draft: false,
	});
	app.get('/api/v1/companies', async ({ query }) => {
		const { page, page_size: pageSize } = huduPageSchema.parse(query);
		return { companies: store.organizations.slice((page - 1) * pageSize, page * pageSize) };
	});
	app.get('/api/v1/articles', async ({ query }) => {
		const { company_id: companyId, name, page_size: pageSize } = articleSearchSchema.parse(query);
		// The documentation doesn't say whether the name must be complete, so the simulator returns more rather than less.
		const documents = store.documents.filter(
			(document) =>
				(companyId === undefined || document.organizationId === companyId) &&
				document.name.toLowerCase().includes(name.toLowerCase()),
		);
		return { articles: documents.slice(0, pageSize).map(toArticle) };
	});
	app.post('/api/v1/articles', async ({ body }, reply) => {
		const { article } = newArticleSchema.safeParse(body).data ?? {};
		if (!article || !store.hasOrganization(article.company_id))
			return await reply.code(422).send({ error: 'Unable to process request' });
		const document = store.createDocument(article.company_id, article.name, true);
		store.addSection(document, TEXT_SECTION, article.content);
		return { article: toArticle(document) };
	});
	app.get('/api/v1/articles/:id', async ({ params }, reply) => {
		const document = store.findDocument(idSchema.parse(params).id);
		return document ? { article: toArticle(document) } : await reply.code(404).send({ error: 'Not Found' });
	});
	app.put('/api/v1/articles/:id', async ({ params, body }, reply) => {
		const document = store.findDocument(idSchema.parse(params).id);
		const { article } = changedArticleSchema.safeParse(body).data ?? {};
		if (!document) return await reply.code(404).send({ error: 'Not Found' });
		if (!article) return await reply.code(422).send({ error: 'Unable to process request' });
		document.name = article.name ?? document.name;
		document.organizationId = article.company_id ?? document.organizationId;
		document.sections = [];
		store.addSection(document, TEXT_SECTION, article.content ?? '');
		return { article: toArticle(document) };
	});
}

/** Adds the routes of IT Glue to a server. */
function registerItGlue(app: FastifyInstance, store: DocumentStore): void {
	const toDocument = ({ id, name, organizationId, isPublished }: StoredDocument) => ({
		id: String(id),
		type: 'documents',
		attributes: { 'organization-id': organizationId, name, published: isPublished },
	});
	const toSection = ({ id, type, content }: StoredDocument['sections'][number]) => ({
		id: String(id),
		type: 'document-sections',
		attributes: { 'resource-type': type, content },
	});
	const notFound = { errors: [{ status: '404', title: 'Not Found' }] };
	const invalid = { errors: [{ status: '422', title: 'Unprocessable Entity' }] };
	app.addContentTypeParser(JSON_API_TYPE, { parseAs: 'string' }, (_request, body, done) => {
		done(null, body === '' ? undefined : (JSON.parse(String(body)) as unknown));
	});
	app.addHook('preHandler', async ({ method, headers, body }, reply) => {
		if (method !== 'GET' && body !== undefined && headers['content-type'] !== JSON_API_TYPE)
			await reply.code(415).send({ errors: [{ status: '415', title: 'Unsupported Media Type' }] });
	});
	app.addHook('onSend', async (_request, reply) => {
		reply.header('content-type', JSON_API_TYPE);
	});
	app.get('/organizations', async ({ query }) => {
		const { 'page[number]': page, 'page[size]': pageSize } = itGluePageSchema.parse(query);
		const organizations = store.organizations.slice((page - 1) * pageSize, page * pageSize);
		return {
			data: organizations.map(({ id, name }) => ({ id: String(id), type: 'organizations', attributes: { name } })),
		};
	});
	app.get('/organizations/:id/relationships/documents', async ({ params, query }, reply) => {
		const { id } = idSchema.parse(params);
		if (!store.hasOrganization(id)) return await reply.code(404).send(notFound);
		const requestedSize = z.object({ 'page[size]': z.coerce.number().optional() }).parse(query)['page[size]'];
		const pageSize = Math.min(requestedSize ?? DEFAULT_IT_GLUE_PAGE_SIZE, MAX_IT_GLUE_PAGE_SIZE);
		const documents = store.documents.filter(
			({ organizationId, isInFolder }) => organizationId === id && isInFolder !== true,
		);
		return { data: documents.slice(0, pageSize).map(toDocument), meta: { 'total-count': documents.length } };
	});
	app.post('/organizations/:id/relationships/documents', async ({ params, body }, reply) => {
		const { id } = idSchema.parse(params);
		const { data } = newDocumentSchema.safeParse(body).data ?? {};
		if (!store.hasOrganization(id)) return await reply.code(404).send(notFound);
		if (!data) return await reply.code(422).send(invalid);
		return await reply.code(201).send({ data: toDocument(store.createDocument(id, data.attributes.name, false)) });
	});
	app.get('/documents/:id/relationships/sections', async ({ params }, reply) => {
		const document = store.findDocument(idSchema.parse(params).id);
		return document ? { data: document.sections.map(toSection) } : await reply.code(404).send(notFound);
	});
	app.post('/documents/:id/relationships/sections', async ({ params, body }, reply) => {
		const document = store.findDocument(idSchema.parse(params).id);
		const { data } = newSectionSchema.safeParse(body).data ?? {};
		if (!document) return await reply.code(404).send(notFound);
		if (!data) return await reply.code(422).send(invalid);
		const { resource_type: type, content } = data.attributes;
		return await reply.code(201).send({ data: toSection(store.addSection(document, type, content)) });
	});
	app.patch('/documents/:id/relationships/sections/:sectionId', async ({ params, body }, reply) => {
		const { id, sectionId } = sectionPathSchema.parse(params);
		const section = store.findDocument(id)?.sections.find((candidate) => candidate.id === sectionId);
		const { data } = changedSectionSchema.safeParse(body).data ?? {};
		if (!section) return await reply.code(404).send(notFound);
		if (!data) return await reply.code(422).send(invalid);
		section.content = data.attributes.content;
		return { data: toSection(section) };
	});
	app.patch('/documents/:id/publish', async ({ params }, reply) => {
		const document = store.findDocument(idSchema.parse(params).id);
		if (!document) return await reply.code(404).send(notFound);
		document.isPublished = true;
		return { data: toDocument(document) };
	});
}

/** Returns the organization that a request is about: from its URL, its body, or the document in its URL. */
function findOrganizationId(store: DocumentStore, url: string, body: unknown): number | undefined {
	const idInUrl = /organizations\/(\d+)|company_id=(\d+)/.exec(url)?.slice(1).find(Boolean);
	const documentId = /(?:documents|articles)\/(\d+)/.exec(url)?.[1];
	const idInBody = newArticleSchema.safeParse(body).data?.article.company_id;
	return idInUrl === undefined ? (idInBody ?? store.findDocument(Number(documentId))?.organizationId) : Number(idInUrl);
}

/** Starts the simulator on a free port, with organizations that have these IDs and no names. Both APIs have the same ones. */
export async function startDocumentation(organizationIds: number[] = []): Promise<DocumentationSimulator> {
	const store = new DocumentStore(organizationIds.map((id) => ({ id, name: '' })));
	const requests: string[] = [];
	const faults: DocumentationFault[] = [];
	const app = fastify({ bodyLimit: 5_000_000, forceCloseConnections: true });
	app.addHook('preHandler', async ({ method, url, headers, body }, reply) => {
		if (headers['x-api-key'] !== DOCUMENTATION_API_KEY)
			return await reply.code(401).send({ error: ERROR_MESSAGES[401] });
		const organizationId = findOrganizationId(store, url, body);
		const fault = faults.find(
			(candidate) =>
				(candidate.times ?? 1) > 0 &&
				(candidate.method === undefined || candidate.method === method) &&
				(candidate.organizationId === undefined || candidate.organizationId === organizationId),
		);
		if (!fault) {
			requests.push(`${method} ${(url.split('?')[0] ?? '').replace(/^\/(hudu|itglue)/, '')}`);
			return;
		}
		fault.times = (fault.times ?? 1) - 1;
		return await reply.code(fault.status).send({ error: ERROR_MESSAGES[fault.status] });
	});
	await app.register(async (scope: FastifyInstance) => registerHudu(scope, store), { prefix: '/hudu' });
	await app.register(async (scope: FastifyInstance) => registerItGlue(scope, store), { prefix: '/itglue' });
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	return {
		urls: { hudu: `${url}/hudu`, itglue: `${url}/itglue` },
		organizations: store.organizations,
		documents: store.documents,
		requests,
		addFault: (fault) => {
			faults.push({ ...fault });
		},
		reset: () => {
			store.documents.length = 0;
			requests.length = 0;
			faults.length = 0;
		},
		close: () => app.close(),
	};
}

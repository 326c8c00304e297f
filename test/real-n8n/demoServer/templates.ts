/**
 * The template API that n8n's editor reads from N8N_TEMPLATES_HOST (n8n 19). The browser sends the requests with credentials, so each
 * response names the exact origin.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { pick } from 'lodash';
import { z } from 'zod';

import type { TemplateLibrary } from './library';

const searchSchema = z.object({
	page: z.coerce.number().default(1),
	limit: z.coerce.number().default(20),
	/** Names of categories, separated by commas. */
	category: z.string().default(''),
	search: z.string().default(''),
});
const idSchema = z.object({ id: z.coerce.number() });

/** Adds the API to a server. @param getLibrary returns the templates; the first request calls it */
export function registerTemplates(app: FastifyInstance, getLibrary: () => Promise<TemplateLibrary>): void {
	app.addHook('onRequest', async ({ headers }, reply) => {
		reply
			.header('access-control-allow-origin', headers.origin ?? '')
			.header('access-control-allow-credentials', 'true')
			.header('vary', 'origin');
	});
	app.options('/*', async (_request, reply) => {
		reply
			.header('access-control-allow-methods', 'GET')
			.header('access-control-allow-headers', 'n8n-version, content-type');
		return await reply.code(204).send();
	});
	app.get('/health', async () => ({ status: 'OK' }));
	app.get('/templates/categories', async () => ({ categories: (await getLibrary()).categories }));
	app.get('/templates/collections', async ({ query }) => {
		const { collections } = await getLibrary();
		// The collections group all templates, so they are not the answer to a search.
		const { search, category } = searchSchema.parse(query);
		return { collections: search === '' && category === '' ? collections : [] };
	});
	app.get('/templates/search', async ({ query }) => searchTemplates(await getLibrary(), searchSchema.parse(query)));
	app.get('/templates/workflows/:id', async ({ params }, reply) => {
		const workflow = await findTemplate(getLibrary, params);
		return workflow ? { workflow } : sendNotFound(reply);
	});
	app.get('/workflows/templates/:id', async ({ params }, reply) => {
		const template = await findTemplate(getLibrary, params);
		return template ? pick(template, ['id', 'name', 'workflow']) : sendNotFound(reply);
	});
	app.get('/templates/collections/:id', async ({ params }, reply) => {
		const { id } = idSchema.parse(params);
		const collection = (await getLibrary()).collections.find((entry) => entry.id === id);
		return collection ? { collection } : sendNotFound(reply);
	});
}

async function findTemplate(getLibrary: () => Promise<TemplateLibrary>, params: unknown) {
	const { id } = idSchema.parse(params);
	return (await getLibrary()).templates.find((template) => template.id === id);
}

const sendNotFound = (reply: FastifyReply): FastifyReply =>
	reply.code(404).send({ message: 'There is no template with this ID.' });

/** Finds the templates that have all words of the search in their names, descriptions or nodes. */
function searchTemplates({ templates }: TemplateLibrary, query: z.infer<typeof searchSchema>) {
	const words = query.search.toLowerCase().split(' ').filter(Boolean);
	const categoryNames = query.category.split(',').filter(Boolean);
	const matchingTemplates = templates.filter(({ name, description, nodes, categories }) => {
		const text = [name, description, ...nodes.map(({ displayName }) => displayName)].join(' ').toLowerCase();
		const isInCategory = categoryNames.length === 0 || categories.some((entry) => categoryNames.includes(entry.name));
		return isInCategory && words.every((word) => text.includes(word));
	});
	const start = (query.page - 1) * query.limit;
	return { totalWorkflows: matchingTemplates.length, workflows: matchingTemplates.slice(start, start + query.limit) };
}

/**
 * Simulates the lists of organizations in two documentation systems. Each behaves as its public documentation says, as far as
 * example 27 uses it:
 * - Hudu, at /hudu: the API documentation of an instance (GET /companies; page, page_size; an x-api-key header)
 * - IT Glue, at /itglue: api.itglue.com/developer (GET /organizations; page[number], page[size] up to 1,000; an x-api-key header;
 *   JSON:API, so that an ID is a text and the name is an attribute)
 */
import fastify from 'fastify';
import { z } from 'zod';

/** The API key that both APIs accept, in the header x-api-key. */
export const ORGANIZATIONS_API_KEY = 'organizations-key';

/** An organization of the documentation. */
export interface Organization {
	id: number;
	name: string;
}

/** A running simulator. */
export interface OrganizationsSimulator {
	/** The base URLs, which a user enters as documentationUrl. */
	urls: { hudu: string; itglue: string };
	/** The organizations, which both APIs share. */
	organizations: Organization[];
	close: () => Promise<void>;
}

const huduPageSchema = z.object({ page: z.coerce.number().default(1), page_size: z.coerce.number().default(25) });
const itGluePageSchema = z.object({
	'page[number]': z.coerce.number().default(1),
	'page[size]': z.coerce.number().max(1000).default(50),
});

/** Starts the simulator on a free port, without organizations. */
export async function startOrganizations(): Promise<OrganizationsSimulator> {
	const organizations: Organization[] = [];
	const app = fastify({ forceCloseConnections: true });
	app.addHook('onRequest', async ({ headers }, reply) => {
		if (headers['x-api-key'] !== ORGANIZATIONS_API_KEY) await reply.code(401).send({ error: 'Unauthorized' });
	});
	app.get('/hudu/api/v1/companies', async ({ query }) => {
		const { page, page_size: pageSize } = huduPageSchema.parse(query);
		return { companies: organizations.slice((page - 1) * pageSize, page * pageSize) };
	});
	app.get('/itglue/organizations', async ({ query }, reply) => {
		const { 'page[number]': page, 'page[size]': pageSize } = itGluePageSchema.parse(query);
		const data = organizations
			.slice((page - 1) * pageSize, page * pageSize)
			.map(({ id, name }) => ({ id: String(id), type: 'organizations', attributes: { name } }));
		await reply.header('content-type', 'application/vnd.api+json').send(JSON.stringify({ data }));
	});
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	return {
		urls: { hudu: `${url}/hudu`, itglue: `${url}/itglue` },
		organizations,
		close: () => app.close(),
	};
}

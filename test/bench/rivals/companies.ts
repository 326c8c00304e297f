/** Ways to read the list of companies, page by page. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod';

import type { Rival } from '../case';
import { CREDENTIAL, inLanes, searchBody, USUAL_CONCURRENCY, type BenchNode, type Stage } from '../stage';

export const PATH = '/api/companies/search';
const NEWEST_FIRST = ['CreateTime', false] as const;

const answer = z.object({
	data: z.object({ totalNumberOfPages: z.number(), results: z.array(z.record(z.unknown())) }),
});

/** What every HTTP Request node of the bench has in common: this package's credential, and JSON. */
export const httpRequest = (name: string, parameters: INodeParameters): BenchNode => ({
	name,
	type: 'n8n-nodes-base.httpRequest',
	parameters: { authentication: 'predefinedCredentialType', nodeCredentialType: CREDENTIAL, ...parameters },
});

/** A search as JSON in an HTTP Request node. */
export const jsonBody = (body: IDataObject): INodeParameters => ({
	method: 'POST',
	sendBody: true,
	specifyBody: 'json',
	jsonBody: JSON.stringify(body),
});

/** This package's Get Many Companies, as it is set up by default but for the number of records. */
export const getMany = (pageSize: number, more: INodeParameters = {}): Rival => ({
	title: 'this package',
	prepare: async (stage) => await stage.load('ours.Company'),
	run: async (stage, pages) => {
		const items = await stage.run([
			{
				name: 'Companies',
				type: 'n8n-nodes-security-awareness.securityAwarenessCompany',
				parameters: {
					...{ resource: 'company', operation: 'getMany', limit: pages * pageSize, splitChildren: false },
					...{ options: { pageSize }, ...more },
				},
			},
		]);
		return { records: items.length, kept: items };
	},
});

/** n8n's own node with its own pagination. Its items are whole pages; a Split Out node would have to follow. */
export const paginated = (pageSize: number): Rival => ({
	title: 'HTTP Request with its pagination',
	prepare: async (stage) => await stage.load('n8n.HttpRequest'),
	run: async (stage, pages) => {
		const items = await stage.run([
			httpRequest('Pages', {
				url: stage.url + PATH,
				...jsonBody(searchBody(...NEWEST_FIRST, { pageNumber: 1, pageSize })),
				options: {
					pagination: {
						pagination: {
							paginationMode: 'updateAParameterInEachRequest',
							parameters: { parameters: [{ type: 'body', name: 'pageNumber', value: '={{ $pageCount + 1 }}' }] },
							paginationCompleteWhen: 'other',
							completeExpression: '={{ $response.body.data.pageNumber >= $response.body.data.totalNumberOfPages }}',
							limitPagesFetched: true,
							maxRequests: pages,
						},
					},
				},
			}),
		]);
		const records = items.reduce((sum, { json }) => sum + answer.parse(json).data.results.length, 0);
		return { records, kept: items };
	},
});

/** The lower limit: no n8n, and as many requests at once as this package. */
export const bare = (pageSize: number): Rival => ({
	title: `loop with bare axios, ${USUAL_CONCURRENCY} at once`,
	run: async (stage, pages) => {
		const page = async (pageNumber: number) => await askPage(stage, { pageNumber, pageSize });
		const first = await page(1);
		const others = Array.from({ length: Math.min(pages, first.totalNumberOfPages) - 1 }, (_, index) => index + 2);
		const all = [first, ...(await inLanes(others, USUAL_CONCURRENCY, page))].flatMap(({ results }) => results);
		return { records: all.length, kept: all };
	},
});

/** One page, asked for with bare axios. */
export async function askPage(stage: Stage, page: { pageNumber: number; pageSize: number }) {
	const body = await stage.ask(PATH, { method: 'POST', data: searchBody(...NEWEST_FIRST, page) });
	return (body as z.output<typeof answer>).data;
}

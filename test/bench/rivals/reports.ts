/** Ways to get one report per company: its phishing campaigns. */
import { z } from 'zod';

import type { Rival } from '../case';
import { inLanes, searchBody, to, USUAL_CONCURRENCY, type Stage } from '../stage';
import { askPage, httpRequest, jsonBody } from './companies';

const PATH = '/api/phishing-simulator/phishing-campaign/search';
const PAGE_SIZE = 100;
const body = searchBody('CreateTime', false, { pageNumber: 1, pageSize: PAGE_SIZE });
const answer = z.object({ data: z.object({ results: z.array(z.record(z.unknown())) }) });
const company: z.ZodType<{ companyResourceId: string; children?: unknown[] }> = z.object({
	companyResourceId: z.string(),
	children: z.array(z.unknown()).optional(),
});

/** This package: the node finds the companies itself. */
export const everyCompany: Rival = {
	title: 'this package, Every Company',
	prepare: async (stage) => await stage.load('ours.PhishingCampaign'),
	run: async (stage) => {
		const items = await stage.run([
			{
				name: 'Report',
				type: 'n8n-nodes-security-awareness.securityAwarenessPhishingCampaign',
				parameters: {
					...{ resource: 'phishingCampaign', operation: 'getMany', companyScope: 'every', returnAll: true },
					companyFilter: { licenceNotExpired: false },
				},
			},
		]);
		return { records: items.length, kept: items };
	},
};

const LOOP = { name: 'Loop Over Items', type: 'n8n-nodes-base.splitInBatches', parameters: {} };

let companies: string[] = [];
const findCompanies = async (stage: Stage) => {
	companies = await companyIds(stage);
};

/** n8n's own nodes, as people build it today. The loop gets its 500 items without a request. */
export const loop: Rival = {
	title: 'HTTP Request in Loop Over Items',
	prepare: async (stage) => {
		await stage.load('n8n.HttpRequest', 'n8n.SplitInBatches');
		await findCompanies(stage);
	},
	run: async (stage) => {
		const request = httpRequest('Report', {
			url: stage.url + PATH,
			...jsonBody(body),
			sendHeaders: true,
			headerParameters: { parameters: [{ name: 'X-SERVICE-Company-Id', value: '={{ $json.companyResourceId }}' }] },
		});
		const done = await stage.run(
			[request, LOOP],
			companies.map((companyResourceId) => ({ json: { companyResourceId } })),
			{
				Input: { main: [[to(LOOP.name)]] },
				[LOOP.name]: { main: [[], [to(request.name)]] },
				[request.name]: { main: [[to(LOOP.name)]] },
			},
		);
		return { records: done.reduce((sum, { json }) => sum + answer.parse(json).data.results.length, 0), kept: done };
	},
};

/** The lower limit: the same requests as this package, without n8n. */
export const bareReports: Rival = {
	title: `loop with bare axios, ${USUAL_CONCURRENCY} at once`,
	run: async (stage) => {
		const ids = await companyIds(stage);
		const reports = await inLanes(ids, USUAL_CONCURRENCY, async (id) => {
			const headers = { 'X-SERVICE-Company-Id': id };
			return (await stage.ask(PATH, { method: 'POST', data: body, headers })) as z.output<typeof answer>;
		});
		const all = reports.flatMap(({ data }) => data.results);
		return { records: all.length, kept: all };
	},
};

/** Every company's ID, child companies included. */
export async function companyIds(stage: Stage): Promise<string[]> {
	const { results } = await askPage(stage, { pageNumber: 1, pageSize: 1000 });
	return idsOf(results);
}

const idsOf = (records: unknown[]): string[] =>
	records
		.map((record) => company.parse(record))
		.flatMap(({ companyResourceId, children = [] }) => [companyResourceId, ...idsOf(children)]);

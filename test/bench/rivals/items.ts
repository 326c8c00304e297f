/** Ways to make one small read for each of many input items. */
import type { INodeExecutionData } from 'n8n-workflow';

import type { Rival } from '../case';
import { inLanes, MOST_CONCURRENCY, type Stage } from '../stage';
import { httpRequest } from './companies';
import { companyIds } from './reports';

let companies: string[] = [];
const findCompanies = async (stage: Stage) => {
	companies = await companyIds(stage);
};
/** As many companies as wanted, over and over. */
const idsOf = (size: number): string[] =>
	Array.from({ length: size }, (_, index) => companies[index % companies.length] ?? '');
const itemsOf = (size: number): INodeExecutionData[] =>
	idsOf(size).map((companyResourceId) => ({ json: { companyResourceId } }));

/** This package's Get Company, each item with its own ID, at the most requests at once that it allows. */
export const getEach: Rival = {
	title: `this package, ${MOST_CONCURRENCY} at once`,
	prepare: async (stage) => {
		await stage.load('ours.Company');
		await findCompanies(stage);
	},
	run: async (stage, size) => {
		const items = await stage.run(
			[
				{
					name: 'Company',
					type: 'n8n-nodes-security-awareness.securityAwarenessCompany',
					parameters: {
						...{ resource: 'company', operation: 'get', output: 'raw' },
						company: { __rl: true, mode: 'id', value: '={{ $json.companyResourceId }}' },
						options: { concurrency: MOST_CONCURRENCY },
					},
				},
			],
			itemsOf(size),
		);
		return { records: items.length, kept: items };
	},
};

/** n8n's own node with its batching off: it sends everything at once. */
export const allAtOnce: Rival = {
	title: 'HTTP Request, batching off',
	prepare: async (stage) => {
		await stage.load('n8n.HttpRequest');
		await findCompanies(stage);
	},
	run: async (stage, size) => {
		const items = await stage.run(
			[httpRequest('Company', { url: `=${stage.url}/api/companies/{{ $json.companyResourceId }}` })],
			itemsOf(size),
		);
		return { records: items.length, kept: items };
	},
};

/** The lower limit: the same requests without n8n. */
export const bareEach: Rival = {
	title: `loop with bare axios, ${MOST_CONCURRENCY} at once`,
	prepare: findCompanies,
	run: async (stage, size) => {
		const kept = await inLanes(idsOf(size), MOST_CONCURRENCY, async (id) => {
			const answer = (await stage.ask(`/api/companies/${id}`)) as { data: unknown };
			return answer.data;
		});
		return { records: kept.length, kept };
	},
};

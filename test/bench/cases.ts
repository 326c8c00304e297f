import type { IConnections, IDataObject, INode } from 'n8n-workflow';
import { z } from 'zod';

import { getNodeItems, type Execution } from '../real-n8n/client';
import { buildHttpRequestNode, buildNode, buildPackageNode, connectTo, type CredentialReference } from '../real-n8n/workflow';
import type { Front } from './front';

/** What a workflow is made for. */
interface Scene {
	credential: CredentialReference;
	front: Front;
	size: number;
}

/** One way to do the work: the nodes behind the workflow's start. */
export interface Way {
	nodes: (scene: Scene) => INode[];
	/** Where the nodes are not a mere row. */
	connections?: IConnections;
	/** How much came out; the same for both ways. */
	records: (execution: Execution) => number;
}

/** A request as bareAxios.mjs sends it. */
interface Bare {
	url: string;
	body: IDataObject;
	company?: string;
}

/** The same work, done by this package and by n8n's own HTTP Request node. */
export interface Case {
	/** The word on the command line. */
	name: string;
	title: string;
	/** How the HTTP Request node does it. */
	rival: string;
	/** How many companies the service has. */
	companies: number;
	/** In the case's own unit; a quick look takes less. */
	size: number;
	quickSize: number;
	ours: Way;
	http: Way;
	/** The same requests for a program of its own: what is in one list may be sent at once. */
	bare?: (scene: Omit<Scene, 'credential'>) => Bare[][];
}

const PAGE_SIZE = 100;
const COMPANIES = '/api/companies/search';
const JOBS = '/api/phishing-simulator/phishing-campaign/search';
const found = z.object({ data: z.object({ results: z.array(z.unknown()) }) });
const file = z.object({ bytes: z.coerce.number() });

/** A search with the same content as this package's, newest first. */
const searchBody = (more: IDataObject = {}): IDataObject => ({
	pageNumber: 1,
	pageSize: PAGE_SIZE,
	orderBy: 'CreateTime',
	ascending: false,
	...more,
	filter: { condition: 'AND', searchInputTextValue: '', filterGroups: [] },
});

const posted = (url: string, body: IDataObject, more: IDataObject = {}): IDataObject => ({
	method: 'POST',
	url,
	sendBody: true,
	specifyBody: 'json',
	jsonBody: JSON.stringify(body),
	...more,
});

/** The pages of a list: the first tells how many there are. */
function barePages(url: string, count: number): Bare[][] {
	const [first = [], ...others] = Array.from({ length: count }, (_, index) => [
		{ url, body: searchBody({ pageNumber: index + 1 }) },
	]);
	return [first, others.flat()];
}

const count = (name: string) => (execution: Execution) => getNodeItems(execution, name).length;
/** The records in the pages that a node gave. */
const countIn = (name: string) => (execution: Execution) =>
	getNodeItems(execution, name).reduce((sum, { json }) => sum + found.parse(json).data.results.length, 0);

/** Two of n8n's own nodes that put out as many items as wanted, each with a company's ID, without a request. */
function companyItems({ front: { companyIds }, size }: Scene): INode[] {
	const ids = Array.from({ length: size }, (_, index) => companyIds[index % companyIds.length]);
	return [
		buildNode('IDs', 'set', { mode: 'raw', jsonOutput: JSON.stringify({ ids }) }, { typeVersion: 3.4 }),
		buildNode('Companies', 'splitOut', { fieldToSplitOut: 'ids', options: { destinationFieldName: 'companyResourceId' } }),
	];
}

const pages: Case = {
	name: 'pages',
	title: 'One list of 20,000 records, 100 a page',
	rival: 'its pagination: one page after the other',
	companies: 27_000,
	size: 200,
	quickSize: 200,
	ours: {
		nodes: ({ credential, size }) => [
			buildPackageNode(
				'Work',
				'Company',
				{
					operation: 'getMany',
					limit: size * PAGE_SIZE,
					splitChildren: false,
					output: 'raw',
					options: { pageSize: PAGE_SIZE },
				},
				credential,
			),
		],
		records: count('Work'),
	},
	http: {
		nodes: ({ credential, front, size }) => {
			const pagination = {
				paginationMode: 'updateAParameterInEachRequest',
				parameters: { parameters: [{ type: 'body', name: 'pageNumber', value: '={{ $pageCount + 1 }}' }] },
				paginationCompleteWhen: 'other',
				completeExpression: '={{ $response.body.data.pageNumber >= $response.body.data.totalNumberOfPages }}',
				limitPagesFetched: true,
				maxRequests: size,
			};
			const url = front.secrets.serverUrl + COMPANIES;
			return [buildHttpRequestNode('Work', posted(url, searchBody(), { options: { pagination: { pagination } } }), credential)];
		},
		records: countIn('Work'),
	},
	bare: ({ size }) => barePages(COMPANIES, size),
};

const companies: Case = {
	name: 'companies',
	title: 'The campaigns of each of 500 companies',
	rival: 'in Loop Over Items; it is given the companies',
	companies: 500,
	size: 500,
	quickSize: 500,
	ours: {
		nodes: ({ credential }) => [
			buildPackageNode(
				'Work',
				'PhishingCampaign',
				{
					operation: 'getMany',
					companyScope: 'every',
					returnAll: true,
					onlyCompanies: { licenceNotExpired: false },
				},
				credential,
			),
		],
		records: count('Work'),
	},
	http: {
		nodes: (scene) => [
			...companyItems(scene),
			buildNode('Loop', 'splitInBatches', {}, { typeVersion: 3 }),
			buildHttpRequestNode(
				'Work',
				posted(scene.front.secrets.serverUrl + JOBS, searchBody(), {
					sendHeaders: true,
					headerParameters: { parameters: [{ name: 'X-SERVICE-Company-Id', value: '={{ $json.companyResourceId }}' }] },
				}),
				scene.credential,
			),
		],
		connections: { Loop: { main: [[], [connectTo('Work')]] }, Work: { main: [[connectTo('Loop')]] } },
		records: countIn('Work'),
	},
	bare: ({ front: { companyIds } }) => [
		...barePages(COMPANIES, companyIds.length / PAGE_SIZE),
		companyIds.map((company) => ({ url: JOBS, body: searchBody(), company })),
	],
};

const exported: Case = {
	name: 'export',
	title: 'A file of 1 GB',
	rival: 'with Response Format: File',
	companies: 20,
	size: 1e9,
	quickSize: 1e8,
	ours: {
		nodes: ({ credential }) => [buildPackageNode('Work', 'Leaderboard', { operation: 'export', companyScope: 'own' }, credential)],
		records: (execution) => file.parse(getNodeItems(execution, 'Work')[0]?.binary?.data).bytes,
	},
	http: {
		nodes: ({ credential, front }) => {
			const { filter, ...pagination } = searchBody({ orderBy: 'Email', ascending: true });
			const options = { response: { response: { responseFormat: 'file' } } };
			const body = { pagination, filter, reportAllPages: true, exportType: 'CSV' };
			const url = `${front.secrets.serverUrl}/api/leaderboard/get-all/export`;
			return [buildHttpRequestNode('Work', posted(url, body, { options }), credential)];
		},
		records: (execution) => file.parse(getNodeItems(execution, 'Work')[0]?.binary?.data).bytes,
	},
};

const items: Case = {
	name: 'items',
	title: 'One small read for each of 2,000 items',
	rival: 'batching off: all at once',
	companies: 500,
	size: 2_000,
	quickSize: 2_000,
	ours: {
		nodes: (scene) => [
			...companyItems(scene),
			buildPackageNode(
				'Work',
				'Company',
				{
					operation: 'get',
					output: 'raw',
					options: { concurrency: 20 },
					company: { __rl: true, mode: 'id', value: '={{ $json.companyResourceId }}' },
				},
				scene.credential,
			),
		],
		records: count('Work'),
	},
	http: {
		nodes: (scene) => [
			...companyItems(scene),
			buildHttpRequestNode(
				'Work',
				{ url: `=${scene.front.secrets.serverUrl}/api/companies/{{ $json.companyResourceId }}` },
				scene.credential,
			),
		],
		records: count('Work'),
	},
};

/** Every case, in the order in which they are run and shown. */
export const CASES: Case[] = [pages, companies, items, exported];

/** The cases of the benchmark: each does the same work with this package and with n8n's HTTP Request node. */
import type { IConnections, IDataObject, INode } from 'n8n-workflow';
import { z } from 'zod';

import { getNodeItems, type Execution } from '../real-n8n/client';
import {
	buildHttpRequestNode,
	buildNode,
	buildPackageNode,
	buildConnectionTo,
	type CredentialReference,
} from '../real-n8n/workflow';
import type { CachingProxy } from './cachingProxy';

/** The values that a case's nodes are built from. */
interface BenchContext {
	credential: CredentialReference;
	proxy: CachingProxy;
	size: number;
}

/** One way to do the work of a case. */
export interface Implementation {
	/** Builds the nodes after the workflow's start node. */
	buildNodes: (context: BenchContext) => INode[];
	/** The connections of the nodes. Set only if the nodes don't simply follow one another. */
	connections?: IConnections;
	/** Counts the records of the output. Both implementations must return the same number. */
	countRecords: (execution: Execution) => number;
}

/** A POST request that bareAxios.mjs sends. */
interface BareRequest {
	url: string;
	body: IDataObject;
	company?: string;
}

/** The same work, done by this package and by n8n's own HTTP Request node. */
export interface BenchCase {
	/** The name on the command line. */
	name: string;
	title: string;
	/** The way in which the HTTP Request node does the work, as text for the page. */
	httpRequestMethod: string;
	/** The number of companies of the stand-in. */
	companyCount: number;
	/** The amount of work. Each case has its own unit. */
	size: number;
	/** The amount of work with `--quick`. */
	quickSize: number;
	packageNode: Implementation;
	httpRequestNode: Implementation;
	/** Lists the same requests for bareAxios.mjs. The requests of one inner list may be sent at the same time. */
	listBareRequests?: (context: Omit<BenchContext, 'credential'>) => BareRequest[][];
}

const PAGE_SIZE = 100;
const COMPANIES_PATH = '/api/companies/search';
const CAMPAIGNS_PATH = '/api/phishing-simulator/phishing-campaign/search';
const listSchema = z.object({ data: z.object({ results: z.array(z.unknown()) }) });
const fileSchema = z.object({ bytes: z.coerce.number() });

/** Builds the body of a search as this package sends it, newest records first. */
const buildSearchBody = (overrides: IDataObject = {}): IDataObject => ({
	pageNumber: 1,
	pageSize: PAGE_SIZE,
	orderBy: 'CreateTime',
	ascending: false,
	...overrides,
	filter: { condition: 'AND', searchInputTextValue: '', filterGroups: [] },
});

const buildPostParameters = (url: string, body: IDataObject, overrides: IDataObject = {}): IDataObject => ({
	method: 'POST',
	url,
	sendBody: true,
	specifyBody: 'json',
	jsonBody: JSON.stringify(body),
	...overrides,
});

/** Builds the requests for all pages of a list. The first page comes alone, because it tells the number of pages. */
function buildPageRequests(url: string, pageCount: number): BareRequest[][] {
	const [firstPage = [], ...otherPages] = Array.from({ length: pageCount }, (_, index) => [
		{ url, body: buildSearchBody({ pageNumber: index + 1 }) },
	]);
	return [firstPage, otherPages.flat()];
}

const createItemCounter = (name: string) => (execution: Execution) => getNodeItems(execution, name).length;
/** Counts the records in the pages that a node returned. */
const createPageRecordCounter = (name: string) => (execution: Execution) =>
	getNodeItems(execution, name).reduce((sum, { json }) => sum + listSchema.parse(json).data.results.length, 0);

/** Builds two of n8n's own nodes that output `size` items with a company's ID each, without any request. */
function buildCompanyIdNodes({ proxy: { companyIds }, size }: BenchContext): INode[] {
	const ids = Array.from({ length: size }, (_, index) => companyIds[index % companyIds.length]);
	return [
		buildNode('IDs', 'set', { mode: 'raw', jsonOutput: JSON.stringify({ ids }) }, { typeVersion: 3.4 }),
		buildNode('Companies', 'splitOut', {
			fieldToSplitOut: 'ids',
			options: { destinationFieldName: 'companyResourceId' },
		}),
	];
}

const pagesCase: BenchCase = {
	name: 'pages',
	title: 'One list of 20,000 records, 100 a page',
	httpRequestMethod: 'with pagination: one page after the other',
	companyCount: 27_000,
	size: 200,
	quickSize: 200,
	packageNode: {
		buildNodes: ({ credential, size }) => [
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
		countRecords: createItemCounter('Work'),
	},
	httpRequestNode: {
		buildNodes: ({ credential, proxy, size }) => {
			const pagination = {
				paginationMode: 'updateAParameterInEachRequest',
				parameters: { parameters: [{ type: 'body', name: 'pageNumber', value: '={{ $pageCount + 1 }}' }] },
				paginationCompleteWhen: 'other',
				completeExpression: '={{ $response.body.data.pageNumber >= $response.body.data.totalNumberOfPages }}',
				limitPagesFetched: true,
				maxRequests: size,
			};
			const url = proxy.secrets.serverUrl + COMPANIES_PATH;
			return [
				buildHttpRequestNode(
					'Work',
					buildPostParameters(url, buildSearchBody(), { options: { pagination: { pagination } } }),
					credential,
				),
			];
		},
		countRecords: createPageRecordCounter('Work'),
	},
	listBareRequests: ({ size }) => buildPageRequests(COMPANIES_PATH, size),
};

const companiesCase: BenchCase = {
	name: 'companies',
	title: 'The campaigns of each of 500 companies',
	httpRequestMethod: 'in Loop Over Items, with the companies as input',
	companyCount: 500,
	size: 500,
	quickSize: 500,
	packageNode: {
		buildNodes: ({ credential }) => [
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
		countRecords: createItemCounter('Work'),
	},
	httpRequestNode: {
		buildNodes: (context) => [
			...buildCompanyIdNodes(context),
			buildNode('Loop', 'splitInBatches', {}, { typeVersion: 3 }),
			buildHttpRequestNode(
				'Work',
				buildPostParameters(context.proxy.secrets.serverUrl + CAMPAIGNS_PATH, buildSearchBody(), {
					sendHeaders: true,
					headerParameters: { parameters: [{ name: 'X-SERVICE-Company-Id', value: '={{ $json.companyResourceId }}' }] },
				}),
				context.credential,
			),
		],
		connections: { Loop: { main: [[], [buildConnectionTo('Work')]] }, Work: { main: [[buildConnectionTo('Loop')]] } },
		countRecords: createPageRecordCounter('Work'),
	},
	listBareRequests: ({ proxy: { companyIds } }) => [
		...buildPageRequests(COMPANIES_PATH, companyIds.length / PAGE_SIZE),
		companyIds.map((company) => ({ url: CAMPAIGNS_PATH, body: buildSearchBody(), company })),
	],
};

const exportCase: BenchCase = {
	name: 'export',
	title: 'A file of 1 GB',
	httpRequestMethod: 'with Response Format: File',
	companyCount: 20,
	size: 1e9,
	quickSize: 1e8,
	packageNode: {
		buildNodes: ({ credential }) => [
			buildPackageNode('Work', 'Leaderboard', { operation: 'export', companyScope: 'own' }, credential),
		],
		countRecords: (execution) => fileSchema.parse(getNodeItems(execution, 'Work')[0]?.binary?.data).bytes,
	},
	httpRequestNode: {
		buildNodes: ({ credential, proxy }) => {
			const { filter, ...pagination } = buildSearchBody({ orderBy: 'Email', ascending: true });
			const options = { response: { response: { responseFormat: 'file' } } };
			const body = { pagination, filter, reportAllPages: true, exportType: 'CSV' };
			const url = `${proxy.secrets.serverUrl}/api/leaderboard/get-all/export`;
			return [buildHttpRequestNode('Work', buildPostParameters(url, body, { options }), credential)];
		},
		countRecords: (execution) => fileSchema.parse(getNodeItems(execution, 'Work')[0]?.binary?.data).bytes,
	},
};

const itemsCase: BenchCase = {
	name: 'items',
	title: 'One small read for each of 2,000 items',
	httpRequestMethod: 'without batching: all at once',
	companyCount: 500,
	size: 2_000,
	quickSize: 2_000,
	packageNode: {
		buildNodes: (context) => [
			...buildCompanyIdNodes(context),
			buildPackageNode(
				'Work',
				'Company',
				{
					operation: 'get',
					output: 'raw',
					options: { concurrency: 20 },
					company: { __rl: true, mode: 'id', value: '={{ $json.companyResourceId }}' },
				},
				context.credential,
			),
		],
		countRecords: createItemCounter('Work'),
	},
	httpRequestNode: {
		buildNodes: (context) => [
			...buildCompanyIdNodes(context),
			buildHttpRequestNode(
				'Work',
				{ url: `=${context.proxy.secrets.serverUrl}/api/companies/{{ $json.companyResourceId }}` },
				context.credential,
			),
		],
		countRecords: createItemCounter('Work'),
	},
};

/** All cases, in the order in which they are run and shown. */
export const CASES: BenchCase[] = [pagesCase, companiesCase, itemsCase, exportCase];

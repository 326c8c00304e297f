import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { NodeApiError, NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import type {
	ICredentialType,
	IDataObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodeType,
	IPollFunctions,
} from 'n8n-workflow';
import { z } from 'zod';
import {
	CredentialStore,
	callListSearch,
	callLoadOptions,
	readBinary,
	runNode,
	runPoll,
	runTool,
	storeBinary,
} from '.';

const credentialType: ICredentialType = {
	name: 'sampleOAuth2Api',
	displayName: 'Sample OAuth2 API',
	extends: ['oAuth2Api'],
	properties: [
		{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' },
		{ displayName: 'Grant Type', name: 'grantType', type: 'hidden', default: 'clientCredentials' },
		{
			displayName: 'Access Token URL',
			name: 'accessTokenUrl',
			type: 'hidden',
			default: '={{ $self["baseUrl"] }}/token',
		},
		{ displayName: 'Scope', name: 'scope', type: 'hidden', default: 'api1' },
		{ displayName: 'Authentication', name: 'authentication', type: 'hidden', default: 'body' },
	],
};

async function sendRequest(context: IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions, path: string) {
	const { baseUrl } = await context.getCredentials<{ baseUrl: string }>('sampleOAuth2Api');
	const response: IDataObject = await context.helpers.httpRequestWithAuthentication.call(context, 'sampleOAuth2Api', {
		url: baseUrl + path,
		json: true,
	});
	return response;
}

class SampleNode implements INodeType {
	description: INodeType['description'] = {
		displayName: 'Sample',
		name: 'sample',
		group: ['transform'],
		version: 1,
		description: 'Tries the harness',
		defaults: { name: 'Sample' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'sampleOAuth2Api', required: true }],
		properties: [
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				options: ['ask', 'file', 'read', 'wait'].map((value) => ({ name: value, value })),
				default: 'ask',
			},
			{
				displayName: 'Path',
				name: 'path',
				type: 'string',
				default: '/ok',
				displayOptions: { show: { operation: ['ask', 'file'] } },
			},
		],
	};

	methods = {
		listSearch: {
			async things(this: ILoadOptionsFunctions, filter?: string, paginationToken?: string) {
				await sendRequest(this, '/ok');
				return { results: [{ name: `${filter} ${paginationToken}`, value: 'x' }], paginationToken: 'more' };
			},
		},
		loadOptions: {
			async paths(this: ILoadOptionsFunctions) {
				return [{ name: JSON.stringify(this.getCurrentNodeParameter('path')), value: 'x' }];
			},
		},
	};

	async poll(this: IPollFunctions) {
		await sendRequest(this, '/ok');
		const data = this.getWorkflowStaticData('node');
		data.count = Number(data.count ?? 0) + 1;
		return [[{ json: { count: data.count, mode: this.getMode() } }]];
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const output: INodeExecutionData[] = [];
		for (const [item, input] of this.getInputData().entries()) {
			const operation = this.getNodeParameter('operation', item);
			if (operation === 'wait') {
				await new Promise((_, reject) =>
					this.getExecutionCancelSignal()?.addEventListener('abort', () => reject(new Error('stopped'))),
				);
			}
			if (operation === 'read') {
				const content = await this.helpers.getBinaryDataBuffer(item, 'data');
				output.push({ json: { content: content.toString() }, pairedItem: { item } });
				continue;
			}
			const path = z.string().parse(this.getNodeParameter('path', item));
			try {
				const response = await sendRequest(this, path);
				this.addExecutionHints({ message: `asked ${path}` });
				const outputItem: INodeExecutionData = {
					json: { answer: response, from: input.json.id },
					pairedItem: { item },
				};
				if (operation === 'file') {
					const data = await this.helpers.prepareBinaryData(Buffer.from('ä'), 'a.txt', 'text/plain');
					outputItem.binary = { data };
				}
				output.push(outputItem);
			} catch (error) {
				if (!this.continueOnFail()) throw new NodeOperationError(this.getNode(), `item ${item}`);
				output.push({ json: { error: error instanceof NodeApiError ? error.httpCode : '?' }, pairedItem: { item } });
			}
		}
		return [output];
	}
}

let sampleServer: Server;
let baseUrl: string;
let issuedTokens: string[];
let tokenRequestBodies: string[];

beforeAll(async () => {
	sampleServer = createServer((request, response) => {
		let body = '';
		request.on('data', (chunk: Buffer) => (body += chunk.toString()));
		request.on('end', () => {
			response.setHeader('content-type', 'application/json');
			if (request.url === '/token') {
				tokenRequestBodies.push(body);
				issuedTokens.push(`token-${issuedTokens.length + 1}`);
				response.end(JSON.stringify({ access_token: issuedTokens.at(-1), token_type: 'Bearer', permissions: ['A'] }));
				return;
			}
			response.statusCode = request.headers.authorization !== `Bearer ${issuedTokens.at(-1)}` ? 401 : 200;
			if (request.url === '/no') response.statusCode = 404;
			response.end(JSON.stringify({ url: request.url }));
		});
	}).listen(0, '127.0.0.1');
	await once(sampleServer, 'listening');
	const address = sampleServer.address();
	if (typeof address !== 'object' || !address) throw new Error('no port');
	baseUrl = `http://127.0.0.1:${address.port}`;
});

beforeEach(() => {
	issuedTokens = [];
	tokenRequestBodies = [];
});

afterAll(() => sampleServer.close());

const createOptions = (parameters: IDataObject = {}) => ({
	node: new SampleNode(),
	parameters,
	credential: { baseUrl, clientId: 'id', clientSecret: 'secret' },
	credentialTypes: [credentialType],
});

const createItems = (...ids: number[]): INodeExecutionData[] => ids.map((id) => ({ json: { id } }));

test('fetches a token with the hidden fields of the credential, resolves expressions and pairs items', async () => {
	const result = await runNode({ ...createOptions({ path: '={{ "/" + $json.id }}' }), items: createItems(1, 2) });
	expect(tokenRequestBodies).toEqual(['grant_type=client_credentials&scope=api1&client_id=id&client_secret=secret']);
	expect(result.items).toEqual([
		{ json: { answer: { url: '/1' }, from: 1 }, pairedItem: { item: 0 } },
		{ json: { answer: { url: '/2' }, from: 2 }, pairedItem: { item: 1 } },
	]);
	expect(result.hints.map(({ message }) => message)).toEqual(['asked /1', 'asked /2']);
});

test('shares the token of a store between runs, refreshes it on 401 and keeps the other fields of the token response', async () => {
	const store = new CredentialStore({ baseUrl, clientId: 'id', clientSecret: 'secret' });
	const run = async () => runNode({ ...createOptions(), credential: store });
	await run();
	await run();
	expect(issuedTokens).toHaveLength(1);
	expect(store.token).toMatchObject({ permissions: ['A'] });
	issuedTokens.push('the service forgot the token');
	await run();
	expect(issuedTokens).toHaveLength(3);
});

test('throws the error that the node threw', async () => {
	const run = runNode({ ...createOptions({ path: '/no' }), items: createItems(1) });
	await expect(run).rejects.toBeInstanceOf(NodeOperationError);
	await expect(run).rejects.toThrow('item 0');
});

test('continues on fail, on the regular output and on the error output', async () => {
	const failingOptions = {
		...createOptions({ path: '={{ $json.path }}' }),
		items: [{ json: { path: '/no' } }, { json: { path: '/ok' } }],
	};
	const regularResult = await runNode({ ...failingOptions, onError: 'continueRegularOutput' });
	expect(regularResult.items.map(({ json }) => json.error)).toEqual(['404', undefined]);
	expect(regularResult.errorItems).toBeUndefined();
	const routedResult = await runNode({ ...failingOptions, onError: 'continueErrorOutput' });
	expect(routedResult.items).toHaveLength(1);
	expect(routedResult.errorItems).toMatchObject([{ json: { path: '/no', error: '404' }, pairedItem: { item: 0 } }]);
});

test.each(['memory', 'filesystem'] as const)('keeps binary data in mode %s', async (binaryMode) => {
	const result = await runNode({ ...createOptions({ operation: 'file' }), binaryMode });
	const binary = result.items[0]?.binary?.data;
	expect(binary?.data).toBe(binaryMode === 'memory' ? Buffer.from('ä').toString('base64') : 'filesystem-v2');
	expect(await readBinary(result.items[0])).toEqual(Buffer.from('ä'));

	const binaryData = await storeBinary(Buffer.from('in'), { fileName: 'i.txt', mimeType: 'text/plain' }, binaryMode);
	const readResult = await runNode({
		...createOptions({ operation: 'read' }),
		items: [{ json: {}, binary: { data: binaryData } }],
		binaryMode,
	});
	expect(readResult.items[0]?.json).toEqual({ content: 'in' });
});

test('cancels a run', async () => {
	const controller = new AbortController();
	const run = runNode({ ...createOptions({ operation: 'wait' }), signal: controller.signal });
	setTimeout(() => controller.abort(), 50);
	await expect(run).rejects.toThrow('stopped');
});

test('loads lists as the editor does', async () => {
	const list = await callListSearch({ ...createOptions(), method: 'things', filter: 'ü', paginationToken: '2' });
	expect(list).toEqual({ results: [{ name: 'ü 2', value: 'x' }], paginationToken: 'more' });
	expect(await callLoadOptions({ ...createOptions({ path: '/p' }), method: 'paths' })).toEqual([
		{ name: '"/p"', value: 'x' },
	]);
});

test('polls and keeps the static data', async () => {
	const firstPoll = await runPoll(createOptions());
	const secondPoll = await runPoll({ ...createOptions(), staticData: firstPoll.staticData, mode: 'manual' });
	expect(firstPoll.items).toEqual([{ json: { count: 1, mode: 'trigger' } }]);
	expect(secondPoll.items).toEqual([{ json: { count: 2, mode: 'manual' } }]);
});

test('runs as a tool', async () => {
	const toolText = await runTool({
		...createOptions({ path: "={{ $fromAI('path', 'where', 'string') }}" }),
		toolArguments: { path: '/tool' },
	});
	expect(toolText).toContain('"answer":{"url":"/tool"}');
});

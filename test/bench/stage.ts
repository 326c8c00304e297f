import { createRequire } from 'node:module';
import { rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';

import type { AxiosInstance, AxiosRequestConfig } from 'axios';
import {
	NodeConnectionTypes,
	VersionedNodeType,
	Workflow,
	type IConnections,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
} from 'n8n-workflow';
import { z } from 'zod';

import { CredentialStore, execute, useBinaryMode } from '../n8n-core';
import { loadCore } from '../n8n-core/core';
import { nodeTypesOf } from '../n8n-core/node-types';
import { loadClass, loadCredentialTypes, loadNode, manifest } from '../n8n-core/package';
import { additionalDataOf, inputNode, inputType } from '../n8n-core/workflow';

export const CREDENTIAL = 'securityAwarenessOAuth2Api';
/** The default number of requests at once, and the largest that the nodes allow. */
export const USUAL_CONCURRENCY = 8;
export const MOST_CONCURRENCY = 20;

/** A node of a bench workflow. */
export interface BenchNode {
	name: string;
	type: string;
	parameters: INodeParameters;
}

/** A file of the package as it was unpacked for the bench. */
const builtFile = (listed: string): string => join(process.env.BENCH_PACKAGE ?? '', listed);

const token = z.object({ access_token: z.string() });

const loaders = {
	/** Ours, as built. */
	ours: async (name: string): Promise<INodeType> => {
		const listed = manifest.n8n.nodes.find((file) => file.endsWith(`/SecurityAwareness${name}.node.js`));
		return await loadNode(listed ?? name, builtFile);
	},
	/** n8n's own, as installed, in their newest version. */
	n8n: async (name: string): Promise<INodeType> => {
		const folder = process.env.N8N_CORE_DIR ?? '';
		const file = createRequire(join(folder, 'package.json')).resolve(
			`n8n-nodes-base/dist/nodes/${name}/${name}.node.js`,
		);
		const made: unknown = new (await loadClass(file))();
		if (made instanceof VersionedNodeType) return made.getNodeType();
		return z
			.custom<INodeType>((value) => typeof value === 'object' && value !== null && 'description' in value)
			.parse(made);
	},
};

/** What a rival can use in its own process. */
export class Stage {
	private readonly types: Record<string, INodeType> = { [inputNode.type]: inputType };

	private constructor(
		readonly url: string,
		/** The credential with its token, as in n8n's database. */
		readonly store: CredentialStore,
		readonly accessToken: string,
		/** For the files of a rival. */
		readonly folder: string,
		private readonly axios: AxiosInstance,
	) {}

	static async open(
		{ url, clientId, clientSecret }: { url: string; clientId: string; clientSecret: string },
		folder: string,
	): Promise<Stage> {
		const { default: axios } = await import('axios');
		const form = { grant_type: 'client_credentials', scope: 'api1', client_id: clientId, client_secret: clientSecret };
		const { data } = await axios.post<unknown>(`${url}/connect/token`, new URLSearchParams(form));
		const oauthTokenData = z.record(z.unknown()).parse(data);
		const store = new CredentialStore({
			serverUrl: url,
			clientId,
			clientSecret,
			oauthTokenData: { ...oauthTokenData, ...token.parse(data) },
		});
		await useBinaryMode('filesystem');
		return new Stage(url, store, token.parse(data).access_token, folder, axios);
	}

	/** Loads node types before anything is measured: `ours.Company`, `n8n.HttpRequest`. */
	async load(...names: Array<`${keyof typeof loaders}.${string}`>): Promise<void> {
		for (const name of names) {
			const [whose, what] = z.tuple([z.enum(['ours', 'n8n']), z.string()]).parse(name.split('.'));
			const type = await loaders[whose](what);
			const prefix = whose === 'ours' ? manifest.name : 'n8n-nodes-base';
			this.types[`${prefix}.${type.description.name}`] = type;
		}
	}

	/** A node type of the bench's own. */
	define(name: string, type: INodeType): void {
		this.types[name] = type;
	}

	/**
	 * Runs a workflow in n8n's own engine, from its Input on, and returns the items that the last of its nodes put out.
	 * @param chain the nodes in the order in which they follow Input; `connections` where that is not a mere row
	 */
	async run(
		chain: BenchNode[],
		items: INodeExecutionData[] = [{ json: {} }],
		connections?: IConnections,
	): Promise<INodeExecutionData[]> {
		const loaded = await loadCore();
		const nodes = chain.map(({ name, type, parameters }, index): INode => ({
			id: name,
			name,
			type,
			typeVersion: Math.max(...[this.types[type]?.description.version ?? 1].flat()),
			position: [200 * (index + 1), 0],
			parameters,
			credentials: { [CREDENTIAL]: { id: this.store.id, name: this.store.name } },
		}));
		const row: IConnections = {};
		[inputNode, ...nodes].forEach(({ name }, index) => {
			const next = nodes[index];
			if (next) row[name] = { main: [[to(next.name)]] };
		});
		const workflow = new Workflow({
			id: 'bench',
			nodes: [inputNode, ...nodes],
			connections: connections ?? row,
			active: false,
			nodeTypes: nodeTypesOf(this.types),
			settings: { executionOrder: 'v1' },
		});
		const additionalData = await additionalDataOf(loaded, this.store, await loadCredentialTypes(builtFile));
		const run = await execute(loaded, { workflow, additionalData, items });
		const { error, runData } = run.data.resultData;
		if (error) throw new Error(`${error.message} ${error.description ?? ''}`);
		const last = runData[chain.at(-1)?.name ?? ''] ?? [];
		return last.flatMap((each) => each.data?.main?.[0] ?? []);
	}

	/**
	 * One bare request, with n8n's connection behaviour: its helper makes a new agent for each request, so no connection
	 * is used twice.
	 */
	async ask(path: string, options: AxiosRequestConfig = {}): Promise<unknown> {
		const { data } = await this.axios.request<unknown>({
			url: this.url + path,
			httpAgent: new Agent(),
			...options,
			headers: { Authorization: `Bearer ${this.accessToken}`, ...options.headers },
		});
		return data;
	}

	/** Empties n8n's store of files. */
	async clearFiles(): Promise<void> {
		const { core, Container } = await loadCore();
		await rm(Container.get(core.BinaryDataConfig).localStoragePath, { recursive: true, force: true });
	}
}

/** The end of a connection. */
export const to = (node: string) => ({ node, type: NodeConnectionTypes.Main, index: 0 });

/** A loop as a programmer would write it: a fixed number of requests at once, and the answers in order. */
export async function inLanes<S, T>(
	entries: readonly S[],
	width: number,
	work: (entry: S) => Promise<T>,
): Promise<T[]> {
	const results: T[] = [];
	const upcoming = entries.entries();
	const lane = async () => {
		for (const [index, entry] of upcoming) results[index] = await work(entry);
	};
	await Promise.all(Array.from({ length: width }, lane));
	return results;
}

/** A search with the same fields as in this package, as the body for n8n's own node. */
export const searchBody = (orderBy: string, ascending: boolean, page: IDataObject): IDataObject => ({
	...page,
	orderBy,
	ascending,
	filter: { condition: 'AND', searchInputTextValue: '', filterGroups: [] },
});

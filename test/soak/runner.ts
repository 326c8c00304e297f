/** The process in which n8n's engine runs the nodes, alone, so that what it keeps in memory and open is the nodes' own. */
import { createHash } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { readdirSync, readlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { ClientRequest } from 'node:http';
import { basename, dirname } from 'node:path';
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
	type INodeType,
	type OnError,
} from 'n8n-workflow';
import { answerParent } from '../real-n8n/children';
import { CredentialStore, loadNode, readBinary, runNode } from '../n8n-core';
import { loadCore } from '../n8n-core/core';
import { manifest } from '../n8n-core/package';
import type { InputFile } from '../cases';
import { itemWith } from '../cases/operationFixture';
import { Active } from '../polling/pollingFixture';
import type { StandIn } from '../stand-in';

/** The address of a service, and the credentials to use it with. */
export interface ServiceAccess {
	url: string;
	clients: StandIn['clients'];
	/** The data of the credential. */
	credential: Record<string, string>;
}

/** A run of a node. */
export interface RunJob {
	access: ServiceAccess;
	node: string;
	parameters: IDataObject;
	items: Array<{ json: IDataObject; files?: Record<string, InputFile> | undefined }>;
	onError: OnError;
	/** Presses Stop after so long. */
	stopAfterMs?: number | undefined;
}

/** A poll of a trigger that is active in a workflow since its first poll. */
export interface PollJob {
	access: ServiceAccess;
	/** The node's folder. */
	trigger: string;
	parameters: IDataObject;
	/** Whether n8n is started anew before it. */
	restart: boolean;
}

export interface Late {
	path: string;
	afterMs: number;
}

/** What a job came to. */
export interface Report {
	items: Array<Pick<INodeExecutionData, 'json' | 'pairedItem'>>;
	errors: IDataObject[];
	/** The files of the items. */
	files: Array<{ bytes: number; sha256: string }>;
	/** What was thrown, if anything. */
	failure?: { message: string; description: string; context: IDataObject };
	/** When Stop was pressed and when the run ended, by the system's clock. */
	stoppedAt?: number | undefined;
	endedAt: number;
	/** For how long in total this process was blocked between the two, by other work or by the machine. */
	heldUpMs?: number;
	/** Requests that were begun after Stop, and how long after it. */
	late?: Late[];
}

/** What the process holds, after a garbage collection. */
export interface Holding {
	/** In bytes: JavaScript's own memory, that outside of it, and all of the process. */
	heap: number;
	external: number;
	rss: number;
	sockets: number;
	/** Open files in the folder of n8n. */
	files: number;
	timers: number;
}

const nodes = new Map<string, INodeType>();
const stores = new Map<string, CredentialStore>();
const triggers = new Map<string, Active>();

/** Runs that were stopped, by the address of their service, with the requests that they began all the same. */
const stopped = new Map<string, { at: number; late: Late[] }>();
subscribe('http.client.request.start', (message) => {
	const { request } = message as { request: ClientRequest };
	// Requests that waited for a connection when Stop was pressed are reported too, but are not sent.
	const stop = request.destroyed ? undefined : stopped.get(`http://${String(request.getHeader('host'))}`);
	stop?.late.push({ path: request.path, afterMs: Date.now() - stop.at });
});
/** How long a stopped run is watched after its end. */
const WATCHED_MS = 500;

const RESOLUTION_MS = 10;
/** The sum of all delays of the event loop, in ms. */
const heldUpMs = ({ count, mean }: IntervalHistogram): number =>
	count === 0 ? 0 : Math.max(0, (mean / 1e6 - RESOLUTION_MS) * count);

function nodeOf(folder: string): INodeType {
	const node = nodes.get(folder);
	if (!node) throw new Error(`There is no node ${folder}`);
	return node;
}

function storeOf({ url, credential }: ServiceAccess): CredentialStore {
	const there = stores.get(url) ?? new CredentialStore(credential);
	stores.set(url, there);
	return there;
}

/** Does the same as n8n when it deletes an old execution. */
async function removeFiles(items: INodeExecutionData[]): Promise<void> {
	const { core, Container } = await loadCore();
	for (const { id } of items.flatMap(({ binary = {} }) => Object.values(binary))) {
		if (id === undefined) continue;
		const path = Container.get(core.BinaryDataService).getPath(id);
		await Promise.all([rm(path), rm(`${path}.metadata`, { force: true })]);
	}
}

function told(thrown: unknown): Report['failure'] {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError)
		return {
			message: thrown.message,
			description: thrown.description ?? '',
			context: JSON.parse(JSON.stringify(thrown.context)) as IDataObject,
		};
	return {
		message: thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown),
		description: '',
		context: {},
	};
}

const NOTHING = { items: [], errors: [], files: [] };

async function run({ access, node: folder, parameters, items: given, onError, stopAfterMs }: RunJob): Promise<Report> {
	const node = nodeOf(folder);
	const input = await Promise.all(given.map(async ({ json, files }) => await itemWith(files, json)));
	const stop = new AbortController();
	let stoppedAt: number | undefined;
	const late: Late[] = [];
	const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
	const press = () => {
		delay.enable();
		stoppedAt = Date.now();
		stop.abort();
		stopped.set(access.url, { at: stoppedAt, late });
	};
	const timer = stopAfterMs === undefined ? undefined : setTimeout(press, stopAfterMs);
	const made: INodeExecutionData[] = [];
	try {
		const { items, errors = [] } = await runNode({
			node,
			parameters,
			credential: storeOf(access),
			items: input,
			onError,
			signal: stop.signal,
		});
		const endedAt = Date.now();
		made.push(...items);
		const files = [];
		for (const item of items.filter(({ binary }) => binary)) {
			const content = await readBinary(item);
			files.push({ bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') });
		}
		const report = {
			items: items.map(({ json, pairedItem }) => ({ json, ...(pairedItem === undefined ? {} : { pairedItem }) })),
			files,
			errors: errors.map(({ json }) => json),
		};
		return { ...report, stoppedAt, endedAt, heldUpMs: heldUpMs(delay) };
	} catch (error) {
		const endedAt = Date.now();
		const held = heldUpMs(delay);
		if (stoppedAt !== undefined) await sleep(WATCHED_MS);
		return { ...NOTHING, failure: told(error), stoppedAt, endedAt, heldUpMs: held, late };
	} finally {
		clearTimeout(timer);
		delay.disable();
		stopped.delete(access.url);
		await removeFiles([...input, ...made]);
	}
}

async function poll({ access, trigger, parameters, restart }: PollJob): Promise<Report> {
	const key = `${access.url} ${trigger}`;
	const active = triggers.get(key) ?? new Active(nodeOf(trigger), parameters, access);
	triggers.set(key, active);
	if (restart) active.restart();
	try {
		const items = (await active.poll()) ?? [];
		return { ...NOTHING, items: items.map((json) => ({ json })), endedAt: Date.now() };
	} catch (error) {
		return { ...NOTHING, failure: told(error), endedAt: Date.now() };
	}
}

/** What each open file descriptor stands for; known on Linux only. */
function descriptors(): string[] {
	try {
		return readdirSync('/proc/self/fd').flatMap((fd) => {
			try {
				return [readlinkSync(`/proc/self/fd/${fd}`)];
			} catch {
				return [];
			}
		});
	} catch {
		return [];
	}
}

async function measure(): Promise<Holding> {
	// What is freed by the first may free more.
	for (let round = 0; round < 2; round++) {
		globalThis.gc?.();
		await new Promise((resolve) => setImmediate(resolve));
	}
	const { heapUsed, external, rss } = process.memoryUsage();
	const active = process.getActiveResourcesInfo();
	return {
		...{ heap: heapUsed, external, rss },
		sockets: active.filter((name) => name.startsWith('TCP')).length,
		files: descriptors().filter((path) => path.includes('n8n-harness-')).length,
		timers: active.filter((name) => name === 'Timeout').length,
	};
}

const ready = (async () => {
	for (const listed of manifest.n8n.nodes) nodes.set(basename(dirname(listed)), await loadNode(listed));
	await loadCore();
})();

if (process.send)
	answerParent({
		run: async (job) => (await ready, await run(job as RunJob)),
		poll: async (job) => (await ready, await poll(job as PollJob)),
		measure: async () => (await ready, await measure()),
	});

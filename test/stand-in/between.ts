/**
 * A proxy in front of the stand-in service that refuses requests or changes answers as a test needs it, like some
 * deployments do.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { CredentialStore } from '../n8n-core';
import { isRow, type Row } from './http';
import type { StandIn } from '.';

/** A request to the stand-in service, with its body as it was sent ({} without a body). */
export interface Passing {
	path: string;
	body: Row;
	company: string | undefined;
}

export interface Rules {
	/** @returns the message of a 400, or undefined to forward the request */
	refuse?: (passing: Passing) => string | undefined;
	/** Changes the data of a page. */
	change?: (data: Row, passing: Passing) => unknown;
	/** Returns the body to forward instead, if a test makes pages itself from what the stand-in service returns. */
	instead?: (passing: Passing) => Row;
}

const HEADERS = ['authorization', 'content-type', 'x-service-company-id'];

export class Between {
	readonly asked: Passing[] = [];
	rules: Rules = {};
	private server: Server | undefined;
	private url = '';

	constructor(private readonly service: () => StandIn) {}

	async start(): Promise<void> {
		this.server = createServer((request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const headers = Object.fromEntries(
					HEADERS.flatMap((name) => (typeof request.headers[name] === 'string' ? [[name, request.headers[name]]] : [])),
				);
				const text = Buffer.concat(chunks).toString();
				void this.answer(request.method ?? '', request.url ?? '', headers, text).then(async (answer) => {
					const type = answer.headers.get('content-type') ?? '';
					const name = answer.headers.get('content-disposition');
					response.writeHead(answer.status, {
						'content-type': type,
						date: answer.headers.get('date') ?? '',
						...(name === null ? {} : { 'content-disposition': name }),
					});
					response.end(Buffer.from(await answer.arrayBuffer()));
				});
			});
		}).listen(0, '127.0.0.1');
		await once(this.server, 'listening');
		this.url = `http://127.0.0.1:${z.object({ port: z.number() }).parse(this.server.address()).port}`;
	}

	stop(): void {
		this.server?.closeAllConnections();
		this.server?.close();
	}

	reset(): void {
		this.asked.length = 0;
		this.rules = {};
	}

	/** A credential for this service. */
	get store(): CredentialStore {
		const { clientId, clientSecret } = this.service().clients.reseller;
		return new CredentialStore({ serverUrl: this.url, clientId, clientSecret });
	}

	/** The address and the clients, for tests that create their own credential. */
	get like(): Pick<StandIn, 'url' | 'clients'> {
		return { url: this.url, clients: this.service().clients };
	}

	private async answer(
		method: string,
		path: string,
		headers: Record<string, unknown>,
		text: string,
	): Promise<Response> {
		const target = this.service().url + path;
		const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
		const pass = async (body: string) =>
			await fetch(target, { method, headers: sent, ...(method === 'GET' ? {} : { body }) });
		if (path === '/connect/token') return await pass(text);
		const body: unknown = text.startsWith('{') ? JSON.parse(text) : {};
		const passing = { path, body: isRow(body) ? body : {}, company: sent['x-service-company-id'] };
		this.asked.push(passing);
		const refusal = this.rules.refuse?.(passing);
		if (refusal !== undefined)
			return Response.json({ status: 'INPUT_ERROR', message: refusal, data: null }, { status: 400 });
		const answer = await pass(this.rules.instead ? JSON.stringify(this.rules.instead(passing)) : text);
		if (!this.rules.change || !answer.headers.get('content-type')?.includes('json')) return answer;
		const whole: unknown = await answer.json();
		if (!isRow(whole) || !isRow(whole.data)) return Response.json(whole, { status: answer.status });
		const date = answer.headers.get('date');
		return Response.json(
			{ ...whole, data: this.rules.change(whole.data, passing) },
			{ status: answer.status, headers: date === null ? {} : { date } },
		);
	}
}

/** Starts such a proxy for the tests of a describe block; its rules are reset before each test. */
export function between(service: () => StandIn): Between {
	const made = new Between(service);
	beforeAll(async () => await made.start());
	beforeEach(() => made.reset());
	afterAll(() => made.stop());
	return made;
}

/**
 * Limits the pages of a list to a size, although the service counts them by the requested size.
 * @param search the end of the search's path
 */
export function capped(search: string, largest: number): Rules {
	const isIt = ({ path }: Passing) => path.endsWith(search);
	const size = ({ body }: Passing) => Number(body.pageSize);
	return {
		instead: (passing) =>
			isIt(passing) ? { ...passing.body, pageSize: Math.min(largest, size(passing)) } : passing.body,
		change: (data, passing) =>
			isIt(passing)
				? {
						...data,
						pageSize: size(passing),
						totalNumberOfPages: Math.ceil(Number(data.totalNumberOfRecords) / size(passing)),
					}
				: data,
	};
}

export const resultsOf = (data: Row): Row[] => z.array(z.record(z.unknown())).parse(data.results);
export const orderOf = ({ body }: Passing): IDataObject => {
	const { orderBy, ascending } = z.object({ orderBy: z.string(), ascending: z.boolean() }).parse(body);
	return { orderBy, ascending };
};

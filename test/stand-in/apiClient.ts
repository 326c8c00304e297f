import axios, { type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { isRow, type Row } from './http';
import type { Client, StandIn } from './index';

/** A filter that every record matches. */
export const ALL = { Condition: 'AND', SearchInputTextValue: '' };

/** A complete paging body. */
export function page(more: Row = {}): Row {
	return { pageNumber: 1, pageSize: 10, orderBy: 'None', ascending: true, filter: ALL, ...more };
}

/** Sends requests to the stand-in service as one of its API clients, without n8n. */
export class ApiClient {
	#token: string | undefined;

	constructor(
		readonly service: StandIn,
		readonly client: Client,
		readonly company?: string,
		private readonly scopeHeader = 'X-SERVICE-Company-Id',
		/** A second header with the company, which some deployments need. */
		private readonly secondHeader?: string,
	) {}

	private get scope(): Record<string, string> {
		if (this.company === undefined) return {};
		return {
			[this.scopeHeader]: this.company,
			...(this.secondHeader === undefined ? {} : { [this.secondHeader]: this.company }),
		};
	}

	/** The same credential, scoped to a company. */
	for(company: string, scopeHeader = this.scopeHeader, secondHeader = this.secondHeader): ApiClient {
		const other = new ApiClient(this.service, this.client, company, scopeHeader, secondHeader);
		other.#token = this.#token;
		return other;
	}

	/** Sends a form to the token endpoint. */
	async requestToken(form: Record<string, string> = {}): Promise<AxiosResponse<Row>> {
		const { clientId, clientSecret } = this.client;
		const body = new URLSearchParams({
			grant_type: 'client_credentials',
			client_id: clientId,
			client_secret: clientSecret,
			scope: 'api1',
			...form,
		});
		return await axios.post(`${this.service.url}/connect/token`, body, { validateStatus: () => true });
	}

	/** Requests a token and stores it. */
	async signIn(): Promise<this> {
		const { data } = await this.requestToken();
		this.#token = String(data.access_token);
		return this;
	}

	/** Sends a request; any answer is accepted. */
	async ask(
		key: string,
		data?: unknown,
		options: Pick<AxiosRequestConfig, 'timeout' | 'responseType'> & { headers?: Record<string, string> } = {},
	): Promise<AxiosResponse<unknown>> {
		if (this.#token === undefined) await this.signIn();
		const [method, path] = key.split(' ');
		const json = data !== undefined && !(data instanceof FormData) && !(data instanceof URLSearchParams);
		return await axios.request({
			method,
			url: `${this.service.url}${path}`,
			data,
			...options,
			headers: {
				authorization: `Bearer ${this.#token}`,
				...(json ? { 'content-type': 'application/json' } : {}),
				...this.scope,
				...options.headers,
			},
			validateStatus: () => true,
		});
	}

	/** Sends a request and expects success. @returns the envelope's data */
	async data(key: string, body?: unknown): Promise<unknown> {
		const { status, data } = await this.ask(key, body);
		if (status >= 300 || !isRow(data)) throw new Error(`${key} answered ${status} ${JSON.stringify(data)}`);
		return data.data;
	}

	/** The same for operations that answer with one record. */
	async record(key: string, body?: unknown): Promise<Row> {
		const data = await this.data(key, body);
		if (!isRow(data)) throw new Error(`${key} did not answer a record`);
		return data;
	}

	/** The same for operations that answer with a list. */
	async list(key: string, body?: unknown): Promise<Row[]> {
		const data = await this.data(key, body);
		if (!Array.isArray(data)) throw new Error(`${key} did not answer a list`);
		return data.filter(isRow);
	}

	/** The same for searches. @returns the results of one page */
	async results(key: string, body: Row): Promise<Row[]> {
		const { results } = await this.record(key, body);
		if (!Array.isArray(results)) throw new Error(`${key} did not answer a page`);
		return results.filter(isRow);
	}

	/** Requests a file. @returns its bytes, its name and its type */
	async file(key: string, body: unknown): Promise<{ bytes: Buffer; disposition: string; type: string }> {
		const { data, headers } = await this.ask(key, body, { responseType: 'arraybuffer' });
		if (!Buffer.isBuffer(data)) throw new Error(`${key} answered no file`);
		const [disposition, type] = [headers['content-disposition'], headers['content-type']].map(String);
		return { bytes: data, disposition: disposition ?? '', type: type ?? '' };
	}
}

/** The messages of a refusal. */
export function messages(response: AxiosResponse<unknown>): string {
	const { data } = response;
	if (!isRow(data)) return String(data);
	return [data.validationMessages ?? data.messages ?? data.detail ?? data.message].flat().join(' ');
}

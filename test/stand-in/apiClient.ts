import axios, { type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { isJsonObject, type JsonObject } from './http';
import type { ClientCredential, StandIn } from './index';

/** A filter that matches every record. */
export const MATCH_ALL_FILTER = { Condition: 'AND', SearchInputTextValue: '' };

/** Builds a complete paging body. */
export function buildPageBody(overrides: JsonObject = {}): JsonObject {
	return { pageNumber: 1, pageSize: 10, orderBy: 'None', ascending: true, filter: MATCH_ALL_FILTER, ...overrides };
}

/** Sends requests to the stand-in as one of its API clients, without n8n. */
export class ApiClient {
	#token: string | undefined;

	constructor(
		readonly standIn: StandIn,
		readonly credential: ClientCredential,
		readonly companyId?: string,
		private readonly companyHeader = 'X-SERVICE-Company-Id',
		/** The name of a second header for the company's ID, which live deployments require for some requests. */
		private readonly secondCompanyHeader?: string,
	) {}

	private get companyHeaders(): Record<string, string> {
		if (this.companyId === undefined) return {};
		const headers = { [this.companyHeader]: this.companyId };
		if (this.secondCompanyHeader !== undefined) headers[this.secondCompanyHeader] = this.companyId;
		return headers;
	}

	/** Returns a client with the same credential and token whose requests name a company. */
	scopeToCompany(
		companyId: string,
		companyHeader = this.companyHeader,
		secondCompanyHeader = this.secondCompanyHeader,
	): ApiClient {
		const scopedClient = new ApiClient(this.standIn, this.credential, companyId, companyHeader, secondCompanyHeader);
		scopedClient.#token = this.#token;
		return scopedClient;
	}

	/**
	 * Sends a form to the token endpoint.
	 * @param overrides form fields that replace the valid ones
	 */
	async requestToken(overrides: Record<string, string> = {}): Promise<AxiosResponse<JsonObject>> {
		const { clientId, clientSecret } = this.credential;
		const body = new URLSearchParams({
			grant_type: 'client_credentials',
			client_id: clientId,
			client_secret: clientSecret,
			scope: 'api1',
			...overrides,
		});
		return await axios.post(`${this.standIn.url}/connect/token`, body, { validateStatus: () => true });
	}

	/** Requests a token and stores it for later requests. */
	async signIn(): Promise<this> {
		const { data } = await this.requestToken();
		this.#token = String(data.access_token);
		return this;
	}

	/**
	 * Sends a request and returns the response, whatever its status.
	 * @param key the method and the path without placeholders, such as "GET /api/roles"
	 */
	async send(
		key: string,
		body?: unknown,
		options: Pick<AxiosRequestConfig, 'timeout' | 'responseType'> & { headers?: Record<string, string> } = {},
	): Promise<AxiosResponse<unknown>> {
		if (this.#token === undefined) await this.signIn();
		const [method, path] = key.split(' ');
		const isJson = body !== undefined && !(body instanceof FormData) && !(body instanceof URLSearchParams);
		const headers: Record<string, string> = { authorization: `Bearer ${this.#token}` };
		if (isJson) headers['content-type'] = 'application/json';
		return await axios.request({
			method,
			url: `${this.standIn.url}${path}`,
			data: body,
			...options,
			headers: { ...headers, ...this.companyHeaders, ...options.headers },
			validateStatus: () => true,
		});
	}

	/**
	 * Sends a request that must succeed.
	 * @returns the data in the envelope
	 * @throws Error if the status is not a success
	 */
	async fetchData(key: string, body?: unknown): Promise<unknown> {
		const { status, data: envelope } = await this.send(key, body);
		if (status >= 300 || !isJsonObject(envelope))
			throw new Error(`${key} answered ${status} ${JSON.stringify(envelope)}`);
		return envelope.data;
	}

	/** Sends a request that must succeed and return one record. */
	async fetchRecord(key: string, body?: unknown): Promise<JsonObject> {
		const record = await this.fetchData(key, body);
		if (!isJsonObject(record)) throw new Error(`${key} did not answer a record`);
		return record;
	}

	/** Sends a request that must succeed and return a list. */
	async fetchList(key: string, body?: unknown): Promise<JsonObject[]> {
		const list = await this.fetchData(key, body);
		if (!Array.isArray(list)) throw new Error(`${key} did not answer a list`);
		return list.filter(isJsonObject);
	}

	/**
	 * Sends a search that must succeed.
	 * @returns the records of one page
	 */
	async fetchResults(key: string, body: JsonObject): Promise<JsonObject[]> {
		const { results } = await this.fetchRecord(key, body);
		if (!Array.isArray(results)) throw new Error(`${key} did not answer a page`);
		return results.filter(isJsonObject);
	}

	/**
	 * Requests a file.
	 * @returns its bytes, its Content-Disposition and its Content-Type
	 */
	async downloadFile(key: string, body: unknown): Promise<{ bytes: Buffer; disposition: string; type: string }> {
		const { data: bytes, headers } = await this.send(key, body, { responseType: 'arraybuffer' });
		if (!Buffer.isBuffer(bytes)) throw new Error(`${key} answered no file`);
		const disposition = String(headers['content-disposition']);
		const type = String(headers['content-type']);
		return { bytes, disposition, type };
	}
}

/** Returns all messages of an error response as one text. Platforms send them in different fields. */
export function readMessages(response: AxiosResponse<unknown>): string {
	const { data } = response;
	if (!isJsonObject(data)) return String(data);
	return [data.validationMessages ?? data.messages ?? data.detail ?? data.message].flat().join(' ');
}

/** What the tests of this personality share: a service and API clients. */
import { isRow, type Row } from '../http';
import { startService, type ServiceOptions, type StandIn } from '../index';
import { ApiClient } from '../apiClient';
import type { Simulator } from '../personality';
import type { Campaign } from '../seed';

export const SECOND = 'x-ir-company-id';

/** A filter as every search requires it: without a search text, and with both groups. */
export const FILTER = {
	Condition: 'AND',
	SearchInputTextValue: '',
	FilterGroups: ['AND', 'OR'].map((Condition) => ({ Condition, FilterItems: [], FilterGroups: [] })),
};

/** A whole search body. */
export function body(orderBy: string, more: Row = {}): Row {
	return { pageNumber: 1, pageSize: 100, orderBy, ascending: true, filter: FILTER, ...more };
}

/** A request to an operation, with its path filled in. */
export interface Request {
	path: string;
	body?: Row | Row[];
	/** Of a multipart request: its fields, and whether a file comes with them. */
	form?: Row;
}

/** A running service, and clients of it. */
export class Deployed {
	private constructor(
		readonly service: StandIn,
		readonly reseller: ApiClient,
		readonly admin: ApiClient,
	) {}

	static async start(options: ServiceOptions = {}): Promise<Deployed> {
		const service = await startService({ personality: 'deployed', companies: 40, ...options });
		const { clients } = service;
		return new Deployed(
			service,
			await new ApiClient(service, clients.reseller).signIn(),
			await new ApiClient(service, clients.companyAdmin).signIn(),
		);
	}

	get companyId(): string {
		const company = this.service.state.companies.find(({ companyName }) => companyName === 'Harbour Bakery');
		return company?.companyResourceId ?? '';
	}

	/** A campaign that was run twice. */
	job(simulator: Simulator): Campaign {
		const [first] = this.holdings.campaigns(simulator);
		if (!first) throw new Error('There is no campaign');
		return first;
	}

	get holdings() {
		return this.service.state.of(this.companyId);
	}

	/** The reseller for the customer, with both headers. */
	get customer(): ApiClient {
		return this.reseller.for(this.companyId, 'X-SERVICE-Company-Id', SECOND);
	}

	enrollment(type: 'Training' | 'Survey') {
		const found = this.holdings.enrollments.find((entry) => entry.type === type);
		if (!found) throw new Error(`There is no enrollment of the type ${type}`);
		return found;
	}

	/** The row of somebody in its first run who did it. */
	async rowOf(simulator: Simulator, type: string): Promise<Row> {
		const path = `/api/${simulator}-simulator/${simulator}-campaign-job-report/${type}/search`;
		const [row] = await this.customer.results(`POST ${path}/${this.job(simulator).resourceId}/1`, body('Email'));
		if (!row) throw new Error(`Nobody is among ${type}`);
		return row;
	}
}

/** The form of a multipart request. */
export function formOf(fields: Row, withFile: boolean): FormData {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) {
		for (const entry of Array.isArray(value) ? value : [value]) form.append(name, String(entry));
	}
	if (withFile) form.append('File', new Blob(['<xml/>'], { type: 'text/xml' }), 'metadata.xml');
	return form;
}

/** Sends a request. @param without a field that is left out */
export async function send(apiClient: ApiClient, key: string, request: Request, without?: string) {
	const [method = ''] = key.split(' ');
	const left = (fields: Row): Row => Object.fromEntries(Object.entries(fields).filter(([name]) => name !== without));
	const { form, body: sent } = request;
	const data = form ? formOf(left(form), without !== 'File') : sent && (Array.isArray(sent) ? sent : left(sent));
	return await apiClient.ask(`${method} ${request.path}`, data);
}

/** What an answer's envelope carries. */
export function dataOf(response: { status: number; data: unknown }): unknown {
	if (response.status >= 300 || !isRow(response.data))
		throw new Error(`It answered ${response.status} ${JSON.stringify(response.data)}`);
	return response.data.data;
}

/** The outcome code and the messages of a refusal, whatever the case of their names. */
export function refusalOf(response: { status: number; data: unknown }): Row {
	const { data } = response;
	if (!isRow(data)) return { http: response.status };
	return { http: response.status, status: data.Status ?? data.status, message: data.Message ?? data.message };
}

/** The answer of a search to an input that it refuses. */
export const INPUT_ERROR = { http: 400, status: 'INPUT_ERROR', message: 'Invalid request' };

/** The rows of a list, whether it is a page, has one inside, or is bare. */
export function rowsOf(data: unknown): Row[] {
	const list = isRow(data) ? (isRow(data.items) ? data.items : data).results : data;
	return Array.isArray(list) ? list.filter(isRow) : [];
}

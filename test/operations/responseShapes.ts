/**
 * Compares the responses of the stand-in with the interface description in docs/facts/deployment-shapes.md and
 * docs/facts/deployment-beyond.md, and checks that requests without a required field are rejected.
 */
import type { CustomerFixture } from '../cases';
import { fetchJobPeople } from '../cases/campaigns';
import { isJsonObject, type JsonObject } from '../stand-in/http';
import type { LoggedRequest } from '../stand-in/log';
import { getProfile, SIMULATORS } from '../stand-in/profile';
import { listRoutes } from '../stand-in/routes';
import { listDifferences, getDescription, readDescriptions } from '../stand-in/endpointDescriptions';
import type { RecordedResponse } from './records';

/** The keys of the endpoints that the stand-in serves as a live deployment. */
export const SERVED_KEYS: ReadonlySet<string> = new Set(listRoutes(getProfile('deployed')).map(({ key }) => key));
/** The keys of those endpoints that are described. */
export const DESCRIBED_KEYS: readonly string[] = [
	...readDescriptions('deployment-shapes.md'),
	...readDescriptions('deployment-beyond.md'),
]
	.filter(({ key }) => SERVED_KEYS.has(key))
	.map(({ key }) => key);

/** Matches the searches for the events of a person. The documents describe one object, but the response is a list. */
const EVENT_SEARCH_PATTERN = /\/search-(email|sms)-/;
/** A search that returns a page although the documents describe only an ID. */
export const UNDOCUMENTED_PAGE_ROUTE = 'POST /api/companies/direct-email-settings/search';

/** Returns the rows of a page, of a page inside another object, of a page of users, or of a plain list. */
function getRows(data: unknown): JsonObject[] {
	let list = data;
	if (isJsonObject(data)) list = isJsonObject(data.items) ? data.items.results : (data.results ?? data.users);
	return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** Returns true if a list isn't empty. A plain list can also consist of texts. */
const hasEntries = (data: unknown): boolean => getRows(data).length > 0 || (Array.isArray(data) && data.length > 0);

/** Builds the body of a logged request without one field. */
function buildBodyWithout(field: string, { body }: LoggedRequest): JsonObject | FormData {
	const listOtherFields = (fields: JsonObject) =>
		Object.entries(fields).filter(([name]) => name.toLowerCase() !== field.toLowerCase());
	if (!isJsonObject(body)) return {};
	if (!isJsonObject(body.fields)) return Object.fromEntries(listOtherFields(body));
	const form = new FormData();
	for (const [name, values] of listOtherFields(body.fields))
		for (const value of [values].flat()) form.append(name, String(value));
	if (field !== 'File' && getRows(body.files).length > 0) form.append('File', new Blob(['<xml/>']), 'metadata.xml');
	return form;
}

/** Compares responses with the description, and remembers what it has compared. */
export class ShapeChecker {
	/** The keys of the endpoints whose responses were compared. */
	readonly comparedKeys = new Set<string>();
	/** The keys of the lists that returned at least one row. */
	readonly keysWithRows = new Set<string>();
	/** The required fields that were checked, each with the key of its endpoint. */
	readonly checkedFields = new Set<string>();

	/** Compares every response with its description. @returns the differences of each endpoint */
	compareResponses(responses: readonly RecordedResponse[]): Array<{ route: string; differences: unknown[] }> {
		return responses.flatMap(({ request: { route }, data }) => {
			const shape = getDescription(route)?.dataShape;
			if (!shape || route === UNDOCUMENTED_PAGE_ROUTE) return [];
			this.comparedKeys.add(route);
			if (hasEntries(data)) this.keysWithRows.add(route);
			const comparedValues = EVENT_SEARCH_PATTERN.test(route) ? getRows(data) : [data];
			const differences = comparedValues.flatMap((value) => listDifferences(value, shape));
			return differences.length > 0 ? [{ route, differences }] : [];
		});
	}

	/** Sends the accepted requests again, each time without one of the required fields that no earlier call has checked. */
	async checkRequiredFields(requests: readonly LoggedRequest[], customer: CustomerFixture): Promise<void> {
		const acceptedRequests = new Map(
			requests.filter(({ status }) => status < 300).map((request) => [request.route, request]),
		);
		for (const [key, request] of acceptedRequests)
			for (const field of getDescription(key)?.requiredFields ?? []) {
				if (this.checkedFields.has(`${key} ${field}`)) continue;
				const response = await customer.client.send(
					`${request.method} ${request.path}`,
					buildBodyWithout(field, request),
				);
				const ValidationMessages = expect.arrayContaining([`The ${field} field is required.`]);
				expect([key, response]).toMatchObject([
					key,
					{ status: 400, data: { Status: 'INPUT_ERROR', ValidationMessages } },
				]);
				this.checkedFields.add(`${key} ${field}`);
			}
	}

	/** Sends the requests that no case sends: those for lists that users select from, and those for the events of a person. */
	async sendRemainingRequests(customer: CustomerFixture): Promise<void> {
		for (const key of DESCRIBED_KEYS)
			if (/^GET [^{]+$/.test(key) && !this.comparedKeys.has(key)) await customer.fetchData(key);
		await customer.fetchData('GET /api/lookups/2');
		for (const simulator of SIMULATORS) {
			const job = { id: customer.companyData.getCampaigns(simulator)[0]?.resourceId ?? '', group: 1 };
			const [personWhoClicked] = await fetchJobPeople(customer, simulator, 'Clicked', job);
			for (const key of DESCRIBED_KEYS)
				if (EVENT_SEARCH_PATTERN.test(key) && key.includes(simulator))
					await customer.fetchList(key.replace('{resourceId}', String(personWhoClicked?.resourceId)));
		}
	}
}

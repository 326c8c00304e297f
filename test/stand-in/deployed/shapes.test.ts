/**
 * Runs all cases, and compares each response of the stand-in with the interface description. Also checks that requests
 * without a required field are rejected. The description is in docs/facts/deployment-shapes.md and
 * docs/facts/deployment-beyond.md.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cases, type CustomerFixture } from '../../cases';
import { fetchJobPeople } from '../../cases/campaigns';
import { buildStrictSearchBody } from '../../cases/customerFixture';
import { createOperationFixture, runCase } from '../../cases/operationFixture';
import { requireValue } from '../../n8n-core/nodeFixture';
import { CONTRACT_KEYS } from '../../contract/keys';
import { isJsonObject, type JsonObject } from '../http';
import type { LoggedRequest } from '../log';
import { getProfile, SIMULATORS } from '../profile';
import { listRoutes } from '../routes';
import { listDifferences, getDescription, readDescriptions } from '../endpointDescriptions';

const SERVED_KEYS = new Set(listRoutes(getProfile('deployed')).map(({ key }) => key));
const DESCRIBED_KEYS = [...readDescriptions('deployment-shapes.md'), ...readDescriptions('deployment-beyond.md')]
	.filter(({ key }) => SERVED_KEYS.has(key))
	.map(({ key }) => key);

const fixture = createOperationFixture('deployed');
const responses: Array<[request: LoggedRequest, data: unknown]> = [];
beforeAll(() => {
	const recordResponse = (envelope: unknown, request: LoggedRequest) => {
		responses.push([request, isJsonObject(envelope) ? envelope.data : undefined]);
		return envelope;
	};
	fixture.standIn.setOptions({ transformEnvelope: recordResponse });
});
beforeEach(() => {
	responses.length = 0;
});

/** Matches the searches for the events of a person. The documents describe one object, but the response is a list. */
const EVENT_SEARCH_PATTERN = /\/search-(email|sms)-/;
/** A search that returns a page although the documents describe only an ID. */
const UNDOCUMENTED_PAGE_ROUTE = 'POST /api/companies/direct-email-settings/search';

/** Returns the rows of a page, of a page inside another object, or of a plain list. */
function getRows(data: unknown): JsonObject[] {
	let list = data;
	if (isJsonObject(data)) list = isJsonObject(data.items) ? data.items.results : data.results;
	return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

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

/** The keys of the endpoints whose responses were compared. */
const comparedKeys = new Set<string>();
/** The keys of the lists that returned at least one row. */
const keysWithRows = new Set<string>();
/** The required fields that were checked, each with the key of its endpoint. */
const checkedFields = new Set<string>();

/** Compares every response with its description, and sends every request again without each of its required fields. */
async function checkResponses(): Promise<void> {
	for (const [{ route }, data] of responses) {
		const shape = getDescription(route)?.dataShape;
		if (!shape || route === UNDOCUMENTED_PAGE_ROUTE) continue;
		comparedKeys.add(route);
		if (getRows(data).length > 0) keysWithRows.add(route);
		const comparedValues = EVENT_SEARCH_PATTERN.test(route) ? getRows(data) : [data];
		expect([route, ...comparedValues.flatMap((value) => listDifferences(value, shape))]).toEqual([route]);
	}
	const acceptedRequests = new Map(
		fixture.standIn.log.filter(({ status }) => status < 300).map((entry) => [entry.route, entry]),
	);
	for (const [key, request] of acceptedRequests)
		for (const field of getDescription(key)?.requiredFields ?? []) {
			const response = await fixture.customer.client.send(
				`${request.method} ${request.path}`,
				buildBodyWithout(field, request),
			);
			const ValidationMessages = expect.arrayContaining([`The ${field} field is required.`]);
			expect([key, response]).toMatchObject([
				key,
				{ status: 400, data: { Status: 'INPUT_ERROR', ValidationMessages } },
			]);
			checkedFields.add(`${key} ${field}`);
		}
}

test.each(cases)('$node: $operation', async (operationCase) => {
	await runCase(fixture, operationCase, await operationCase.prepare(fixture.customer));
	await checkResponses();
});

test('the update of a company without its license', async () => {
	const updateCase = requireValue(cases.find(({ node, operation }) => node === 'Company' && operation === 'update'));
	const { parameters } = await updateCase.prepare(fixture.customer);
	await runCase(fixture, updateCase, { parameters: { ...parameters, additionalFields: { address: 'Kai 7' } } });
	await checkResponses();
});

/**
 * Sends the requests that no case sends: those for lists that users select from, and those for the events of a person.
 */
async function requestRemaining(customer: CustomerFixture): Promise<void> {
	for (const key of DESCRIBED_KEYS)
		if (/^GET [^{]+$/.test(key) && !comparedKeys.has(key)) await customer.fetchData(key);
	await customer.fetchData('GET /api/lookups/2');
	await customer.fetchList('POST /api/companies/smtp-settings/search');
	for (const simulator of SIMULATORS) {
		const job = { id: customer.companyData.getCampaigns(simulator)[0]?.resourceId ?? '', group: 1 };
		const [personWhoClicked] = await fetchJobPeople(customer, simulator, 'Clicked', job);
		for (const key of DESCRIBED_KEYS)
			if (EVENT_SEARCH_PATTERN.test(key) && key.includes(simulator))
				await customer.fetchList(key.replace('{resourceId}', String(personWhoClicked?.resourceId)));
	}
}

test('the lists to choose from, and the events of a person', async () => {
	await requestRemaining(fixture.customer);
	await checkResponses();
});

describe('the comparison is complete', () => {
	const keysWithData = DESCRIBED_KEYS.filter(
		(key) => !['none', 'file'].includes(getDescription(key)?.dataShape.kind ?? 'none'),
	);

	test('every described endpoint was requested', () => {
		expect(keysWithData.filter((key) => key !== UNDOCUMENTED_PAGE_ROUTE && !comparedKeys.has(key))).toEqual([]);
	});

	test('every list returned rows', () => {
		const searches = keysWithData.filter(
			(key) => /\/search/.test(key) && key !== UNDOCUMENTED_PAGE_ROUTE && !/-(opened|submitted|reported)\//.test(key),
		);
		expect(searches.filter((key) => !keysWithRows.has(key))).toEqual([]);
		expect(searches.length).toBeGreaterThan(25);
	});

	test('every required field was checked', () => {
		const requiredFields = DESCRIBED_KEYS.flatMap(
			(key) => getDescription(key)?.requiredFields.map((field) => `${key} ${field}`) ?? [],
		);
		expect(requiredFields.filter((field) => !checkedFields.has(field))).toEqual([]);
		expect(requiredFields.length).toBeGreaterThan(80);
	});
});

test('serves every operation of the contract except those that the description calls absent', async () => {
	const contractSection =
		readFileSync(join(__dirname, '../../../docs/facts/deployment-shapes.md'), 'utf8').split('\n## Beside the 85')[0] ??
		'';
	const keys = [...contractSection.matchAll(/^- `(\w+ \S+)`.*$/gm)].map(([line, key = '']) => ({
		key,
		isAbsent: line.includes('not in the document'),
	}));
	expect(keys.filter(({ key }) => !CONTRACT_KEYS.includes(key))).toEqual([]);
	const absentKeys = keys.filter(({ isAbsent }) => isAbsent).map(({ key }) => key);
	expect(absentKeys).toHaveLength(3);
	expect(CONTRACT_KEYS.filter((key) => !SERVED_KEYS.has(key)).sort()).toEqual(absentKeys.sort());
	for (const key of absentKeys) {
		expect(
			(await fixture.customer.client.send(key.replace('{resourceId}', 'x'), buildStrictSearchBody(key))).status,
		).toBe(404);
		expect(fixture.standIn.log.at(-1)?.route).toBe(key);
	}
});

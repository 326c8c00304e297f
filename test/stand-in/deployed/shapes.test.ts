/** What live deployments answer and require (deployment shapes, beyond), compared with the answers to what the cases ask. */
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
import { getProfile, SIMULATORS } from '../personality';
import { listRoutes } from '../routes';
import { listDifferences, getDescription, readDescriptions } from '../shapes';

const SERVED = new Set(listRoutes(getProfile('deployed')).map(({ key }) => key));
const DESCRIBED = [...readDescriptions('deployment-shapes.md'), ...readDescriptions('deployment-beyond.md')]
	.filter(({ key }) => SERVED.has(key))
	.map(({ key }) => key);

const g = createOperationFixture('deployed');
const answers: Array<[request: LoggedRequest, data: unknown]> = [];
beforeAll(() => {
	const garble = (envelope: unknown, request: LoggedRequest) => {
		answers.push([request, isJsonObject(envelope) ? envelope.data : undefined]);
		return envelope;
	};
	g.standIn.setOptions({ transformEnvelope: garble });
});
beforeEach(() => void answers.splice(0));

/** Operations that list the events of a person: they are described as one object, but return a list. */
const EVENTS = /\/search-(email|sms)-/;
/** It returns a page although the description shows only an identifier. */
const PAGE = 'POST /api/companies/direct-email-settings/search';

/** The rows of a list, whether it is a page, has one inside, or is bare. */
function rowsOf(data: unknown): JsonObject[] {
	const list = isJsonObject(data) ? (isJsonObject(data.items) ? data.items : data).results : data;
	return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** A request's body without a field, to be sent again. */
function bodyWithout(field: string, { body }: LoggedRequest): JsonObject | FormData {
	const left = (fields: JsonObject) =>
		Object.entries(fields).filter(([name]) => name.toLowerCase() !== field.toLowerCase());
	if (!isJsonObject(body)) return {};
	if (!isJsonObject(body.fields)) return Object.fromEntries(left(body));
	const form = new FormData();
	for (const [name, values] of left(body.fields)) for (const value of [values].flat()) form.append(name, String(value));
	if (field !== 'File' && rowsOf(body.files).length > 0) form.append('File', new Blob(['<xml/>']), 'metadata.xml');
	return form;
}

/** What was seen of any request. */
const seen = { answered: new Set<string>(), filled: new Set<string>(), required: new Set<string>() };

/** Compares every answer, and sends every request again without each of the fields that it must have. */
async function check(): Promise<void> {
	for (const [{ route }, data] of answers) {
		const shape = getDescription(route)?.dataShape;
		if (!shape || route === PAGE) continue;
		seen.answered.add(route);
		if (rowsOf(data).length > 0) seen.filled.add(route);
		const compared = EVENTS.test(route) ? rowsOf(data) : [data];
		expect([route, ...compared.flatMap((each) => listDifferences(each, shape))]).toEqual([route]);
	}
	const accepted = new Map(g.standIn.log.filter(({ status }) => status < 300).map((entry) => [entry.route, entry]));
	for (const [key, request] of accepted)
		for (const field of getDescription(key)?.requiredFields ?? []) {
			const again = await g.customer.client.send(`${request.method} ${request.path}`, bodyWithout(field, request));
			const ValidationMessages = expect.arrayContaining([`The ${field} field is required.`]);
			expect([key, again]).toMatchObject([key, { status: 400, data: { Status: 'INPUT_ERROR', ValidationMessages } }]);
			seen.required.add(`${key} ${field}`);
		}
}

test.each(cases)('$node: $operation', async (each) => {
	await runCase(g, each, await each.prepare(g.customer));
	await check();
});

test('the update of a company without its license', async () => {
	const update = requireValue(cases.find(({ node, operation }) => node === 'Company' && operation === 'update'));
	const { parameters } = await update.prepare(g.customer);
	await runCase(g, update, { parameters: { ...parameters, additionalFields: { address: 'Kai 7' } } });
	await check();
});

/** What no case asks for: lists to choose from, and what a person did with a message. */
async function askTheRest(customer: CustomerFixture): Promise<void> {
	for (const key of DESCRIBED) if (/^GET [^{]+$/.test(key) && !seen.answered.has(key)) await customer.fetchData(key);
	await customer.fetchData('GET /api/lookups/2');
	for (const simulator of SIMULATORS) {
		const job = { id: customer.companyData.getCampaigns(simulator)[0]?.resourceId ?? '', group: 1 };
		const [clicker] = await fetchJobPeople(customer, simulator, 'Clicked', job);
		for (const key of DESCRIBED)
			if (EVENTS.test(key) && key.includes(simulator))
				await customer.fetchList(key.replace('{resourceId}', String(clicker?.resourceId)));
	}
}

test('the lists to choose from, and the events of a person', async () => {
	await askTheRest(g.customer);
	await check();
});

describe('nothing was left out', () => {
	const withData = DESCRIBED.filter((key) => !['none', 'file'].includes(getDescription(key)?.dataShape.kind ?? 'none'));

	test('by what was asked', () => {
		expect(withData.filter((key) => key !== PAGE && !seen.answered.has(key))).toEqual([]);
	});

	test('by lists, or nothing would be looked at', () => {
		const searches = withData.filter(
			(key) => /\/search/.test(key) && key !== PAGE && !/-(opened|submitted|reported)\//.test(key),
		);
		expect(searches.filter((key) => !seen.filled.has(key))).toEqual([]);
		expect(searches.length).toBeGreaterThan(25);
	});

	test('by what is required', () => {
		const all = DESCRIBED.flatMap((key) => getDescription(key)?.requiredFields.map((field) => `${key} ${field}`) ?? []);
		expect(all.filter((each) => !seen.required.has(each))).toEqual([]);
		expect(all.length).toBeGreaterThan(80);
	});
});

test("the contract's operations are all there, but for those that the description calls absent", async () => {
	const contract =
		readFileSync(join(__dirname, '../../contract/deployment-shapes.md'), 'utf8').split('\n## Beside the 85')[0] ?? '';
	const keys = [...contract.matchAll(/^- `(\w+ \S+)`.*$/gm)].map(([line, key = '']) => ({
		key,
		isAbsent: line.includes('not in the document'),
	}));
	expect(keys.filter(({ key }) => !CONTRACT_KEYS.includes(key))).toEqual([]);
	const absent = keys.filter(({ isAbsent }) => isAbsent);
	expect(absent).toHaveLength(3);
	expect(CONTRACT_KEYS.filter((key) => !SERVED.has(key)).sort()).toEqual(absent.map(({ key }) => key).sort());
	for (const { key } of absent) {
		expect((await g.customer.client.send(key.replace('{resourceId}', 'x'), buildStrictSearchBody(key))).status).toBe(
			404,
		);
		expect(g.standIn.log.at(-1)?.route).toBe(key);
	}
});

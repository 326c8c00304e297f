/** What live deployments answer and require (deployment shapes, beyond), compared with the answers to what the cases ask. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cases, type CustomerFixture } from '../../cases';
import { peopleOf } from '../../cases/campaigns';
import { strictly } from '../../cases/customerFixture';
import { operationFixture, runCase } from '../../cases/operationFixture';
import { the } from '../../n8n-core/nodeFixture';
import { CONTRACT_KEYS } from '../../contract/keys';
import { isRow, type Row } from '../http';
import type { LoggedRequest } from '../log';
import { personality, SIMULATORS } from '../personality';
import { allRoutes } from '../routes';
import { departures, description, describedIn } from '../shapes';

const SERVED = new Set(allRoutes(personality('deployed')).map(({ key }) => key));
const DESCRIBED = [...describedIn('deployment-shapes.md'), ...describedIn('deployment-beyond.md')]
	.filter(({ key }) => SERVED.has(key))
	.map(({ key }) => key);

const g = operationFixture('deployed');
const answers: Array<[request: LoggedRequest, data: unknown]> = [];
beforeAll(() => {
	const garble = (envelope: unknown, request: LoggedRequest) => {
		answers.push([request, isRow(envelope) ? envelope.data : undefined]);
		return envelope;
	};
	g.service.setOptions({ garble });
});
beforeEach(() => void answers.splice(0));

/** Operations that list the events of a person: they are described as one object, but return a list. */
const EVENTS = /\/search-(email|sms)-/;
/** It returns a page although the description shows only an identifier. */
const PAGE = 'POST /api/companies/direct-email-settings/search';

/** The rows of a list, whether it is a page, has one inside, or is bare. */
function rowsOf(data: unknown): Row[] {
	const list = isRow(data) ? (isRow(data.items) ? data.items : data).results : data;
	return Array.isArray(list) ? list.filter(isRow) : [];
}

/** A request's body without a field, to be sent again. */
function bodyWithout(field: string, { body }: LoggedRequest): Row | FormData {
	const left = (fields: Row) => Object.entries(fields).filter(([name]) => name.toLowerCase() !== field.toLowerCase());
	if (!isRow(body)) return {};
	if (!isRow(body.fields)) return Object.fromEntries(left(body));
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
		const shape = description(route)?.data;
		if (!shape || route === PAGE) continue;
		seen.answered.add(route);
		if (rowsOf(data).length > 0) seen.filled.add(route);
		const compared = EVENTS.test(route) ? rowsOf(data) : [data];
		expect([route, ...compared.flatMap((each) => departures(each, shape))]).toEqual([route]);
	}
	const accepted = new Map(g.service.log.filter(({ status }) => status < 300).map((entry) => [entry.route, entry]));
	for (const [key, request] of accepted)
		for (const field of description(key)?.required ?? []) {
			const again = await g.customer.client.ask(`${request.method} ${request.path}`, bodyWithout(field, request));
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
	const update = the(cases.find(({ node, operation }) => node === 'Company' && operation === 'update'));
	const { parameters } = await update.prepare(g.customer);
	await runCase(g, update, { parameters: { ...parameters, additionalFields: { address: 'Kai 7' } } });
	await check();
});

/** What no case asks for: lists to choose from, and what a person did with a message. */
async function askTheRest(customer: CustomerFixture): Promise<void> {
	for (const key of DESCRIBED) if (/^GET [^{]+$/.test(key) && !seen.answered.has(key)) await customer.ask(key);
	await customer.ask('GET /api/lookups/2');
	for (const simulator of SIMULATORS) {
		const job = { id: customer.holdings.campaigns(simulator)[0]?.resourceId ?? '', group: 1 };
		const [clicker] = await peopleOf(customer, simulator, 'Clicked', job);
		for (const key of DESCRIBED)
			if (EVENTS.test(key) && key.includes(simulator))
				await customer.list(key.replace('{resourceId}', String(clicker?.resourceId)));
	}
}

test('the lists to choose from, and the events of a person', async () => {
	await askTheRest(g.customer);
	await check();
});

describe('nothing was left out', () => {
	const withData = DESCRIBED.filter((key) => !['none', 'file'].includes(description(key)?.data.kind ?? 'none'));

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
		const all = DESCRIBED.flatMap((key) => description(key)?.required.map((field) => `${key} ${field}`) ?? []);
		expect(all.filter((each) => !seen.required.has(each))).toEqual([]);
		expect(all.length).toBeGreaterThan(80);
	});
});

test("the contract's operations are all there, but for those that the description calls absent", async () => {
	const contract =
		readFileSync(join(__dirname, '../../../docs/facts/deployment-shapes.md'), 'utf8').split('\n## Beside the 85')[0] ??
		'';
	const keys = [...contract.matchAll(/^- `(\w+ \S+)`.*$/gm)].map(([line, key = '']) => ({
		key,
		isAbsent: line.includes('not in the document'),
	}));
	expect(keys.filter(({ key }) => !CONTRACT_KEYS.includes(key))).toEqual([]);
	const absent = keys.filter(({ isAbsent }) => isAbsent);
	expect(absent).toHaveLength(3);
	expect(CONTRACT_KEYS.filter((key) => !SERVED.has(key)).sort()).toEqual(absent.map(({ key }) => key).sort());
	for (const { key } of absent) {
		expect((await g.customer.client.ask(key.replace('{resourceId}', 'x'), strictly(key))).status).toBe(404);
		expect(g.service.log.at(-1)?.route).toBe(key);
	}
});

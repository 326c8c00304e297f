import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTRACT_KEYS } from '../../contract/keys';
import { personality } from '../personality';
import { allRoutes } from '../routes';
import { departures, describedIn, type Described } from '../shapes';
import { requestsFor } from './requests';
import { body, dataOf, Deployed, refusalOf, rowsOf, send, type Request } from './testing';

/** The operations that the service has, and whether each takes a body. */
const TAKES = new Map(allRoutes(personality('deployed')).map(({ key, takes }) => [key, takes]));

const shapes = describedIn('deployment-shapes.md');
const beyond = describedIn('deployment-beyond.md');

let d: Deployed;
let requests: Map<string, Request>;

beforeAll(async () => {
	d = await Deployed.start();
	requests = await requestsFor(d);
});
afterAll(async () => await d.service.close());

/**
 * A valid request for an operation: the one in requests.ts, or else, for an operation without a body, one with the same
 * IDs.
 */
function requestOf({ key }: Described): Request {
	const request = requests.get(key);
	if (request) return request;
	const pathOf = (of: string) => of.split(' ')[1] ?? '';
	const [thing = ''] = /^.*\}/.exec(pathOf(key)) ?? [];
	const [, toThing] = [...requests].find(([other]) => pathOf(other) === thing) ?? [];
	if (!toThing || TAKES.get(key) !== 'nothing')
		throw new Error(`There is no request for ${key}: add one to requests.ts`);
	return { path: toThing.path + pathOf(key).slice(thing.length) };
}

/** Operations that list the events of a person: they are described as one object, but return a list. */
const EVENTS = /\/search-(email|sms)-/;

const withData = [...shapes, ...beyond.filter(({ key }) => !shapes.some((entry) => entry.key === key))].filter(
	({ data }) => data.kind !== 'none' && data.kind !== 'file',
);

/** Operations that return a page although the description shows only an identifier. */
const PAGES = ['POST /api/companies/direct-email-settings/search'];

describe('every answer has all the fields of the description, and no other', () => {
	const served = withData.filter(({ key }) => !PAGES.includes(key) && TAKES.has(key));

	test.each(served.map((entry): [string, Described] => [entry.key, entry]))('%s', async (key, entry) => {
		const data = dataOf(await send(d.customer, key, requestOf(entry)));
		if (!EVENTS.test(key)) {
			expect(departures(data, entry.data)).toEqual([]);
			return;
		}
		const rows = rowsOf(data);
		if (key.includes('-clicked')) expect(rows.length).toBeGreaterThan(0);
		for (const row of rows) expect(departures(row, entry.data)).toEqual([]);
	});

	test('lists are not empty, or nothing would be looked at', async () => {
		const searches = served.filter(({ key }) => /\/search/.test(key) && !EVENTS.test(key));
		const empty: string[] = [];
		for (const entry of searches)
			if (rowsOf(dataOf(await send(d.customer, entry.key, requestOf(entry)))).length === 0) empty.push(entry.key);
		expect(empty).toEqual([]);
		expect(searches.length).toBeGreaterThan(25);
	});
});

describe('what the description requires is required', () => {
	const required = [...shapes, ...beyond.filter(({ key }) => TAKES.has(key))].flatMap((entry) =>
		entry.required.map((field): [string, string, Described] => [entry.key, field, entry]),
	);

	test.each(required)('%s: %s', async (key, field, entry) => {
		const request = requestOf(entry);
		expect(Object.keys(request.body ?? { ...request.form, File: '' })).toContain(field);
		expect(refusalOf(await send(d.customer, key, request, field))).toMatchObject({ http: 400, status: 'INPUT_ERROR' });
	});

	test('of many operations', () => {
		expect(required.length).toBeGreaterThan(80);
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
	expect(CONTRACT_KEYS.filter((key) => !TAKES.has(key)).sort()).toEqual(absent.map(({ key }) => key).sort());
	for (const { key } of absent) {
		expect((await d.customer.ask(key.replace('{resourceId}', 'x'), body('Email'))).status).toBe(404);
		expect(d.service.log.at(-1)?.route).toBe(key);
	}
});

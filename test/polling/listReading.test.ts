/** How far a list of a kind is read, by what is remembered of it; and which settings are which lists. */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { settingsOf, type Choices } from '../../nodes/shared/polling/choices';
import { readOf } from '../../nodes/shared/polling/listReading';
import { Memory } from '../../nodes/shared/polling/memory';
import { Run } from '../../nodes/shared/polling/run';
import { listOf, MAIN, newKind, shortId, type KindState } from '../../nodes/shared/polling/state';
import type { Kind } from '../../nodes/shared/polling/trigger';
import type { Service } from '../../nodes/shared/transport/service';
import { HOUR, START } from './pollingFixture';

beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(START));
afterEach(() => jest.restoreAllMocks());

const kind: Kind = {
	...{ code: 'e', name: 'enrollment', things: 'enrollments', contract: 'POST /api/enrollments/search' },
	...{ identity: ({ id }) => (typeof id === 'string' ? id : undefined), details: () => undefined },
};
const company = { id: 'c', name: 'Acme' };
const own = listOf('c');
const choicesWith = (more: Partial<Choices> = {}): Choices => ({
	...{ watchesStatus: false, statuses: [], alsoFirstSeen: false, kinds: [kind], options: {} },
	...{ scope: { kind: 'every', filter: {} }, ...more },
});
const known = (count: number) =>
	new Map(Array.from({ length: count }, (_, index) => [shortId(`k${index}`), { hour: START / HOUR, status: '' }]));

interface How {
	list?: string;
	isWhole?: boolean;
	options?: Choices['options'];
	records?: IDataObject[];
}

/** Reads a list that was read before. */
async function read(more: Partial<KindState>, { list = MAIN, isWhole = false, options = {}, records = [] }: How = {}) {
	const asked: string[] = [];
	const said: string[] = [];
	const context: IPollFunctions = Object.assign(Object.create(null), {
		getNode: () => ({ name: 'Trigger' }),
		logger: { warn: (message: string) => said.push(message) },
	});
	const service: Service = Object.assign(Object.create(null), {
		json: async ({ body = {}, company: whose }: { body?: IDataObject; company?: unknown }) => {
			asked.push(`${whose ? 'company ' : ''}${String(body.pageNumber)}/${String(body.pageSize)}`);
			const size = Number(body.pageSize);
			const results = records.slice((Number(body.pageNumber) - 1) * size, Number(body.pageNumber) * size);
			const pages = Math.ceil(records.length / size);
			return await Promise.resolve({
				data: { results, totalNumberOfPages: pages, totalNumberOfRecords: records.length },
			});
		},
	});
	const run = new Run(context, choicesWith({ options }), service, 300_000);
	const main = { isRead: true, total: null };
	const since = START - 48 * HOUR;
	const state = { ...newKind('s', 's', since), from: since, main, companies: new Map([[own, true]]), ...more };
	const rules = { clock: run.clock, windowMs: 24 * HOUR, watchesStatus: false, alsoFirstSeen: false, warn: () => {} };
	const memory = new Memory(state, false, rules);
	const of = { list, company: list === MAIN ? undefined : company, stage: run.stage(1), isWhole };
	return { ...(await readOf(run, kind, memory, of)), asked, said };
}
const row = (id: string, more: IDataObject = {}) => ({ id, createTime: new Date(START).toISOString(), ...more });
const old = (count: number) =>
	Array.from({ length: count }, (_, index) =>
		row(`k${index}`, { createTime: new Date(START - (60 + index) * HOUR).toISOString() }),
	);

describe('the size of a page', () => {
	test.each<[string, Partial<KindState>, How, string]>([
		['the usual one, for what is known is little', { known: known(50) }, {}, '1/100'],
		['as many as are known, and 50 more', { known: known(200) }, {}, '1/250'],
		['what a person has set', { known: known(200) }, { options: { pageSize: 30 } }, '1/30'],
		["in a company's list twice its share, and 50 more", { known: known(200) }, { list: own }, 'company 1/250'],
		[
			'of several companies less',
			{
				known: known(900),
				companies: new Map([
					[own, true],
					['aaaaa', true],
					['bbbbb', true],
				]),
			},
			{ list: own },
			'company 1/500',
		],
		[
			'that of the reading that stopped, with its page',
			{ open: new Map([[MAIN, { from: 1, page: 4, size: 70 }]]) },
			{},
			'4/70',
		],
	])('%s', async (_what, state, how, asked) => {
		expect((await read(state, how)).asked[0]).toBe(asked);
	});
});

describe('how far', () => {
	const listed = { known: known(400) };
	test('to the window; to the end where that is due; where the service counts more', async () => {
		const records = old(400);
		expect((await read(listed, { records, options: { pageSize: 100 } })).asked).toHaveLength(1);
		expect((await read(listed, { records, options: { pageSize: 100 }, isWhole: true })).asked.length).toBeGreaterThan(
			4,
		);
		const main = { isRead: true, total: 399 };
		expect((await read({ ...listed, main }, { records, options: { pageSize: 100 } })).asked.length).toBeGreaterThan(4);
		// What is counted in the list of all says nothing about a company's.
		expect((await read({ ...listed, main }, { records, options: { pageSize: 100 }, list: own })).asked).toHaveLength(1);
	});

	test('behind the known ones without a create time only where something waits', async () => {
		const records = Array.from({ length: 40 }, (_, index) => ({ id: `k${index}` }));
		const timeless = new Map([[MAIN, { isWhole: false, ids: [shortId('k3')] }]]);
		const how = { records, options: { pageSize: 10 } };
		expect((await read({ ...listed, timeless }, how)).asked).toEqual(['1/10']);
		const waiting = (hour: number) => new Map([['x', { hour, tries: 1 }]]);
		expect((await read({ ...listed, timeless, waiting: waiting(0) }, how)).asked).toEqual([
			'1/10',
			'2/10',
			'3/10',
			'4/10',
			'5/10',
		]);
		// A list that was not read before is read as such.
		const main = { isRead: false, total: null };
		expect((await read({ ...listed, main, waiting: waiting(0) }, { records })).asked).toEqual(['1/1000', '2/1000']);
		expect((await read({ ...listed, timeless, waiting: waiting(START / HOUR) }, how)).asked).toEqual(['1/10']);
	});
});

describe('an identity', () => {
	const records = [row('a', { companyId: 'd' }), row('b'), row('')];
	test('is what the record says', async () => {
		expect((await read({}, { records })).seen.map(({ id }) => id)).toEqual(['a', 'b', ''].map(shortId));
	});

	test('has the company as well, where it is unique only in that', async () => {
		expect((await read({ byCompany: true }, { records })).seen.map(({ id }) => id)).toEqual(
			['d a', ' b', ' '].map(shortId),
		);
		const ofCompany = await read({ byCompany: true }, { records, list: own });
		expect(ofCompany.seen.map(({ id }) => id)).toEqual(['d a', 'c b', 'c '].map(shortId));
	});

	test('that is missing is named', async () => {
		const some = await read({}, { records: [row('a'), { name: 'x' }, { name: 'y' }] });
		expect(some.seen).toHaveLength(1);
		expect(some.said).toEqual([expect.stringMatching(/Of the enrollments, 2 records without an ID/)]);
		expect((await read({}, { records })).said).toEqual([]);
	});
});

describe('the settings of a kind', () => {
	const prints = async (
		more: Partial<Choices> = {},
		{ address = 'https://a', clientId = 'id', secret = 's', body = {} } = {},
	) => {
		const context: IPollFunctions = Object.assign(Object.create(null), {
			getCredentials: async () => await Promise.resolve({ clientId, clientSecret: secret }),
		});
		const service: Service = Object.assign(Object.create(null), { address });
		const { of, scope } = await settingsOf(context, choicesWith(more), service);
		return { kind: of({ ...kind, body }), scope };
	};

	test('are others with another service, client, event, date or list', async () => {
		const others = await Promise.all([
			prints(),
			prints({}, { address: 'https://b' }),
			prints({}, { clientId: 'other' }),
			prints({ watchesStatus: true }),
			prints({ options: { emitExistingSince: '2026-01-01T00:00:00.000Z' } }),
			prints({}, { body: { enrollmentType: 'Survey' } }),
		]);
		expect(new Set(others.map((each) => each.kind)).size).toBe(6);
		expect(new Set(others.map(({ scope }) => scope)).size).toBe(1);
	});

	test('are the same with another secret, other options or other companies', async () => {
		const usual = await prints();
		expect(await prints({}, { secret: 'new' })).toEqual(usual);
		expect(await prints({ options: { pageSize: 5, lateArrivals: 3 }, statuses: ['x'], alsoFirstSeen: true })).toEqual(
			usual,
		);
		const one = await prints({ scope: { kind: 'one', company } });
		expect(one.kind).toBe(usual.kind);
		const scopes = [
			usual,
			one,
			await prints({ scope: { kind: 'own' } }),
			await prints({ scope: { kind: 'one', company: { id: 'd', name: 'D' } } }),
		];
		expect(new Set(scopes.map(({ scope }) => scope)).size).toBe(4);
		expect(await prints({ scope: { kind: 'one', company: { id: 'c', name: 'Renamed' } } })).toEqual(one);
	});
});

import type { IDataObject } from 'n8n-workflow';
import { retryAfterMs } from '../../nodes/shared/transport/responseError';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { readBinary } from '../n8n-core';
import { textsIn } from '../n8n-core/texts';
import { startService, type FaultRule } from '../stand-in';
import {
	answering,
	nodeFixture,
	failureOf,
	jsonOf,
	sendJson,
	the,
	type NodeClass,
	type RunMore,
} from '../n8n-core/nodeFixture';
import { turnClock } from '../setup/turnedClock';

const b = nodeFixture({ companies: 40 });
turnClock();
const companyId = () => the(b.service.state.companies[0]).companyResourceId;
const groupId = () => the(b.service.state.groups[0]).resourceId;

interface Call {
	route: string;
	node: NodeClass;
	parameters: () => IDataObject;
}

const reads: Call[] = [
	{
		route: 'GET /api/companies/{resourceId}',
		node: SecurityAwarenessCompany,
		parameters: () => ({ operation: 'get', company: { mode: 'id', value: companyId() } }),
	},
	{
		route: 'POST /api/companies/search',
		node: SecurityAwarenessCompany,
		parameters: () => ({ operation: 'getMany', limit: 5 }),
	},
	{
		route: 'POST /api/leaderboard/get-all/export',
		node: SecurityAwarenessLeaderboard,
		parameters: () => ({ operation: 'export', companyScope: 'own' }),
	},
];
const participants = () => ({ participantsFrom: 'id', participantIds: companyId() });
const writes: Call[] = [
	{
		route: 'POST /api/company-groups',
		node: SecurityAwarenessCompanyGroup,
		parameters: () => ({ operation: 'create', name: 'New', ...participants() }),
	},
	{
		route: 'PUT /api/company-groups/{resourceId}/participants',
		node: SecurityAwarenessCompanyGroup,
		parameters: () => ({
			operation: 'replaceParticipants',
			companyGroup: { mode: 'id', value: groupId() },
			...participants(),
		}),
	},
	{
		route: 'POST /api/companies',
		node: SecurityAwarenessCompany,
		parameters: () => ({
			...{
				operation: 'create',
				name: 'New',
				country: 'c',
				licensePeriodType: 'p',
				timeZone: { mode: 'id', value: 'UTC' },
			},
			...{ industry: { mode: 'id', value: 'i' }, licenseType: { mode: 'id', value: 'l' } },
		}),
	},
];

const run = async ({ node, parameters }: Call, more: RunMore = {}) =>
	await b.run(node, { ...parameters(), options: { timeout: 1 } }, more);
const requests = ({ route }: Call) => b.service.requests(route);
const cases = (calls: Call[], faults: Array<Partial<FaultRule> & Pick<FaultRule, 'kind'>>) =>
	calls.flatMap((call) =>
		faults.map((fault) => ({
			name: `${call.route}: ${fault.kind}${fault.retryAfter === undefined ? '' : ` with Retry-After ${fault.retryAfter}`}`,
			call,
			fault,
		})),
	);

describe('what only reads is asked for again', () => {
	test.each(
		cases(reads, [
			{ kind: 'status-429' },
			{ kind: 'status-429', retryAfter: '0' },
			{ kind: 'html-502' },
			{ kind: 'status-503' },
			{ kind: 'reset-before' },
			{ kind: 'reset-after' },
			{ kind: 'truncate' },
			{ kind: 'truncate-chunked' },
			{ kind: 'stall' },
		]),
	)('$name', async ({ call, fault }) => {
		const undisturbed = await run(call);
		b.service.clearLog();
		b.service.fault({ route: call.route, ...fault });
		const result = await run(call);
		expect(requests(call).map((request) => request.fault)).toEqual([fault.kind, undefined]);
		expect(jsonOf(result.items)).toEqual(jsonOf(undisturbed.items));
	});

	test.each(
		cases(reads, [
			{ kind: 'status-503' },
			{ kind: 'status-429', retryAfter: '0' },
			{ kind: 'reset-after' },
			{ kind: 'truncate' },
		]),
	)('five times at most: $name', async ({ call, fault }) => {
		b.service.fault({ route: call.route, ...fault, times: Infinity });
		const error = await failureOf(run(call));
		expect(requests(call)).toHaveLength(5);
		expect(error.description).toMatch(/ It was tried 5 times\.$/);
	});

	test.each(
		cases(reads, [
			{ kind: 'status-500' },
			{ kind: 'error-envelope' },
			{ kind: 'html-200' },
			{ kind: 'forbidden-company' },
		]),
	)('but not where asking again cannot help: $name', async ({ call, fault }) => {
		b.service.fault({ route: call.route, ...fault, times: Infinity });
		const error = await failureOf(run(call));
		expect(requests(call)).toHaveLength(1);
		expect(error.description).not.toContain('tried');
	});

	test('504, which stands for any gateway between', async () => {
		let asked = 0;
		const odd = await answering((_request, response) =>
			++asked === 1 ? sendJson(response, 504, {}) : sendJson(response, 200, { data: { name: 'there' } }),
		);
		const { items } = await run(the(reads[0]), { store: odd.store });
		expect([asked, jsonOf(items)]).toEqual([2, [{ name: 'there' }]]);
	});
});

describe('pauses', () => {
	const pauses = (call: Call) =>
		requests(call).flatMap(({ at }, index, all) => (index === 0 ? [] : [at - the(all[index - 1]).at]));

	test('grow from half a second, a random part of which is waited', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0.9);
		const call = the(reads[0]);
		b.service.fault({ route: call.route, kind: 'status-503', times: 2 });
		await run(call);
		const [first = 0, second = 0] = pauses(call);
		expect([first >= 445, first < 800, second >= 895, second < 1400]).toEqual([true, true, true, true]);
	});

	test.each([
		['seconds', () => '1', 1000],
		['a date', () => new Date(Date.now() + 2000).toUTCString(), 900],
	])('last as long as Retry-After says, in %s', async (_name, retryAfter, atLeast) => {
		const call = the(reads[1]);
		b.service.fault({ route: call.route, kind: 'status-429', retryAfter: retryAfter() });
		await run(call);
		expect(pauses(call)).toEqual([expect.any(Number)]);
		expect(the(pauses(call)[0])).toBeGreaterThanOrEqual(atLeast - 10);
	});

	test.each<[string, string, number | undefined]>([
		['0 seconds', '0', undefined],
		['a date that is past', 'Wed, 21 Oct 2015 07:28:00 GMT', undefined],
		[
			'a date that a slow clock takes for the future',
			new Date(Date.parse('2026-01-01T00:00:01Z')).toUTCString(),
			Date.parse('2026-01-01T00:00:00Z'),
		],
	])('are at least our own where the service asks for %s', async (_name, retryAfter, clock) => {
		jest.spyOn(Math, 'random').mockReturnValue(0.9);
		b.service.setOptions({ clock });
		const call = the(reads[1]);
		b.service.fault({ route: call.route, kind: 'status-429', retryAfter, times: 2 });
		await run(call);
		b.service.setOptions({ clock: undefined });
		const [first = 0, second = 0] = pauses(call);
		expect([first >= 445, second >= 895]).toEqual([true, true]);
	});

	test.each([
		['slow', '2020-01-01T00:00:00Z'],
		['fast', '2040-01-01T00:00:00Z'],
	])('are as long as a date says by the clock of who sent it, which may be %s', async (_name, date) => {
		const clock = Date.parse(date);
		b.service.setOptions({ clock });
		const call = the(reads[1]);
		b.service.fault({ route: call.route, kind: 'status-429', retryAfter: new Date(clock + 2000).toUTCString() });
		await run(call);
		b.service.setOptions({ clock: undefined });
		const [waited = 0] = pauses(call);
		expect([waited >= 1990, waited < 4000]).toEqual([true, true]);
	});

	test.each<[unknown, number | undefined]>([
		['5', 5000],
		['0', 0],
		['1.5', 1500],
		['86400', 120_000],
		['Wed, 21 Oct 2015 07:28:00 GMT', 0],
		['Fri, 01 Jan 2100 00:00:00 GMT', 120_000],
		['soon', undefined],
		['', undefined],
		[undefined, undefined],
	])('Retry-After %j is %j ms', (header, ms) => {
		expect(retryAfterMs(header)).toBe(ms);
	});
});

describe('what changes something is asked for again only where it certainly was not carried out', () => {
	test.each(
		cases(writes, [
			{ kind: 'status-429' },
			{ kind: 'status-429', retryAfter: '0' },
			{ kind: 'status-503', retryAfter: '0' },
		]),
	)('again: $name', async ({ call, fault }) => {
		b.service.fault({ route: call.route, ...fault, times: 2 });
		await run(call);
		expect(requests(call).map(({ landed }) => landed)).toEqual([false, false, true]);
	});

	test.each(
		cases(writes, [
			{ kind: 'status-500' },
			{ kind: 'html-502' },
			{ kind: 'html-502', retryAfter: '0' },
			{ kind: 'status-503' },
			{ kind: 'reset-before' },
			{ kind: 'reset-after' },
			{ kind: 'truncate' },
			{ kind: 'truncate-chunked' },
			{ kind: 'stall' },
			{ kind: 'html-200' },
		]),
	)('once, and that it may have been carried out: $name', async ({ call, fault }) => {
		b.service.fault({ route: call.route, ...fault, times: Infinity });
		const error = await failureOf(run(call));
		expect(requests(call)).toHaveLength(1);
		expect(error.description).toContain(
			'the service may have carried it out anyway: check there before you run it again.',
		);
	});

	test.each(cases(writes, [{ kind: 'error-envelope' }, { kind: 'forbidden-company' }]))(
		'once, without a doubt: $name',
		async ({ call, fault }) => {
			b.service.fault({ route: call.route, ...fault });
			const error = await failureOf(run(call));
			expect(requests(call)).toHaveLength(1);
			expect(error.description).not.toContain('carried it out');
		},
	);

	test('a refused connection: again until the service is back', async () => {
		const call = the(writes[0]);
		const first = await startService({ companies: 40 });
		const { port } = new URL(first.url);
		const store = b.newStore('reseller', { serverUrl: first.url });
		await run(the(reads[0]), { store });
		await first.close();
		let back: ReturnType<typeof startService> | undefined;
		// The first pause is when the service is known to be missed.
		jest.spyOn(Math, 'random').mockImplementation(() => {
			back ??= startService({ companies: 40, port: Number(port) });
			return 1;
		});
		await run(call, { store });
		const second = await the(back);
		expect(second.requests(call.route).map(({ landed }) => landed)).toContain(true);
		expect(second.state.groups.filter(({ name }) => name === 'New')).toHaveLength(1);
		await second.close();
		jest.spyOn(Math, 'random').mockReturnValue(0);
		const error = await failureOf(run(call, { store }));
		expect(error.message).toBe(`Could not create company group: ${first.url} cannot be reached (ECONNREFUSED)`);
		expect(error.description).toContain('It was tried 5 times.');
		expect(error.description).not.toContain('carried it out');
	});
});

describe('what the service says is always shown', () => {
	const refused = ['The Name is taken.', 'Choose another one.'];
	test.each<[number, unknown, string]>([
		[
			400,
			{ data: null, status: 'error', message: null, validationMessages: refused },
			'The service says: The Name is taken. Choose another one.',
		],
		[
			200,
			{ data: null, status: 'error', message: 'No.', validationMessages: refused },
			'The service says: The Name is taken. Choose another one. No.',
		],
		[
			200,
			{ data: null, isSuccess: false, messages: refused },
			'The service says: The Name is taken. Choose another one.',
		],
		[
			200,
			{ data: null, status: 'success', validationMessages: refused },
			'The service says: The Name is taken. Choose another one.',
		],
		[200, { data: {}, status: 'Failed', messages: [{ message: refused[0] }] }, 'The service says: The Name is taken.'],
		[403, { status: 'error', validationMessages: 'The Name is taken' }, 'The service says: The Name is taken.'],
		[409, { isSuccess: false, messages: [{ description: 'taken' }] }, 'The service says: taken.'],
		[422, { title: 'Bad', detail: 'The Name is taken.' }, 'The service says: The Name is taken. Bad.'],
		[500, { code: 'INTERNAL_SERVER_ERROR', message: 'Oh no' }, 'The service says: Oh no.'],
		[418, { message: 'I am a teapot' }, 'The service says: I am a teapot.'],
	])('%d %j', async (status, body, said) => {
		const odd = await answering((_request, response) => sendJson(response, status, body));
		for (const call of [the(reads[0]), the(reads[1]), the(reads[2]), the(writes[0])]) {
			const error = await failureOf(run(call, { store: odd.store }));
			expect(error.description?.slice(0, said.length)).toBe(said);
			expect(error.message).toMatch(/^Could not /);
		}
	});

	test.each([
		['error-envelope', 'The operation could not be completed.'],
		['forbidden-company', 'You are not authorized to act for this company.'],
		['status-429', 'Too many requests.'],
		['status-500', 'An unexpected error occurred.'],
	] as const)('%s', async (kind, said) => {
		for (const call of [...reads, ...writes]) {
			b.service.fault({ route: call.route, kind, times: 5 });
			expect((await failureOf(run(call))).description).toContain(`The service says: ${said}`);
			b.service.clearFaults();
		}
	});

	test.each<[string, (text: string) => unknown]>([
		['one message', (text) => ({ status: 'error', message: text })],
		[
			'a list of messages',
			(text) => ({ status: 'error', validationMessages: [text, ...Array<string>(1000).fill(text.slice(0, 5000))] }),
		],
		[
			'many short ones',
			() => ({
				status: 'error',
				validationMessages: Array.from({ length: 200_000 }, (_, index) => `The field ${index} is wrong`),
			}),
		],
	])('but not 5 MB of it: %s', async (_name, body) => {
		const odd = await answering((_request, response) =>
			sendJson(response, 400, body(`The Name is taken.${'x'.repeat(5_000_000)}`)),
		);
		for (const call of [the(reads[0]), the(reads[2]), the(writes[0])]) {
			const error = await failureOf(run(call, { store: odd.store }));
			expect(error.description).toMatch(/^The service says: The /);
			expect(error.description).toMatch(/…|The field 50 is wrong/);
			expect(Math.max(...textsIn([error]).map(({ length }) => length))).toBeLessThan(6000);
		}
	});

	test.each([0, 1, 7, 40].flatMap((offset) => [0, 1, 5000].map((times) => [offset, times] as const)))(
		'nor half of a secret where it is cut (%d, %d)',
		async (offset, times) => {
			const odd = await answering((_request, response, token) =>
				sendJson(response, 400, { message: `${'x'.repeat(2000 - offset)}${token}${token.repeat(times)}` }),
			);
			const error = await failureOf(run(the(reads[0]), { store: odd.store }));
			expect(textsIn([error]).join()).not.toMatch(/the-t|oken-of|odd-ser/);
		},
	);

	test('a web page is called one, whatever was asked for', async () => {
		for (const call of [...reads, ...writes]) {
			b.service.fault({ route: call.route, kind: 'html-200' });
			const error = await failureOf(run(call));
			expect(error.message).toMatch(/: a web page came back instead of data$/);
			expect(error.description).toContain("Check the credential's Base URL");
		}
	});
});

describe('an answer that is not in the form of the service', () => {
	test.each<[string, unknown]>([
		['no envelope', { greeting: 'hello', items: [1, 2, 3] }],
		['data of another shape', { data: { rows: [] }, status: 'success' }],
		['results that are no list', { data: { results: 'many', totalNumberOfPages: 1 }, status: 'success' }],
		['a text', 'hello'],
		['a number', 5],
	])('is no empty list: %s', async (_name, body) => {
		const odd = await answering((_request, response) => sendJson(response, 200, body));
		for (const [node, operation] of [
			[SecurityAwarenessCompany, 'getMany'],
			[SecurityAwarenessCompany, 'getTotalActiveUsers'],
			[SecurityAwarenessCompanyGroup, 'getMany'],
		] as const) {
			const error = await failureOf(b.run(node, { operation }, { store: odd.store }));
			expect(error.message).toMatch(/: the answer is not in the format of this service$/);
		}
	});

	test('is shown where the contract does not describe the list', async () => {
		const odd = await answering((_request, response) =>
			sendJson(response, 200, { data: { groups: ['a'] }, status: 'success' }),
		);
		const { items } = await b.run(SecurityAwarenessCompanyGroup, { operation: 'getAllGroups' }, { store: odd.store });
		expect(jsonOf(items)).toEqual([{ groups: ['a'] }]);
	});

	test('is no empty list: nothing at all', async () => {
		b.service.fault({ route: 'POST /api/companies/search', kind: 'empty', times: Infinity });
		const error = await failureOf(run(the(reads[1])));
		expect(error.message).toMatch(/^Could not get many companies: /);
	});

	test.each([null, []])('but an empty list is: %j', async (data) => {
		const odd = await answering((_request, response) => sendJson(response, 200, { data, status: 'success' }));
		expect((await run(the(reads[1]), { store: odd.store })).items).toEqual([]);
	});
});

test('a file is whole in spite of all: what a repeated download left behind is not handed on', async () => {
	const call = the(reads[2]);
	const undisturbed = await readBinary((await run(call)).items[0]);
	b.service.fault({ route: call.route, kind: 'truncate', times: 3 });
	expect(await readBinary((await run(call)).items[0])).toEqual(undisturbed);
});

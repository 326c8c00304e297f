import { retryAfterMs } from '../../nodes/shared/transport/responseError';
import { readBinary } from '../n8n-core';
import { startService, type FaultRule } from '../stand-in';
import { answering, nodeFixture, failureOf, jsonOf, sendJson, the } from '../n8n-core/nodeFixture';
import { turnClock } from '../setup/turnedClock';
import { callsOf, type Call } from './calls';

const b = nodeFixture({ companies: 40 });
turnClock();
const { reads, writes, run, requests, cases } = callsOf(b);

/** Runs a call at a service with a fault, and expects that it fails after this number of requests. @returns the error */
async function failureAfter(count: number, call: Call, fault: FaultRule) {
	b.service.fault({ route: call.route, ...fault });
	const error = await failureOf(run(call));
	expect(requests(call)).toHaveLength(count);
	return error;
}

describe('what only reads is asked for again', () => {
	test.each(
		cases(reads, [
			{ kind: 'status-429' },
			{ kind: 'status-429', retryAfter: '0' },
			{ kind: 'html-502' },
			{ kind: 'status-503' },
			{ kind: 'status-500' },
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
		const error = await failureAfter(5, call, { ...fault, times: Infinity });
		expect(error.description).toMatch(/ It was tried 5 times\.$/);
	});

	test.each(cases(reads, [{ kind: 'status-500' }]))(
		'three times at most, so that the failure does not come late: $name',
		async ({ call, fault }) => {
			jest.spyOn(Math, 'random').mockReturnValue(0.999);
			const began = Date.now();
			const error = await failureAfter(3, call, { ...fault, times: Infinity });
			expect(error.description).toMatch(/ It was tried 3 times\.$/);
			expect(Date.now() - began).toBeLessThan(3000);
		},
	);

	test.each(cases(reads, [{ kind: 'error-envelope' }, { kind: 'html-200' }, { kind: 'forbidden-company' }]))(
		'but not where asking again cannot help: $name',
		async ({ call, fault }) => {
			const error = await failureAfter(1, call, { ...fault, times: Infinity });
			expect(error.description).not.toContain('tried');
		},
	);

	test('504, which stands for any gateway between', async () => {
		let asked = 0;
		const odd = await answering((_request, response) =>
			++asked === 1 ? sendJson(response, 504, {}) : sendJson(response, 200, { data: { name: 'there' } }),
		);
		const { items } = await run(the(reads[0]), { store: odd.store });
		expect([asked, jsonOf(items)]).toMatchObject([2, [{ name: 'there' }]]);
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
			{ kind: 'status-500' },
			{ kind: 'reset-before' },
			{ kind: 'reset-after' },
			{ kind: 'truncate' },
			{ kind: 'truncate-chunked' },
			{ kind: 'stall' },
			{ kind: 'html-200' },
		]),
	)('once, and that it may have been carried out: $name', async ({ call, fault }) => {
		const error = await failureAfter(1, call, { ...fault, times: Infinity });
		expect(error.description).toContain(
			'the service may have carried it out anyway: check there before you run it again.',
		);
	});

	test.each(cases(writes, [{ kind: 'error-envelope' }, { kind: 'forbidden-company' }]))(
		'once, without a doubt: $name',
		async ({ call, fault }) => {
			const error = await failureAfter(1, call, fault);
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
test('a file is whole in spite of all: what a repeated download left behind is not handed on', async () => {
	const call = the(reads[2]);
	const undisturbed = await readBinary((await run(call)).items[0]);
	b.service.fault({ route: call.route, kind: 'truncate', times: 3 });
	expect(await readBinary((await run(call)).items[0])).toEqual(undisturbed);
});

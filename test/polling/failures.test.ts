/** What a failure does to a poll, and to those after it. */
import { failureOf } from '../n8n-core/nodeFixture';
import { turnClock } from '../setup/turnedClock';
import { DAY, HOUR, idsOf } from './pollingFixture';
import { ENROLLMENTS, PHISHING, triggerFixture } from './triggerFixture';

const t = triggerFixture();
turnClock();

describe('failures', () => {
	test('a company that fails holds back none but its own records', async () => {
		t.fixture.create('enrollment', 0);
		const active = t.enrollments();
		await active.poll();
		const first = t.fixture.create('enrollment', 0);
		const second = t.fixture.create('enrollment', 1);
		t.service.fault({ kind: 'status-500', times: Infinity, route: ENROLLMENTS, company: t.fixture.company(0).id });
		expect(idsOf(await active.poll())).toEqual([second]);
		t.service.clearFaults();
		expect(idsOf(await active.poll())).toEqual([first]);
	});

	test('a company that fails at the baseline is not flooded later', async () => {
		const company = t.fixture.company(0).id;
		t.fixture.create('enrollment', 1, HOUR);
		t.fixture.create('enrollment', 0, 3 * HOUR);
		t.fixture.create('enrollment', 0, 30 * DAY);
		t.service.fault({ kind: 'status-500', times: Infinity, route: ENROLLMENTS, company });
		const active = t.enrollments();
		await active.poll();
		t.service.clearFaults();
		t.fixture.pass(HOUR);
		const id = t.fixture.create('enrollment', 0);
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test('a company that is listed later gives what was created since the baseline', async () => {
		const late = t.service.state.companies[0];
		t.fixture.create('enrollment', 1, HOUR);
		t.fixture.create('enrollment', 0, 90 * DAY);
		if (late) late.licenceExpired = true;
		const active = t.enrollments({ companyFilter: { licenceNotExpired: true }, options: { askEachEvery: 0 } });
		for (const company of t.service.state.companies) company.licenseEndDate = '2099-01-01T00:00:00Z';
		await active.poll();
		t.fixture.pass(HOUR);
		const id = t.fixture.create('enrollment', 0);
		if (late) late.licenceExpired = false;
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test('when nothing works, the error tells n8n why, and what is remembered stays', async () => {
		const active = t.phishing();
		await active.poll();
		const before = structuredClone(active.memory);
		t.service.fault({ kind: 'status-429', times: Infinity, route: PHISHING, retryAfter: '1' });
		const limited = await failureOf(active.poll());
		expect(limited).toMatchObject({ failure: { cause: 'rate-limited', retryAfterMs: 1000 } });
		t.service.clearFaults();
		t.service.fault({ kind: 'status-401', times: Infinity, route: PHISHING });
		// n8n would wait half an hour after a credential that is wrong for certain.
		expect(await failureOf(active.poll())).toMatchObject({ failure: { cause: 'temporarily-unavailable' } });
		t.service.clearFaults();
		expect(active.memory).toEqual(before);
		const id = t.fixture.create('phishing', 0);
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test('details that never come are waited for 20 seconds of a poll, so that no other record waits long', async () => {
		const active = t.enrollments({ options: { includeDetails: true } });
		await active.poll();
		const others = [1, 2, 3].map((company) => t.fixture.create('enrollment', company));
		const silent = t.fixture.create('enrollment', 0);
		const company = t.fixture.company(0).id;
		t.service.fault({ kind: 'stall', times: Infinity, route: 'GET /api/enrollments/{resourceId}', company });
		const start = performance.now();
		expect(idsOf(await active.poll()).sort()).toEqual(others.sort());
		expect(performance.now() - start).toBeLessThan(30_000);
		for (const expected of [[], [], [silent]]) expect(idsOf(await active.poll())).toEqual(expected);
	});

	test('records whose details cannot be read now wait; those that will never be read do not', async () => {
		const active = t.enrollments({ options: { includeDetails: true } });
		await active.poll();
		const id = t.fixture.create('enrollment', 0);
		t.service.fault({ kind: 'status-503', times: Infinity, route: 'GET /api/enrollments/{resourceId}' });
		expect(await active.poll()).toBeNull();
		t.service.clearFaults();
		expect(await active.poll()).toEqual([
			expect.objectContaining({ resourceId: id, details: expect.objectContaining({ delivery: 'Email' }) }),
		]);
		const refused = t.fixture.create('enrollment', 0);
		t.service.fault({ kind: 'forbidden-company', times: Infinity, route: 'GET /api/enrollments/{resourceId}' });
		const items = await active.poll();
		expect(idsOf(items)).toEqual([refused]);
		expect(items?.[0]).not.toHaveProperty('details');
	});

	test('two polls at once: the second gives way', async () => {
		const active = t.phishing();
		await active.poll();
		const id = t.fixture.create('phishing', 0);
		t.service.setOptions({ latencyMs: 20 });
		const both = await Promise.all([active.poll(), active.poll()]);
		expect(both.map(idsOf)).toEqual([[id], []]);
	});
});

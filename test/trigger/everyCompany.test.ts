/** Every Company: what is asked, and whose a record is. */
import { omit, sortBy } from 'lodash';
import { DAY, HOUR, idsOf } from './pollingFixture';
import { ENROLLMENTS, MINUTE, PHISHING, SMISHING, TriggerFixture } from './triggerFixture';

let t: TriggerFixture;
beforeAll(async () => {
	t = await TriggerFixture.start();
});
beforeEach(() => t.begin());
afterEach(() => {
	jest.restoreAllMocks();
});
afterAll(async () => t.service.close());

test('an idle poll is one request for each kind', async () => {
	const active = await t.knowing(t.phishing({ simulators: ['phishing', 'smishing', 'quishing'] }));
	expect(await active.poll()).toBeNull();
	expect(t.service.requests().map(({ companyId }) => companyId)).toEqual([undefined, undefined, undefined]);
});

// What one kind's list has tells nothing about another's, so nothing is assumed.
test('of a kind that nobody uses each company is asked, every 15 minutes', async () => {
	const active = await t.knowing(t.phishing({ simulators: ['smishing'], options: { concurrency: 1 } }), ['phishing']);
	await active.poll();
	t.service.clearLog();
	t.pass(14 * MINUTE);
	expect(await active.poll()).toBeNull();
	expect(t.asked(SMISHING)).toEqual([]);
	t.pass(MINUTE);
	expect(await active.poll()).toBeNull();
	expect(t.asked(SMISHING).sort()).toEqual(['', ...t.everyId()]);
});

test("a new record is looked for where there was news lately, in each company's list at most once", async () => {
	const active = await t.knowing(t.phishing({ options: { concurrency: 1 } }));
	t.pass(5 * MINUTE);
	t.create('phishing', 3);
	expect(await active.poll()).toMatchObject([{ companyResourceId: t.company(3).id }]);
	const first = t.asked(PHISHING);
	expect(new Set(first).size).toBe(first.length);
	t.pass(5 * MINUTE);
	t.create('phishing', 3);
	expect(await active.poll()).toHaveLength(1);
	expect(t.asked(PHISHING)).toEqual(['', t.company(3).id]);
});

test('a record of a company that fails waits, as do its parent’s, and only that tree is asked again', async () => {
	const active = await t.knowing(t.enrollments());
	const parent = t.company(2);
	const child = t.company(3);
	t.service.fault({ kind: 'status-500', route: ENROLLMENTS, company: child.id, times: Infinity });
	const waiting = [t.create('enrollment', 3, MINUTE), t.create('enrollment', 2)];
	const other = t.create('enrollment', 1);
	expect(idsOf(await active.poll())).toEqual([other]);
	t.service.clearLog();
	t.pass(5 * MINUTE);
	expect(await active.poll()).toBeNull();
	expect([...new Set(t.asked(ENROLLMENTS))].sort()).toEqual(['', parent.id, child.id].sort());
	t.service.clearFaults();
	expect(await active.poll()).toMatchObject([
		{ resourceId: waiting[0], companyResourceId: child.id },
		{ resourceId: waiting[1], companyResourceId: parent.id },
	]);
	expect(await active.poll()).toBeNull();
});

test('for an hour: then it comes without a company, and the log says so', async () => {
	const active = await t.knowing(t.enrollments());
	const { id } = t.company(3);
	t.service.fault({ kind: 'status-500', route: ENROLLMENTS, company: id, times: Infinity });
	const waiting = t.create('enrollment', 3);
	expect(await active.poll()).toBeNull();
	expect(active.log.at(-1)).toContain('must wait');
	t.pass(HOUR);
	expect(await active.poll()).toMatchObject([{ resourceId: waiting, companyResourceId: null }]);
	expect(active.log.at(-1)).toContain('given without a company');
	expect(await active.poll()).toBeNull();
});

test('a record of a company that refuses waits as well, as do its parent’s, and is never given as its parent’s', async () => {
	const parent = t.company(2);
	const child = t.company(3);
	for (const options of [{}, { askEachCompany: true, askEachEvery: 0 }]) {
		t.begin();
		// The parent's list shows the child's records.
		t.service.setOptions({
			garble: (envelope, { route, companyId }) => {
				if (route !== ENROLLMENTS || companyId !== parent.id) return envelope;
				const both = [parent, child].flatMap(({ id }) => t.service.state.of(id).enrollments);
				const rows = sortBy(both, 'createTime').reverse();
				return { data: { results: rows.map((row) => omit(row, ['companyResourceId'])) } };
			},
		});
		const active = await t.knowing(t.enrollments({ options }));
		t.service.fault({ kind: 'forbidden-company', route: ENROLLMENTS, company: child.id, times: Infinity });
		const late = [t.create('enrollment', 3, MINUTE), t.create('enrollment', 2)];
		expect(await active.poll()).toBeNull();
		expect(active.log.join()).toContain('2 records of the enrollments must wait');
		expect(active.log.join()).toContain(`${child.name}: access was refused`);
		t.pass(HOUR);
		expect(await active.poll()).toMatchObject(late.map((resourceId) => ({ resourceId, companyResourceId: null })));
		expect(active.log.at(-1)).toContain('given without a company');
		const soon = [t.create('enrollment', 3, MINUTE), t.create('enrollment', 2)];
		expect(await active.poll()).toBeNull();
		t.service.clearFaults();
		expect(await active.poll()).toMatchObject([
			{ resourceId: soon[0], companyResourceId: child.id },
			{ resourceId: soon[1], companyResourceId: parent.id },
		]);
		expect(await active.poll()).toBeNull();
	}
});

test('where the service refuses to be asked without a company, each is asked, every 15 minutes', async () => {
	const active = await t.knowing(t.phishing());
	t.service.setOptions({
		garble: (envelope, { route, companyId }) => {
			const isRefused = route === PHISHING && companyId === undefined;
			return isRefused ? { data: null, status: 'INPUT_ERROR', message: 'Company is required' } : envelope;
		},
	});
	const first = t.create('phishing', 2);
	expect(idsOf(await active.poll())).toEqual([first]);
	expect(t.asked(PHISHING).filter(Boolean).sort()).toEqual(t.everyId());
	const second = t.create('phishing', 3);
	t.pass(14 * MINUTE);
	expect(await active.poll()).toBeNull();
	expect(t.asked(PHISHING)).toEqual([]);
	t.pass(MINUTE);
	expect(idsOf(await active.poll())).toEqual([second]);
});

test.each([
	['a condition on companies', { onlyCompanies: { licenceNotExpired: false } }],
	["'Ask Each Company'", { options: { askEachCompany: true } }],
])('%s asks each company', async (_, more) => {
	const active = await t.knowing(t.phishing(more));
	t.pass(15 * MINUTE);
	t.create('phishing', 3);
	expect(await active.poll()).toHaveLength(1);
	expect(t.asked(PHISHING).sort()).toEqual(t.everyId());
});

test('a company that fails catches up; what it had before the trigger began is not given', async () => {
	const { id } = t.company(0);
	const fail = () => t.service.fault({ kind: 'forbidden-company', route: PHISHING, company: id, times: Infinity });
	const active = t.phishing({ options: { askEachCompany: true, askEachEvery: 0 } });
	t.create('phishing', 0, HOUR);
	t.create('phishing', 1, 2 * HOUR);
	fail();
	expect(await active.poll()).toBeNull();
	t.pass(10 * DAY);
	const meanwhile = t.create('phishing', 0);
	t.pass(2 * DAY);
	const other = t.create('phishing', 1);
	for (const expected of [[other], [], []]) expect(idsOf(await active.poll())).toEqual(expected);
	t.service.clearFaults();
	expect(idsOf(await active.poll())).toEqual([meanwhile]);
	expect(await active.poll()).toBeNull();
});

test('a record in the lists of a parent and its child comes once, as the child’s', async () => {
	const parent = t.company(2);
	const child = t.company(3);
	t.service.setOptions({
		garble: (envelope, { route, companyId }) => {
			if (route !== PHISHING || companyId !== parent.id) return envelope;
			return { data: { results: t.service.state.of(child.id).campaigns('phishing') } };
		},
	});
	for (const options of [{ askEachCompany: true, askEachEvery: 0 }, {}]) {
		const active = await t.knowing(t.phishing({ options }));
		const id = t.create('phishing', 3);
		expect(await active.poll()).toMatchObject([{ resourceId: id, companyResourceId: child.id }]);
		expect(await active.poll()).toBeNull();
	}
});

test('one kind that cannot be read costs the others nothing, and catches up', async () => {
	const active = await t.knowing(t.phishing({ simulators: ['phishing', 'smishing'] }));
	t.service.fault({ kind: 'status-500', route: PHISHING, times: Infinity });
	const late = t.create('phishing', 0);
	const other = t.create('smishing', 0);
	expect(idsOf(await active.poll())).toEqual([other]);
	t.service.clearFaults();
	expect(idsOf(await active.poll())).toEqual([late]);
});

test('a company that does not answer in time comes first in the next poll', async () => {
	const active = t.phishing({ options: { askEachCompany: true, askEachEvery: 0, concurrency: 1 } });
	for (const index of [0, 1, 2, 3]) t.create('phishing', index, HOUR);
	await active.poll();
	t.service.clearLog();
	const order = t.asked(PHISHING);
	const made = [0, 1, 2, 3].map((index) => t.create('phishing', index));
	t.service.fault({ kind: 'stall', route: PHISHING, after: 2, times: 1, ms: 60_000 });
	const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		const stop = new AbortController();
		setTimeout(() => stop.abort(), 700).unref();
		return stop.signal;
	});
	const given = idsOf(await active.poll());
	timeout.mockRestore();
	expect(given).toHaveLength(2);
	expect(order).toEqual([]);
	const before = t.asked(PHISHING);
	expect(idsOf(await active.poll()).sort()).toEqual(made.filter((id) => !given.includes(id)).sort());
	expect(before.slice(0, 2)).not.toContain(t.asked(PHISHING)[0]);
});

test('what is in no company’s list, such as the reseller’s own, was there at the beginning, and comes without a company later', async () => {
	const { reseller } = t.service.state;
	const own = t.service.state.of(reseller.companyResourceId).campaigns('phishing');
	const add = (resourceId: string) => {
		const [like] = t.service.state.of(t.company(0).id).campaigns('phishing');
		if (like) own.push({ ...like, resourceId, createTime: new Date(t.now - HOUR / 2).toISOString() });
	};
	for (const index of [0, 1]) t.create('phishing', index, HOUR);
	add('own-1');
	const active = t.phishing();
	for (let times = 0; times < 3; times++) expect(await active.poll()).toBeNull();
	add('own-2');
	expect(await active.poll()).toMatchObject([{ resourceId: 'own-2', companyResourceId: null }]);
	expect(await active.poll()).toBeNull();
});

test('a status of a record that parent and child list is one, whichever is read first', async () => {
	const parent = t.company(2);
	const child = t.company(3);
	const id = t.create('phishing', 3, HOUR);
	let before: string | undefined;
	t.service.setOptions({
		garble: (envelope, { route, companyId }) => {
			if (route !== PHISHING || companyId !== parent.id) return envelope;
			const rows = t.service.state.of(child.id).campaigns('phishing');
			return { data: { results: rows.map((row) => ({ ...row, status: before ?? row.status })) } };
		},
	});
	const active = t.phishing({ triggerOn: 'statusChanged', options: { askEachCompany: true, askEachEvery: 0 } });
	await active.poll();
	before = 'Running';
	t.setStatus('phishing', 3, id, 'Completed');
	expect(await active.poll()).toMatchObject([{ resourceId: id, status: 'Completed', companyResourceId: child.id }]);
	before = undefined;
	expect(await active.poll()).toBeNull();
});

test('two changes of a company, one of a record whose company is not known yet, come once each', async () => {
	const active = await t.knowing(t.phishing({ triggerOn: 'statusChanged' }));
	const known = String(t.service.state.of(t.company(1).id).campaigns('phishing')[0]?.resourceId);
	const unknown = t.create('phishing', 1);
	expect(await active.poll()).toBeNull();
	for (const id of [known, unknown]) t.setStatus('phishing', 1, id, 'Completed');
	expect(idsOf(await active.poll()).sort()).toEqual([known, unknown].sort());
	expect(await active.poll()).toBeNull();
});

test('the platform asks for a wait of a day: nothing more is asked in this poll, and later ones catch up', async () => {
	const active = await t.knowing(t.enrollments({ options: { askEachCompany: true } }));
	const created = [0, 1, 2, 3].map((index) => t.create('enrollment', index, MINUTE));
	t.service.fault({ kind: 'status-429', route: ENROLLMENTS, retryAfter: '86400', after: 1 });
	const first = idsOf(await active.poll().catch(() => null));
	t.service.clearLog();
	t.service.clearFaults();
	t.pass(15 * MINUTE);
	const later = idsOf(await active.poll());
	expect([...first, ...later].sort()).toEqual([...created].sort());
});

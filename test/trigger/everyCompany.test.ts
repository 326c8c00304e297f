/** Every Company: what is asked, and whose a record is. */
import { omit, sortBy } from 'lodash';
import { DAY, HOUR, getIds } from './pollingFixture';
import { ENROLLMENTS, MINUTE, PHISHING, SMISHING, TriggerFixture } from './triggerFixture';

let t: TriggerFixture;
beforeAll(async () => {
	t = await TriggerFixture.start();
});
beforeEach(() => t.reset());
afterEach(() => {
	jest.restoreAllMocks();
});
afterAll(async () => t.service.close());

test('an idle poll is one request for each kind', async () => {
	const active = await t.learnGlobalList(t.createPhishingTrigger({ simulators: ['phishing', 'smishing', 'quishing'] }));
	expect(await active.poll()).toBeNull();
	expect(t.service.getRequests().map(({ companyId }) => companyId)).toEqual([undefined, undefined, undefined]);
});

// What one kind's list has tells nothing about another's, so nothing is assumed.
test('of a kind that nobody uses each company is asked, every 15 minutes', async () => {
	const active = await t.learnGlobalList(t.createPhishingTrigger({ simulators: ['smishing'], options: { concurrency: 1 } }), ['phishing']);
	await active.poll();
	t.service.clearLog();
	t.advanceTime(14 * MINUTE);
	expect(await active.poll()).toBeNull();
	expect(t.takeRequestedCompanies(SMISHING)).toEqual([]);
	t.advanceTime(MINUTE);
	expect(await active.poll()).toBeNull();
	expect(t.takeRequestedCompanies(SMISHING).sort()).toEqual(['', ...t.getAllCompanyIds()]);
});

test("a new record is looked for where there was news lately, in each company's list at most once", async () => {
	const active = await t.learnGlobalList(t.createPhishingTrigger({ options: { concurrency: 1 } }));
	t.advanceTime(5 * MINUTE);
	t.createRecord('phishing', 3);
	expect(await active.poll()).toMatchObject([{ companyResourceId: t.getCompany(3).id }]);
	const first = t.takeRequestedCompanies(PHISHING);
	expect(new Set(first).size).toBe(first.length);
	t.advanceTime(5 * MINUTE);
	t.createRecord('phishing', 3);
	expect(await active.poll()).toHaveLength(1);
	expect(t.takeRequestedCompanies(PHISHING)).toEqual(['', t.getCompany(3).id]);
});

test('a record of a company that fails waits, as do its parent’s, and only that tree is asked again', async () => {
	const active = await t.learnGlobalList(t.createEnrollmentsTrigger());
	const parent = t.getCompany(2);
	const child = t.getCompany(3);
	t.service.addFault({ kind: 'status-500', route: ENROLLMENTS, companyId: child.id, times: Infinity });
	const waiting = [t.createRecord('enrollment', 3, MINUTE), t.createRecord('enrollment', 2)];
	const other = t.createRecord('enrollment', 1);
	expect(getIds(await active.poll())).toEqual([other]);
	t.service.clearLog();
	t.advanceTime(5 * MINUTE);
	expect(await active.poll()).toBeNull();
	expect([...new Set(t.takeRequestedCompanies(ENROLLMENTS))].sort()).toEqual(['', parent.id, child.id].sort());
	t.service.clearFaults();
	expect(await active.poll()).toMatchObject([
		{ resourceId: waiting[0], companyResourceId: child.id },
		{ resourceId: waiting[1], companyResourceId: parent.id },
	]);
	expect(await active.poll()).toBeNull();
});

test('for an hour: then it comes without a company, and the log says so', async () => {
	const active = await t.learnGlobalList(t.createEnrollmentsTrigger());
	const { id } = t.getCompany(3);
	t.service.addFault({ kind: 'status-500', route: ENROLLMENTS, companyId: id, times: Infinity });
	const waiting = t.createRecord('enrollment', 3);
	expect(await active.poll()).toBeNull();
	expect(active.log.at(-1)).toContain('must wait');
	t.advanceTime(HOUR);
	expect(await active.poll()).toMatchObject([{ resourceId: waiting, companyResourceId: null }]);
	expect(active.log.at(-1)).toContain('given without a company');
	expect(await active.poll()).toBeNull();
});

test('a record of a company that refuses waits as well, as do its parent’s, and is never given as its parent’s', async () => {
	const parent = t.getCompany(2);
	const child = t.getCompany(3);
	for (const options of [{}, { askEachCompany: true, askEachEvery: 0 }]) {
		t.reset();
		// The parent's list shows the child's records.
		t.service.setOptions({
			transformEnvelope: (envelope, { route, companyId }) => {
				if (route !== ENROLLMENTS || companyId !== parent.id) return envelope;
				const both = [parent, child].flatMap(({ id }) => t.service.state.getCompanyData(id).enrollments);
				const rows = sortBy(both, 'createTime').reverse();
				return { data: { results: rows.map((row) => omit(row, ['companyResourceId'])) } };
			},
		});
		const active = await t.learnGlobalList(t.createEnrollmentsTrigger({ options }));
		t.service.addFault({ kind: 'forbidden-company', route: ENROLLMENTS, companyId: child.id, times: Infinity });
		const late = [t.createRecord('enrollment', 3, MINUTE), t.createRecord('enrollment', 2)];
		expect(await active.poll()).toBeNull();
		expect(active.log.join()).toContain('2 records of the enrollments must wait');
		expect(active.log.join()).toContain(`${child.name}: access was refused`);
		t.advanceTime(HOUR);
		expect(await active.poll()).toMatchObject(late.map((resourceId) => ({ resourceId, companyResourceId: null })));
		expect(active.log.at(-1)).toContain('given without a company');
		const soon = [t.createRecord('enrollment', 3, MINUTE), t.createRecord('enrollment', 2)];
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
	const active = await t.learnGlobalList(t.createPhishingTrigger());
	t.service.setOptions({
		transformEnvelope: (envelope, { route, companyId }) => {
			const isRefused = route === PHISHING && companyId === undefined;
			return isRefused ? { data: null, status: 'INPUT_ERROR', message: 'Company is required' } : envelope;
		},
	});
	const first = t.createRecord('phishing', 2);
	expect(getIds(await active.poll())).toEqual([first]);
	expect(t.takeRequestedCompanies(PHISHING).filter(Boolean).sort()).toEqual(t.getAllCompanyIds());
	const second = t.createRecord('phishing', 3);
	t.advanceTime(14 * MINUTE);
	expect(await active.poll()).toBeNull();
	expect(t.takeRequestedCompanies(PHISHING)).toEqual([]);
	t.advanceTime(MINUTE);
	expect(getIds(await active.poll())).toEqual([second]);
});

test.each([
	['a condition on companies', { onlyCompanies: { licenceNotExpired: false } }],
	["'Ask Each Company'", { options: { askEachCompany: true } }],
])('%s asks each company', async (_, more) => {
	const active = await t.learnGlobalList(t.createPhishingTrigger(more));
	t.advanceTime(15 * MINUTE);
	t.createRecord('phishing', 3);
	expect(await active.poll()).toHaveLength(1);
	expect(t.takeRequestedCompanies(PHISHING).sort()).toEqual(t.getAllCompanyIds());
});

test('a company that fails catches up; what it had before the trigger began is not given', async () => {
	const { id } = t.getCompany(0);
	const fail = () => t.service.addFault({ kind: 'forbidden-company', route: PHISHING, companyId: id, times: Infinity });
	const active = t.createPhishingTrigger({ options: { askEachCompany: true, askEachEvery: 0 } });
	t.createRecord('phishing', 0, HOUR);
	t.createRecord('phishing', 1, 2 * HOUR);
	fail();
	expect(await active.poll()).toBeNull();
	t.advanceTime(10 * DAY);
	const meanwhile = t.createRecord('phishing', 0);
	t.advanceTime(2 * DAY);
	const other = t.createRecord('phishing', 1);
	for (const expected of [[other], [], []]) expect(getIds(await active.poll())).toEqual(expected);
	t.service.clearFaults();
	expect(getIds(await active.poll())).toEqual([meanwhile]);
	expect(await active.poll()).toBeNull();
});

test('a record in the lists of a parent and its child comes once, as the child’s', async () => {
	const parent = t.getCompany(2);
	const child = t.getCompany(3);
	t.service.setOptions({
		transformEnvelope: (envelope, { route, companyId }) => {
			if (route !== PHISHING || companyId !== parent.id) return envelope;
			return { data: { results: t.service.state.getCompanyData(child.id).getCampaigns('phishing') } };
		},
	});
	for (const options of [{ askEachCompany: true, askEachEvery: 0 }, {}]) {
		const active = await t.learnGlobalList(t.createPhishingTrigger({ options }));
		const id = t.createRecord('phishing', 3);
		expect(await active.poll()).toMatchObject([{ resourceId: id, companyResourceId: child.id }]);
		expect(await active.poll()).toBeNull();
	}
});

test('one kind that cannot be read costs the others nothing, and catches up', async () => {
	const active = await t.learnGlobalList(t.createPhishingTrigger({ simulators: ['phishing', 'smishing'] }));
	t.service.addFault({ kind: 'status-500', route: PHISHING, times: Infinity });
	const late = t.createRecord('phishing', 0);
	const other = t.createRecord('smishing', 0);
	expect(getIds(await active.poll())).toEqual([other]);
	t.service.clearFaults();
	expect(getIds(await active.poll())).toEqual([late]);
});

test('a company that does not answer in time comes first in the next poll', async () => {
	const active = t.createPhishingTrigger({ options: { askEachCompany: true, askEachEvery: 0, concurrency: 1 } });
	for (const index of [0, 1, 2, 3]) t.createRecord('phishing', index, HOUR);
	await active.poll();
	t.service.clearLog();
	const order = t.takeRequestedCompanies(PHISHING);
	const made = [0, 1, 2, 3].map((index) => t.createRecord('phishing', index));
	t.service.addFault({ kind: 'stall', route: PHISHING, skipCount: 2, times: 1, durationMs: 60_000 });
	const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		const stop = new AbortController();
		setTimeout(() => stop.abort(), 700).unref();
		return stop.signal;
	});
	const given = getIds(await active.poll());
	timeout.mockRestore();
	expect(given).toHaveLength(2);
	expect(order).toEqual([]);
	const before = t.takeRequestedCompanies(PHISHING);
	expect(getIds(await active.poll()).sort()).toEqual(made.filter((id) => !given.includes(id)).sort());
	expect(before.slice(0, 2)).not.toContain(t.takeRequestedCompanies(PHISHING)[0]);
});

test('what is in no company’s list, such as the reseller’s own, was there at the beginning, and comes without a company later', async () => {
	const { resellerCompany: reseller } = t.service.state;
	const own = t.service.state.getCompanyData(reseller.companyResourceId).getCampaigns('phishing');
	const add = (resourceId: string) => {
		const [like] = t.service.state.getCompanyData(t.getCompany(0).id).getCampaigns('phishing');
		if (like) own.push({ ...like, resourceId, createTime: new Date(t.now - HOUR / 2).toISOString() });
	};
	for (const index of [0, 1]) t.createRecord('phishing', index, HOUR);
	add('own-1');
	const active = t.createPhishingTrigger();
	for (let times = 0; times < 3; times++) expect(await active.poll()).toBeNull();
	add('own-2');
	expect(await active.poll()).toMatchObject([{ resourceId: 'own-2', companyResourceId: null }]);
	expect(await active.poll()).toBeNull();
});

test('a status of a record that parent and child list is one, whichever is read first', async () => {
	const parent = t.getCompany(2);
	const child = t.getCompany(3);
	const id = t.createRecord('phishing', 3, HOUR);
	let before: string | undefined;
	t.service.setOptions({
		transformEnvelope: (envelope, { route, companyId }) => {
			if (route !== PHISHING || companyId !== parent.id) return envelope;
			const rows = t.service.state.getCompanyData(child.id).getCampaigns('phishing');
			return { data: { results: rows.map((row) => ({ ...row, status: before ?? row.status })) } };
		},
	});
	const active = t.createPhishingTrigger({ triggerOn: 'statusChanged', options: { askEachCompany: true, askEachEvery: 0 } });
	await active.poll();
	before = 'Running';
	t.setStatus('phishing', 3, id, 'Completed');
	expect(await active.poll()).toMatchObject([{ resourceId: id, status: 'Completed', companyResourceId: child.id }]);
	before = undefined;
	expect(await active.poll()).toBeNull();
});

test('two changes of a company, one of a record whose company is not known yet, come once each', async () => {
	const active = await t.learnGlobalList(t.createPhishingTrigger({ triggerOn: 'statusChanged' }));
	const known = String(t.service.state.getCompanyData(t.getCompany(1).id).getCampaigns('phishing')[0]?.resourceId);
	const unknown = t.createRecord('phishing', 1);
	expect(await active.poll()).toBeNull();
	for (const id of [known, unknown]) t.setStatus('phishing', 1, id, 'Completed');
	expect(getIds(await active.poll()).sort()).toEqual([known, unknown].sort());
	expect(await active.poll()).toBeNull();
});

test('the platform asks for a wait of a day: nothing more is asked in this poll, and later ones catch up', async () => {
	const active = await t.learnGlobalList(t.createEnrollmentsTrigger({ options: { askEachCompany: true } }));
	const created = [0, 1, 2, 3].map((index) => t.createRecord('enrollment', index, MINUTE));
	t.service.addFault({ kind: 'status-429', route: ENROLLMENTS, retryAfter: '86400', skipCount: 1 });
	const first = getIds(await active.poll().catch(() => null));
	t.service.clearLog();
	t.service.clearFaults();
	t.advanceTime(15 * MINUTE);
	const later = getIds(await active.poll());
	expect([...first, ...later].sort()).toEqual([...created].sort());
});

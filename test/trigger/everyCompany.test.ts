/** Every Company: what is asked, and whose a record is. */
import { omit, sortBy } from 'lodash';
import { DAY, HOUR, getIds } from './pollingFixture';
import { ENROLLMENTS, MINUTE, PHISHING, SMISHING, TriggerFixture } from './triggerFixture';

let fixture: TriggerFixture;
beforeAll(async () => {
	fixture = await TriggerFixture.start();
});
beforeEach(() => fixture.reset());
afterEach(() => {
	jest.restoreAllMocks();
});
afterAll(async () => fixture.standIn.close());

test('an idle poll is one request for each kind', async () => {
	const trigger = await fixture.learnGlobalList(
		fixture.createPhishingTrigger({ simulators: ['phishing', 'smishing', 'quishing'] }),
	);
	expect(await trigger.poll()).toBeNull();
	expect(fixture.standIn.getRequests().map(({ companyId }) => companyId)).toEqual([undefined, undefined, undefined]);
});

// What one kind's list has tells nothing about another's, so nothing is assumed.
test('of a kind that nobody uses each company is asked, every 15 minutes', async () => {
	const trigger = await fixture.learnGlobalList(
		fixture.createPhishingTrigger({ simulators: ['smishing'], options: { concurrency: 1 } }),
		['phishing'],
	);
	await trigger.poll();
	fixture.standIn.clearLog();
	fixture.advanceTime(14 * MINUTE);
	expect(await trigger.poll()).toBeNull();
	expect(fixture.takeRequestedCompanies(SMISHING)).toEqual([]);
	fixture.advanceTime(MINUTE);
	expect(await trigger.poll()).toBeNull();
	expect(fixture.takeRequestedCompanies(SMISHING).sort()).toEqual(['', ...fixture.getAllCompanyIds()]);
});

test("a new record is looked for where there was news lately, in each company's list at most once", async () => {
	const trigger = await fixture.learnGlobalList(fixture.createPhishingTrigger({ options: { concurrency: 1 } }));
	fixture.advanceTime(5 * MINUTE);
	fixture.createRecord('phishing', 3);
	expect(await trigger.poll()).toMatchObject([{ companyResourceId: fixture.getCompany(3).id }]);
	const first = fixture.takeRequestedCompanies(PHISHING);
	expect(new Set(first).size).toBe(first.length);
	fixture.advanceTime(5 * MINUTE);
	fixture.createRecord('phishing', 3);
	expect(await trigger.poll()).toHaveLength(1);
	expect(fixture.takeRequestedCompanies(PHISHING)).toEqual(['', fixture.getCompany(3).id]);
});

test('a record of a company that fails waits, as do its parent’s, and only that tree is asked again', async () => {
	const trigger = await fixture.learnGlobalList(fixture.createEnrollmentsTrigger());
	const parent = fixture.getCompany(2);
	const child = fixture.getCompany(3);
	fixture.standIn.addFault({ kind: 'status-500', route: ENROLLMENTS, companyId: child.id, times: Infinity });
	const waiting = [fixture.createRecord('enrollment', 3, MINUTE), fixture.createRecord('enrollment', 2)];
	const other = fixture.createRecord('enrollment', 1);
	expect(getIds(await trigger.poll())).toEqual([other]);
	fixture.standIn.clearLog();
	fixture.advanceTime(5 * MINUTE);
	expect(await trigger.poll()).toBeNull();
	expect([...new Set(fixture.takeRequestedCompanies(ENROLLMENTS))].sort()).toEqual(['', parent.id, child.id].sort());
	fixture.standIn.clearFaults();
	expect(await trigger.poll()).toMatchObject([
		{ resourceId: waiting[0], companyResourceId: child.id },
		{ resourceId: waiting[1], companyResourceId: parent.id },
	]);
	expect(await trigger.poll()).toBeNull();
});

test('for an hour: then it comes without a company, and the log says so', async () => {
	const trigger = await fixture.learnGlobalList(fixture.createEnrollmentsTrigger());
	const { id } = fixture.getCompany(3);
	fixture.standIn.addFault({ kind: 'status-500', route: ENROLLMENTS, companyId: id, times: Infinity });
	const waiting = fixture.createRecord('enrollment', 3);
	expect(await trigger.poll()).toBeNull();
	expect(trigger.log.at(-1)).toContain('must wait');
	fixture.advanceTime(HOUR);
	expect(await trigger.poll()).toMatchObject([{ resourceId: waiting, companyResourceId: null }]);
	expect(trigger.log.at(-1)).toContain('given without a company');
	expect(await trigger.poll()).toBeNull();
});

test('a record of a company that refuses waits as well, as do its parent’s, and is never given as its parent’s', async () => {
	const parent = fixture.getCompany(2);
	const child = fixture.getCompany(3);
	for (const options of [{}, { askEachCompany: true, askEachEvery: 0 }]) {
		fixture.reset();
		// The parent's list shows the child's records.
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route, companyId }) => {
				if (route !== ENROLLMENTS || companyId !== parent.id) return envelope;
				const both = [parent, child].flatMap(({ id }) => fixture.standIn.state.getCompanyData(id).enrollments);
				const rows = sortBy(both, 'createTime').reverse();
				return { data: { results: rows.map((row) => omit(row, ['companyResourceId'])) } };
			},
		});
		const trigger = await fixture.learnGlobalList(fixture.createEnrollmentsTrigger({ options }));
		fixture.standIn.addFault({ kind: 'forbidden-company', route: ENROLLMENTS, companyId: child.id, times: Infinity });
		const late = [fixture.createRecord('enrollment', 3, MINUTE), fixture.createRecord('enrollment', 2)];
		expect(await trigger.poll()).toBeNull();
		expect(trigger.log.join()).toContain('2 records of the enrollments must wait');
		expect(trigger.log.join()).toContain(`${child.name}: access was refused`);
		fixture.advanceTime(HOUR);
		expect(await trigger.poll()).toMatchObject(late.map((resourceId) => ({ resourceId, companyResourceId: null })));
		expect(trigger.log.at(-1)).toContain('given without a company');
		const soon = [fixture.createRecord('enrollment', 3, MINUTE), fixture.createRecord('enrollment', 2)];
		expect(await trigger.poll()).toBeNull();
		fixture.standIn.clearFaults();
		expect(await trigger.poll()).toMatchObject([
			{ resourceId: soon[0], companyResourceId: child.id },
			{ resourceId: soon[1], companyResourceId: parent.id },
		]);
		expect(await trigger.poll()).toBeNull();
	}
});

test('where the service refuses to be asked without a company, each is asked, every 15 minutes', async () => {
	const trigger = await fixture.learnGlobalList(fixture.createPhishingTrigger());
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route, companyId }) => {
			const isRefused = route === PHISHING && companyId === undefined;
			return isRefused ? { data: null, status: 'INPUT_ERROR', message: 'Company is required' } : envelope;
		},
	});
	const first = fixture.createRecord('phishing', 2);
	expect(getIds(await trigger.poll())).toEqual([first]);
	expect(fixture.takeRequestedCompanies(PHISHING).filter(Boolean).sort()).toEqual(fixture.getAllCompanyIds());
	const second = fixture.createRecord('phishing', 3);
	fixture.advanceTime(14 * MINUTE);
	expect(await trigger.poll()).toBeNull();
	expect(fixture.takeRequestedCompanies(PHISHING)).toEqual([]);
	fixture.advanceTime(MINUTE);
	expect(getIds(await trigger.poll())).toEqual([second]);
});

test.each([
	['a condition on companies', { onlyCompanies: { licenceNotExpired: false } }],
	["'Ask Each Company'", { options: { askEachCompany: true } }],
])('%s asks each company', async (_, more) => {
	const trigger = await fixture.learnGlobalList(fixture.createPhishingTrigger(more));
	fixture.advanceTime(15 * MINUTE);
	fixture.createRecord('phishing', 3);
	expect(await trigger.poll()).toHaveLength(1);
	expect(fixture.takeRequestedCompanies(PHISHING).sort()).toEqual(fixture.getAllCompanyIds());
});

test('a company that fails catches up; what it had before the trigger began is not given', async () => {
	const { id } = fixture.getCompany(0);
	const fail = () =>
		fixture.standIn.addFault({ kind: 'forbidden-company', route: PHISHING, companyId: id, times: Infinity });
	const trigger = fixture.createPhishingTrigger({ options: { askEachCompany: true, askEachEvery: 0 } });
	fixture.createRecord('phishing', 0, HOUR);
	fixture.createRecord('phishing', 1, 2 * HOUR);
	fail();
	expect(await trigger.poll()).toBeNull();
	fixture.advanceTime(10 * DAY);
	const meanwhile = fixture.createRecord('phishing', 0);
	fixture.advanceTime(2 * DAY);
	const other = fixture.createRecord('phishing', 1);
	for (const expected of [[other], [], []]) expect(getIds(await trigger.poll())).toEqual(expected);
	fixture.standIn.clearFaults();
	expect(getIds(await trigger.poll())).toEqual([meanwhile]);
	expect(await trigger.poll()).toBeNull();
});

test('a record in the lists of a parent and its child comes once, as the child’s', async () => {
	const parent = fixture.getCompany(2);
	const child = fixture.getCompany(3);
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route, companyId }) => {
			if (route !== PHISHING || companyId !== parent.id) return envelope;
			return { data: { results: fixture.standIn.state.getCompanyData(child.id).getCampaigns('phishing') } };
		},
	});
	for (const options of [{ askEachCompany: true, askEachEvery: 0 }, {}]) {
		const trigger = await fixture.learnGlobalList(fixture.createPhishingTrigger({ options }));
		const id = fixture.createRecord('phishing', 3);
		expect(await trigger.poll()).toMatchObject([{ resourceId: id, companyResourceId: child.id }]);
		expect(await trigger.poll()).toBeNull();
	}
});

test('one kind that cannot be read costs the others nothing, and catches up', async () => {
	const trigger = await fixture.learnGlobalList(
		fixture.createPhishingTrigger({ simulators: ['phishing', 'smishing'] }),
	);
	fixture.standIn.addFault({ kind: 'status-500', route: PHISHING, times: Infinity });
	const late = fixture.createRecord('phishing', 0);
	const other = fixture.createRecord('smishing', 0);
	expect(getIds(await trigger.poll())).toEqual([other]);
	fixture.standIn.clearFaults();
	expect(getIds(await trigger.poll())).toEqual([late]);
});

test('a company that does not answer in time comes first in the next poll', async () => {
	const trigger = fixture.createPhishingTrigger({ options: { askEachCompany: true, askEachEvery: 0, concurrency: 1 } });
	for (const index of [0, 1, 2, 3]) fixture.createRecord('phishing', index, HOUR);
	await trigger.poll();
	fixture.standIn.clearLog();
	const order = fixture.takeRequestedCompanies(PHISHING);
	const made = [0, 1, 2, 3].map((index) => fixture.createRecord('phishing', index));
	fixture.standIn.addFault({ kind: 'stall', route: PHISHING, skipCount: 2, times: 1, durationMs: 60_000 });
	const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		const stop = new AbortController();
		setTimeout(() => stop.abort(), 700).unref();
		return stop.signal;
	});
	const given = getIds(await trigger.poll());
	timeout.mockRestore();
	expect(given).toHaveLength(2);
	expect(order).toEqual([]);
	const before = fixture.takeRequestedCompanies(PHISHING);
	expect(getIds(await trigger.poll()).sort()).toEqual(made.filter((id) => !given.includes(id)).sort());
	expect(before.slice(0, 2)).not.toContain(fixture.takeRequestedCompanies(PHISHING)[0]);
});

test('what is in no company’s list, such as the reseller’s own, was there at the beginning, and comes without a company later', async () => {
	const { resellerCompany: reseller } = fixture.standIn.state;
	const own = fixture.standIn.state.getCompanyData(reseller.companyResourceId).getCampaigns('phishing');
	const add = (resourceId: string) => {
		const [like] = fixture.standIn.state.getCompanyData(fixture.getCompany(0).id).getCampaigns('phishing');
		if (like) own.push({ ...like, resourceId, createTime: new Date(fixture.now - HOUR / 2).toISOString() });
	};
	for (const index of [0, 1]) fixture.createRecord('phishing', index, HOUR);
	add('own-1');
	const trigger = fixture.createPhishingTrigger();
	for (let times = 0; times < 3; times++) expect(await trigger.poll()).toBeNull();
	add('own-2');
	expect(await trigger.poll()).toMatchObject([{ resourceId: 'own-2', companyResourceId: null }]);
	expect(await trigger.poll()).toBeNull();
});

test('a status of a record that parent and child list is one, whichever is read first', async () => {
	const parent = fixture.getCompany(2);
	const child = fixture.getCompany(3);
	const id = fixture.createRecord('phishing', 3, HOUR);
	let before: string | undefined;
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route, companyId }) => {
			if (route !== PHISHING || companyId !== parent.id) return envelope;
			const rows = fixture.standIn.state.getCompanyData(child.id).getCampaigns('phishing');
			return { data: { results: rows.map((row) => ({ ...row, status: before ?? row.status })) } };
		},
	});
	const trigger = fixture.createPhishingTrigger({
		triggerOn: 'statusChanged',
		options: { askEachCompany: true, askEachEvery: 0 },
	});
	await trigger.poll();
	before = 'Running';
	fixture.setStatus('phishing', 3, id, 'Completed');
	expect(await trigger.poll()).toMatchObject([{ resourceId: id, status: 'Completed', companyResourceId: child.id }]);
	before = undefined;
	expect(await trigger.poll()).toBeNull();
});

test('two changes of a company, one of a record whose company is not known yet, come once each', async () => {
	const trigger = await fixture.learnGlobalList(fixture.createPhishingTrigger({ triggerOn: 'statusChanged' }));
	const known = String(
		fixture.standIn.state.getCompanyData(fixture.getCompany(1).id).getCampaigns('phishing')[0]?.resourceId,
	);
	const unknown = fixture.createRecord('phishing', 1);
	expect(await trigger.poll()).toBeNull();
	for (const id of [known, unknown]) fixture.setStatus('phishing', 1, id, 'Completed');
	expect(getIds(await trigger.poll()).sort()).toEqual([known, unknown].sort());
	expect(await trigger.poll()).toBeNull();
});

test('the platform asks for a wait of a day: nothing more is asked in this poll, and later ones catch up', async () => {
	const trigger = await fixture.learnGlobalList(
		fixture.createEnrollmentsTrigger({ options: { askEachCompany: true } }),
	);
	const created = [0, 1, 2, 3].map((index) => fixture.createRecord('enrollment', index, MINUTE));
	fixture.standIn.addFault({ kind: 'status-429', route: ENROLLMENTS, retryAfter: '86400', skipCount: 1 });
	const first = getIds(await trigger.poll().catch(() => null));
	fixture.standIn.clearLog();
	fixture.standIn.clearFaults();
	fixture.advanceTime(15 * MINUTE);
	const later = getIds(await trigger.poll());
	expect([...first, ...later].sort()).toEqual([...created].sort());
});

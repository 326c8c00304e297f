/** Tests the scope Every Company: which lists are read, and to which company a record belongs. */
import { omit, sortBy } from 'lodash';
import { DAY, HOUR, getIds, START_TIME } from './pollingFixture';
import { ENROLLMENTS_ROUTE, MINUTE, PHISHING_ROUTE, SMISHING_ROUTE, TriggerFixture } from './triggerFixture';

let fixture: TriggerFixture;
beforeAll(async () => {
	fixture = await TriggerFixture.start();
});
beforeEach(() => fixture.reset());
afterEach(() => {
	jest.restoreAllMocks();
});
afterAll(async () => fixture.standIn.close());

test('a poll without new records sends one request per watched list', async () => {
	const trigger = await fixture.learnThatGlobalListIsComplete(
		fixture.createPhishingTrigger({ simulators: ['phishing', 'smishing', 'quishing'] }),
	);
	expect(await trigger.poll()).toBeNull();
	expect(fixture.standIn.getRequests().map(({ companyId }) => companyId)).toEqual([undefined, undefined, undefined]);
});

// Each kind of records has its own global list. That of phishing is complete here, which says nothing about that of
// smishing.
test('for a kind of records that nobody uses, every company list is read, every 15 minutes', async () => {
	const trigger = await fixture.learnThatGlobalListIsComplete(
		fixture.createPhishingTrigger({ simulators: ['smishing'], options: { concurrency: 1 } }),
		['phishing'],
	);
	await trigger.poll();
	fixture.standIn.clearLog();
	fixture.advanceTime(14 * MINUTE);
	expect(await trigger.poll()).toBeNull();
	expect(fixture.takeRequestedCompanies(SMISHING_ROUTE)).toEqual([]);
	fixture.advanceTime(MINUTE);
	expect(await trigger.poll()).toBeNull();
	expect(fixture.takeRequestedCompanies(SMISHING_ROUTE).sort()).toEqual(['', ...fixture.getAllCompanyIds()]);
});

test("the owner of a new record is searched in recently active companies first, in parents last, and in no company's list twice", async () => {
	const trigger = await fixture.learnThatGlobalListIsComplete(
		fixture.createPhishingTrigger({ options: { concurrency: 1 } }),
	);
	fixture.advanceTime(5 * MINUTE);
	fixture.createRecord('phishing', 3);
	expect(await trigger.poll()).toMatchObject([{ companyResourceId: fixture.getCompany(3).id }]);
	const requestedCompanies = fixture.takeRequestedCompanies(PHISHING_ROUTE);
	expect(new Set(requestedCompanies).size).toBe(requestedCompanies.length);
	const parentOfOwner = fixture.getCompany(2);
	expect(requestedCompanies).not.toContain(parentOfOwner.id);
	fixture.advanceTime(5 * MINUTE);
	fixture.createRecord('phishing', 3);
	expect(await trigger.poll()).toHaveLength(1);
	expect(fixture.takeRequestedCompanies(PHISHING_ROUTE)).toEqual(['', fixture.getCompany(3).id]);
});

test('if a company fails, its records and those of its parent wait, and only that tree is read again', async () => {
	const trigger = await fixture.learnThatGlobalListIsComplete(fixture.createEnrollmentsTrigger());
	const parent = fixture.getCompany(2);
	const child = fixture.getCompany(3);
	fixture.standIn.addFault({ kind: 'status-500', route: ENROLLMENTS_ROUTE, companyId: child.id, times: Infinity });
	const waitingIds = [fixture.createRecord('enrollment', 3, MINUTE), fixture.createRecord('enrollment', 2)];
	const otherId = fixture.createRecord('enrollment', 1);
	expect(getIds(await trigger.poll())).toEqual([otherId]);
	fixture.standIn.clearLog();
	fixture.advanceTime(5 * MINUTE);
	expect(await trigger.poll()).toBeNull();
	expect([...new Set(fixture.takeRequestedCompanies(ENROLLMENTS_ROUTE))].sort()).toEqual(
		['', parent.id, child.id].sort(),
	);
	fixture.standIn.clearFaults();
	expect(await trigger.poll()).toMatchObject([
		{ resourceId: waitingIds[0], companyResourceId: child.id },
		{ resourceId: waitingIds[1], companyResourceId: parent.id },
	]);
	expect(await trigger.poll()).toBeNull();
});

test('a record waits for an hour; then it is emitted without a company, and the log says so', async () => {
	const trigger = await fixture.learnThatGlobalListIsComplete(fixture.createEnrollmentsTrigger());
	const { id } = fixture.getCompany(3);
	fixture.standIn.addFault({ kind: 'status-500', route: ENROLLMENTS_ROUTE, companyId: id, times: Infinity });
	const waitingId = fixture.createRecord('enrollment', 3);
	expect(await trigger.poll()).toBeNull();
	expect(trigger.log.at(-1)).toContain('yet, because the owner is not certain');
	fixture.advanceTime(HOUR);
	expect(await trigger.poll()).toMatchObject([{ resourceId: waitingId, companyResourceId: null }]);
	expect(trigger.log.at(-1)).toContain('without a company, because');
	expect(await trigger.poll()).toBeNull();
});

test('if a company refuses, its records and those of its parent wait, and none is emitted for the wrong company', async () => {
	const parent = fixture.getCompany(2);
	const child = fixture.getCompany(3);
	for (const options of [{}, { readEachCompany: true, readEachCompanyEvery: 0 }]) {
		fixture.reset();
		// The parent's list contains the child's records.
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route, companyId }) => {
				if (route !== ENROLLMENTS_ROUTE || companyId !== parent.id) return envelope;
				const enrollments = [parent, child].flatMap(({ id }) => fixture.standIn.world.getCompanyData(id).enrollments);
				const rows = sortBy(enrollments, 'createTime').reverse();
				return { data: { results: rows.map((row) => omit(row, ['companyResourceId'])) } };
			},
		});
		const trigger = await fixture.learnThatGlobalListIsComplete(fixture.createEnrollmentsTrigger({ options }));
		fixture.standIn.addFault({
			kind: 'forbidden-company',
			route: ENROLLMENTS_ROUTE,
			companyId: child.id,
			times: Infinity,
		});
		const ownerlessIds = [fixture.createRecord('enrollment', 3, MINUTE), fixture.createRecord('enrollment', 2)];
		expect(await trigger.poll()).toBeNull();
		expect(trigger.log.join()).toContain('does not emit 2 records of the enrollments yet');
		expect(trigger.log.join()).toContain(`${child.name}: the platform refused access`);
		fixture.advanceTime(HOUR);
		expect(await trigger.poll()).toMatchObject(
			ownerlessIds.map((resourceId) => ({ resourceId, companyResourceId: null })),
		);
		expect(trigger.log.at(-1)).toContain('without a company, because');
		const waitingIds = [fixture.createRecord('enrollment', 3, MINUTE), fixture.createRecord('enrollment', 2)];
		expect(await trigger.poll()).toBeNull();
		fixture.standIn.clearFaults();
		expect(await trigger.poll()).toMatchObject([
			{ resourceId: waitingIds[0], companyResourceId: child.id },
			{ resourceId: waitingIds[1], companyResourceId: parent.id },
		]);
		expect(await trigger.poll()).toBeNull();
	}
});

test('if the platform refuses requests without a company, every company list is read, every 15 minutes', async () => {
	const trigger = await fixture.learnThatGlobalListIsComplete(fixture.createPhishingTrigger());
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route, companyId }) => {
			const isRefused = route === PHISHING_ROUTE && companyId === undefined;
			return isRefused ? { data: null, status: 'INPUT_ERROR', message: 'Company is required' } : envelope;
		},
	});
	const firstId = fixture.createRecord('phishing', 2);
	expect(getIds(await trigger.poll())).toEqual([firstId]);
	expect(fixture.takeRequestedCompanies(PHISHING_ROUTE).filter(Boolean).sort()).toEqual(fixture.getAllCompanyIds());
	const secondId = fixture.createRecord('phishing', 3);
	fixture.advanceTime(14 * MINUTE);
	expect(await trigger.poll()).toBeNull();
	expect(fixture.takeRequestedCompanies(PHISHING_ROUTE)).toEqual([]);
	fixture.advanceTime(MINUTE);
	expect(getIds(await trigger.poll())).toEqual([secondId]);
});

test.each([
	['a company filter', { onlyCompanies: { licenceNotExpired: false } }],
	["'Read Each Company'", { options: { readEachCompany: true } }],
])('with %s, every company list is read', async (_, parameters) => {
	const trigger = await fixture.learnThatGlobalListIsComplete(fixture.createPhishingTrigger(parameters));
	fixture.advanceTime(15 * MINUTE);
	fixture.createRecord('phishing', 3);
	expect(await trigger.poll()).toHaveLength(1);
	expect(fixture.takeRequestedCompanies(PHISHING_ROUTE).sort()).toEqual(fixture.getAllCompanyIds());
});

test('the missed records of a failed company are emitted later, except those from before the first poll', async () => {
	const { id } = fixture.getCompany(0);
	const trigger = fixture.createPhishingTrigger({ options: { readEachCompany: true, readEachCompanyEvery: 0 } });
	fixture.createRecord('phishing', 0, HOUR);
	fixture.createRecord('phishing', 1, 2 * HOUR);
	fixture.standIn.addFault({ kind: 'forbidden-company', route: PHISHING_ROUTE, companyId: id, times: Infinity });
	expect(await trigger.poll()).toBeNull();
	fixture.advanceTime(10 * DAY);
	const missedId = fixture.createRecord('phishing', 0);
	fixture.advanceTime(2 * DAY);
	const otherId = fixture.createRecord('phishing', 1);
	for (const expectedIds of [[otherId], [], []]) expect(getIds(await trigger.poll())).toEqual(expectedIds);
	fixture.standIn.clearFaults();
	expect(getIds(await trigger.poll())).toEqual([missedId]);
	expect(await trigger.poll()).toBeNull();
});

/** The options of a trigger that emits the records of the last day in its first poll. */
const EMIT_LAST_DAY_OPTIONS = { includeExistingSince: new Date(START_TIME - DAY).toISOString() };

test("with 'Include Existing Since', the existing records of a company that fails in the first poll are emitted later", async () => {
	const { id } = fixture.getCompany(0);
	const trigger = fixture.createPhishingTrigger({ options: EMIT_LAST_DAY_OPTIONS });
	const missedId = fixture.createRecord('phishing', 0, HOUR);
	fixture.createRecord('phishing', 0, 2 * DAY);
	const otherIds = [1, 2].map((index) => fixture.createRecord('phishing', index, HOUR));
	fixture.standIn.addFault({ kind: 'forbidden-company', route: PHISHING_ROUTE, companyId: id, times: Infinity });
	expect(getIds(await trigger.poll()).sort()).toEqual([...otherIds].sort());
	fixture.standIn.clearFaults();
	fixture.advanceTime(15 * MINUTE);
	expect(await trigger.poll()).toMatchObject([{ resourceId: missedId, companyResourceId: id }]);
	expect(await trigger.poll()).toBeNull();
});

test('a record in the lists of a parent and its child is emitted once, for the child', async () => {
	const parent = fixture.getCompany(2);
	const child = fixture.getCompany(3);
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route, companyId }) => {
			if (route !== PHISHING_ROUTE || companyId !== parent.id) return envelope;
			return { data: { results: fixture.standIn.world.getCompanyData(child.id).getCampaigns('phishing') } };
		},
	});
	for (const options of [{ readEachCompany: true, readEachCompanyEvery: 0 }, {}]) {
		const trigger = await fixture.learnThatGlobalListIsComplete(fixture.createPhishingTrigger({ options }));
		const id = fixture.createRecord('phishing', 3);
		expect(await trigger.poll()).toMatchObject([{ resourceId: id, companyResourceId: child.id }]);
		expect(await trigger.poll()).toBeNull();
	}
});

test('a watched list that cannot be read does not affect the others, and its records are emitted later', async () => {
	const trigger = await fixture.learnThatGlobalListIsComplete(
		fixture.createPhishingTrigger({ simulators: ['phishing', 'smishing'] }),
	);
	fixture.standIn.addFault({ kind: 'status-500', route: PHISHING_ROUTE, times: Infinity });
	const missedId = fixture.createRecord('phishing', 0);
	const otherId = fixture.createRecord('smishing', 0);
	expect(getIds(await trigger.poll())).toEqual([otherId]);
	fixture.standIn.clearFaults();
	expect(getIds(await trigger.poll())).toEqual([missedId]);
});

test('a company that does not respond in time is read first in the next poll', async () => {
	const trigger = fixture.createPhishingTrigger({
		options: { readEachCompany: true, readEachCompanyEvery: 0, concurrency: 1 },
	});
	for (const index of [0, 1, 2, 3]) fixture.createRecord('phishing', index, HOUR);
	await trigger.poll();
	// The first poll reads every company's list. The log is emptied, so that it only contains the requests of the next poll.
	expect(new Set(fixture.takeRequestedCompanies(PHISHING_ROUTE).filter(Boolean))).toEqual(
		new Set(fixture.getAllCompanyIds()),
	);
	const newIds = [0, 1, 2, 3].map((index) => fixture.createRecord('phishing', index));
	fixture.standIn.addFault({ kind: 'stall', route: PHISHING_ROUTE, skipCount: 2, times: 1, durationMs: 60_000 });
	const timeoutSpy = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		const controller = new AbortController();
		setTimeout(() => controller.abort(), 700).unref();
		return controller.signal;
	});
	const emittedIds = getIds(await trigger.poll());
	timeoutSpy.mockRestore();
	expect(emittedIds).toHaveLength(2);
	const requestedCompanies = fixture.takeRequestedCompanies(PHISHING_ROUTE);
	const remainingIds = newIds.filter((id) => !emittedIds.includes(id));
	expect(getIds(await trigger.poll()).sort()).toEqual(remainingIds.sort());
	expect(requestedCompanies.slice(0, 2)).not.toContain(fixture.takeRequestedCompanies(PHISHING_ROUTE)[0]);
});

test.each([
	['', {}],
	["also with 'Include Existing Since', ", EMIT_LAST_DAY_OPTIONS],
])(
	'%sa record in no company’s list is only remembered in the first poll, and emitted without a company later',
	async (_, options) => {
		const { world } = fixture.standIn;
		const resellerCampaigns = world.getCompanyData(world.resellerCompany.companyResourceId).getCampaigns('phishing');
		const addResellerCampaign = (resourceId: string) => {
			const [template] = world.getCompanyData(fixture.getCompany(0).id).getCampaigns('phishing');
			const createTime = new Date(fixture.now - HOUR / 2).toISOString();
			if (template) resellerCampaigns.push({ ...template, resourceId, createTime });
		};
		for (const index of [0, 1]) fixture.createRecord('phishing', index, HOUR);
		addResellerCampaign('own-1');
		const trigger = fixture.createPhishingTrigger({ options });
		for (let times = 0; times < 3; times++) expect(getIds(await trigger.poll())).not.toContain('own-1');
		addResellerCampaign('own-2');
		expect(await trigger.poll()).toMatchObject([{ resourceId: 'own-2', companyResourceId: null }]);
		expect(await trigger.poll()).toBeNull();
	},
);

test('if parent and child list a record with different statuses, the status in the child’s list counts', async () => {
	const parent = fixture.getCompany(2);
	const child = fixture.getCompany(3);
	const id = fixture.createRecord('phishing', 3, HOUR);
	let statusInParentList: string | undefined;
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route, companyId }) => {
			if (route !== PHISHING_ROUTE || companyId !== parent.id) return envelope;
			const rows = fixture.standIn.world.getCompanyData(child.id).getCampaigns('phishing');
			return { data: { results: rows.map((row) => ({ ...row, status: statusInParentList ?? row.status })) } };
		},
	});
	const trigger = fixture.createPhishingTrigger({
		triggerOn: 'statusChanged',
		options: { readEachCompany: true, readEachCompanyEvery: 0 },
	});
	await trigger.poll();
	statusInParentList = 'Running';
	fixture.setStatus('phishing', 3, id, 'Completed');
	expect(await trigger.poll()).toMatchObject([{ resourceId: id, status: 'Completed', companyResourceId: child.id }]);
	statusInParentList = undefined;
	expect(await trigger.poll()).toBeNull();
});

test('two changes in a company are emitted once each, even if the company of one record is not known yet', async () => {
	const trigger = await fixture.learnThatGlobalListIsComplete(
		fixture.createPhishingTrigger({ triggerOn: 'statusChanged' }),
	);
	const knownId = String(
		fixture.standIn.world.getCompanyData(fixture.getCompany(1).id).getCampaigns('phishing')[0]?.resourceId,
	);
	const unknownId = fixture.createRecord('phishing', 1);
	expect(await trigger.poll()).toBeNull();
	for (const id of [knownId, unknownId]) fixture.setStatus('phishing', 1, id, 'Completed');
	expect(getIds(await trigger.poll()).sort()).toEqual([knownId, unknownId].sort());
	expect(await trigger.poll()).toBeNull();
});

test('if the platform asks for a wait of one day, the poll stops, and later polls emit the remaining records', async () => {
	const trigger = await fixture.learnThatGlobalListIsComplete(
		fixture.createEnrollmentsTrigger({ options: { readEachCompany: true } }),
	);
	const newIds = [0, 1, 2, 3].map((index) => fixture.createRecord('enrollment', index, MINUTE));
	fixture.standIn.addFault({ kind: 'status-429', route: ENROLLMENTS_ROUTE, retryAfter: '86400', skipCount: 1 });
	const idsOfFirstPoll = getIds(await trigger.poll().catch(() => null));
	fixture.standIn.clearLog();
	fixture.standIn.clearFaults();
	fixture.advanceTime(15 * MINUTE);
	const idsOfSecondPoll = getIds(await trigger.poll());
	expect([...idsOfFirstPoll, ...idsOfSecondPoll].sort()).toEqual([...newIds].sort());
});

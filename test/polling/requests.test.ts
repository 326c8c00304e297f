/** What a poll asks of the service. */
import { HOUR, idsOf, withBudget } from './pollingFixture';
import { ENROLLMENTS, triggerFixture } from './triggerFixture';

const t = triggerFixture();

describe('requests', () => {
	test('one for each list while nothing happens', async () => {
		for (let made = 0; made < 150; made++) t.fixture.create('phishing', made, made * 60_000);
		const active = t.phishing({ simulators: ['phishing', 'smishing', 'quishing'] });
		await active.poll();
		await active.poll();
		t.service.clearLog();
		await active.poll();
		expect(t.service.log.map(({ route }) => route).sort()).toEqual(
			['phishing', 'quishing', 'smishing'].map((each) => `POST /api/${each}-simulator/${each}-campaign/search`),
		);
	});

	test('one for all companies, once it is learnt that their list has everything; whose a new record is, is looked up', async () => {
		for (let made = 0; made < 8; made++) t.fixture.create('enrollment', made);
		const active = t.enrollments();
		await active.poll();
		// One page behind the last, for the counts are not believed the first time.
		expect(t.service.requests(ENROLLMENTS).map(({ companyId }) => companyId)).toEqual([undefined, undefined]);
		await active.poll();
		expect(new Set(t.service.requests(ENROLLMENTS).map(({ companyId }) => companyId))).toEqual(
			new Set([undefined, ...t.service.state.companies.map(({ companyResourceId }) => companyResourceId)]),
		);
		t.service.clearLog();
		expect(await active.poll()).toBeNull();
		expect(t.service.log.map(({ route }) => route)).toEqual([ENROLLMENTS]);
		t.fixture.create('enrollment', 2);
		expect(await active.poll()).toEqual([
			expect.objectContaining({
				kind: 'enrollment',
				companyResourceId: t.fixture.company(2).id,
				companyName: t.fixture.company(2).name,
			}),
		]);
	});

	test('falls back without loss or repetition when a list that was empty turns out to name no company', async () => {
		const active = t.enrollments();
		await active.poll();
		const ids = [0, 1, 2].map((company) => t.fixture.create('enrollment', company, company * HOUR)).reverse();
		expect(idsOf(await active.poll())).toEqual(ids);
		expect(await active.poll()).toBeNull();
		expect(await active.poll()).toBeNull();
	});

	test('a burst is read in full', async () => {
		const active = t.phishing();
		await active.poll();
		const ids = Array.from({ length: 1000 }, (_, index) => t.fixture.create('phishing', index, (1000 - index) * 1000));
		expect(idsOf(await active.poll())).toEqual(ids);
		expect(await active.poll()).toBeNull();
	});

	test("what n8n's time for a poll does not allow is read the next time", async () => {
		const active = t.phishing({ options: { pageSize: 2 } });
		withBudget(active.node, () => 50_000);
		await active.poll();
		const ids = Array.from({ length: 60 }, () => t.fixture.create('phishing', 1, 1000));
		// Seven requests of five seconds take the 70 % of the time that are for reading.
		const read = performance.now.bind(performance);
		let elapsed = 0;
		const clock = jest.spyOn(performance, 'now').mockImplementation(() => read() + elapsed);
		t.service.setOptions({ beforeAnswer: () => (elapsed += 5000) });
		const given: string[][] = [];
		for (let polls = 0; polls < 30 && given.flat().length < ids.length; polls++) given.push(idsOf(await active.poll()));
		expect(given.length).toBeGreaterThan(1);
		expect(given.flat().sort()).toEqual([...ids].sort());
		clock.mockRestore();
		t.service.setOptions({ beforeAnswer: undefined });
		expect(await active.poll()).toBeNull();
	});
});

/** Pages that shift while a poll reads them. */
import { HOUR, idsOf, withBudget } from './pollingFixture';
import { PHISHING, triggerFixture } from './triggerFixture';

const t = triggerFixture();

describe('pages that shift', () => {
	/** Does something before the given request is answered. */
	const before = (request: number, change: () => void) => {
		let passed = 0;
		t.service.setOptions({ beforeAnswer: () => (++passed === request ? change() : undefined) });
	};

	/** Lets the time that a poll has for lists be up with the given request. @returns what makes the clock right again */
	const outOfTimeAt = (request: number) => {
		const read = performance.now.bind(performance);
		const clock = jest.spyOn(performance, 'now');
		before(request, () => clock.mockImplementation(() => read() + 160_000));
		return () => {
			clock.mockRestore();
			t.service.setOptions({ beforeAnswer: undefined });
		};
	};

	test('a record that moves up unnoticed is found in the same poll, for it may be gone at the next', async () => {
		const active = t.phishing({ options: { pageSize: 2 } });
		const oldest = t.fixture.create('phishing', 0, 3 * HOUR);
		await active.poll();
		const ids = [2, 1, 0].map((hours) => t.fixture.create('phishing', 0, hours * HOUR));
		let late = '';
		before(2, () => {
			t.fixture.delete('phishing', 0, ids[2] ?? '');
			// The number of records stays the same.
			late = t.fixture.create('phishing', 0, 2.5 * HOUR);
		});
		expect(idsOf(await active.poll())).toEqual([late, ...ids]);
		t.fixture.delete('phishing', 0, oldest);
		expect(await active.poll()).toBeNull();
	});

	test('pages fixed by nobody grow, so that all is on one that cannot shift', async () => {
		const active = t.phishing();
		await active.poll();
		for (let made = 0; made < 350; made++) t.fixture.create('phishing', made, made * 1000);
		t.service.clearLog();
		expect(await active.poll()).toHaveLength(350);
		const ofAll = t.service.requests(PHISHING).filter(({ companyId }) => companyId === undefined);
		expect(ofAll.map(({ body }) => body)).toMatchObject([
			{ pageSize: 100 },
			{ pageSize: 1000, pageNumber: 1 },
			// Behind new records the service's counts are not believed.
			{ pageSize: 1000, pageNumber: 2 },
		]);
	});

	test('what shows up where a poll that ran out of time had been is found by the poll after the one that goes on from there', async () => {
		const active = t.phishing({ options: { pageSize: 2 } });
		withBudget(active.node, () => 300_000);
		await active.poll();
		const ids = Array.from({ length: 16 }, (_, index) => t.fixture.create('phishing', 0, 60_000 * (20 - index)));
		const again = outOfTimeAt(6);
		const given = idsOf(await active.poll());
		expect(given).toEqual(ids.slice(4));
		again();
		const between = t.fixture.create('phishing', 0, 60_000 * 11.5);
		expect(idsOf(await active.poll())).toEqual(ids.slice(0, 4));
		expect(idsOf(await active.poll())).toEqual([between]);
		expect(await active.poll()).toBeNull();
	});

	test('a first poll that runs out of time does not give the rest later', async () => {
		const active = t.phishing({ options: { pageSize: 2 } });
		for (let made = 0; made < 9; made++) t.fixture.create('phishing', 0, made * 60_000);
		const again = outOfTimeAt(3);
		await active.poll();
		again();
		const id = t.fixture.create('phishing', 0);
		// The next poll goes on where this one stopped.
		expect(await active.poll()).toBeNull();
		expect(idsOf(await active.poll())).toEqual([id]);
		expect(await active.poll()).toBeNull();
	});

	test('one dated in the future that vanishes and comes back long after is not given again', async () => {
		const active = t.phishing();
		await active.poll();
		const ahead = t.fixture.create('phishing', 0, -100 * HOUR);
		expect(idsOf(await active.poll())).toEqual([ahead]);
		const restore = t.fixture.delete('phishing', 0, ahead);
		for (let polls = 0; polls < 3; polls++) {
			t.fixture.pass(30 * HOUR);
			const id = t.fixture.create('phishing', 0);
			expect(idsOf(await active.poll())).toEqual([id]);
		}
		restore();
		expect(await active.poll()).toBeNull();
	});
});

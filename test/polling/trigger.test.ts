/** What a trigger gives: at its first poll, as a test event, for changes of a status, from lists without create times. */
import { DAY, HOUR, idsOf } from './pollingFixture';
import { triggerFixture } from './triggerFixture';

const t = triggerFixture();

describe('the first poll', () => {
	test('remembers what is there and gives nothing', async () => {
		t.fixture.create('phishing', 0, HOUR);
		const active = t.phishing();
		expect(await active.poll()).toBeNull();
		expect(await active.poll()).toBeNull();
		const id = t.fixture.create('phishing', 1);
		expect(await active.poll()).toEqual([
			expect.objectContaining({
				resourceId: id,
				kind: 'phishingCampaign',
				companyResourceId: t.fixture.company(1).id,
				companyName: t.fixture.company(1).name,
			}),
		]);
		expect(await active.poll()).toBeNull();
	});

	test("gives what was created since a date, with 'Emit Existing Since'", async () => {
		t.fixture.create('phishing', 0, 40 * DAY);
		const second = t.fixture.create('phishing', 0, 9 * DAY);
		const third = t.fixture.create('phishing', 1, 2 * DAY);
		const options = { emitExistingSince: new Date(t.fixture.now - 10 * DAY).toISOString() };
		const active = t.phishing({ options });
		expect(idsOf(await active.poll())).toEqual([second, third]);
		expect(await active.poll()).toBeNull();
	});

	test('goes on with another page size, and with the simulators that were there before, when one is added', async () => {
		const active = t.phishing();
		await active.poll();
		t.fixture.create('phishing', 0);
		active.parameters.options = { lateArrivals: 48, pageSize: 7, includeDetails: true };
		expect(await active.poll()).toHaveLength(1);
		t.fixture.create('smishing', 0, HOUR);
		const unchanged = t.fixture.create('phishing', 0);
		active.parameters.simulators = ['phishing', 'smishing'];
		expect(idsOf(await active.poll())).toEqual([unchanged]);
		const id = t.fixture.create('smishing', 0);
		expect(idsOf(await active.poll())).toEqual([id]);
	});
});

describe("'Fetch Test Event'", () => {
	test('gives recent records and leaves what is remembered alone', async () => {
		const active = t.phishing();
		t.fixture.create('phishing', 0, 40 * DAY);
		const id = t.fixture.create('phishing', 1, DAY);
		await active.poll();
		const before = structuredClone(active.memory);
		const items = await active.poll('manual');
		expect(items?.[0]).toMatchObject({
			resourceId: id,
			kind: 'phishingCampaign',
			companyResourceId: t.fixture.company(1).id,
		});
		expect(items).toHaveLength(2);
		expect(active.memory).toEqual(before);
	});

	test('names the company of enrollments too', async () => {
		t.fixture.create('enrollment', 3);
		const items = await t.enrollments().poll('manual');
		expect(items?.[0]).toMatchObject({ kind: 'enrollment', companyResourceId: t.fixture.company(3).id });
		// What the pickers of other nodes take has the same name as in their lists.
		expect(items?.[0]?.enrollmentId).toBe(items?.[0]?.resourceId);
	});

	test("keeps to 'Only Statuses', also beyond the newest five; says so if there is none", async () => {
		const wanted = t.fixture.create('phishing', 0, 2 * DAY);
		t.fixture.setStatus('phishing', 0, wanted, 'Completed');
		for (let hours = 1; hours <= 6; hours++) t.fixture.create('phishing', 0, hours * HOUR);
		const active = t.phishing({ triggerOn: 'statusChanged', statuses: ['completed'] });
		expect(idsOf(await active.poll('manual'))).toEqual([wanted]);
		active.parameters.statuses = ['Error'];
		await expect(active.poll('manual')).rejects.toMatchObject({
			message: 'There are no phishing campaigns yet',
			description: expect.stringContaining("'Only Statuses'"),
		});
	});
});

describe('Status Changed', () => {
	test('gives each change once, of records that were created in the watched days', async () => {
		const old = t.fixture.create('phishing', 0, 33 * DAY);
		const young = t.fixture.create('phishing', 0, 10 * DAY);
		const active = t.phishing({ triggerOn: 'statusChanged' });
		await active.poll();
		t.fixture.create('phishing', 1);
		expect(await active.poll()).toBeNull();
		t.fixture.setStatus('phishing', 0, old, 'Completed');
		t.fixture.setStatus('phishing', 0, young, 'Completed');
		expect(await active.poll()).toEqual([expect.objectContaining({ resourceId: young, status: 'Completed' })]);
		expect(await active.poll()).toBeNull();
	});

	test('gives only changes to chosen statuses', async () => {
		const id = t.fixture.create('phishing', 0);
		const active = t.phishing({ triggerOn: 'statusChanged', statuses: 'completed, Stopped' });
		await active.poll();
		t.fixture.setStatus('phishing', 0, id, 'Scheduled');
		expect(await active.poll()).toBeNull();
		t.fixture.setStatus('phishing', 0, id, 'Completed');
		expect(idsOf(await active.poll())).toEqual([id]);
	});
});

describe('lists without create times', () => {
	test('campaign jobs are told apart by their instance group', async () => {
		const active = t.phishing({ watch: 'jobs' });
		await active.poll();
		t.fixture.create('phishing', 0, 0, { instanceGroups: [1, 2], id: 'both' });
		expect((await active.poll())?.map(({ instanceGroup }) => instanceGroup).sort()).toEqual([1, 2]);
		expect(await active.poll()).toBeNull();
	});

	test('what moves up among the newest 200 as others are deleted is not new', async () => {
		const made = Array.from({ length: 230 }, () => t.fixture.create('phishing', 0));
		const active = t.phishing({
			watch: 'jobs',
			companyScope: 'one',
			company: { __rl: true, mode: 'id', value: t.fixture.company(0).id },
		});
		await active.poll();
		for (const id of made.slice(0, 20)) t.fixture.delete('phishing', 0, id);
		expect(await active.poll()).toBeNull();
	});
});

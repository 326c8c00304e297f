/** Tests lists that change while a poll reads them, so that a record moves to a page that was already read. */
import { isMatch } from 'lodash';
import { DAY, getIds, HOUR } from './pollingFixture';
import { PHISHING_ROUTE, TriggerFixture } from './triggerFixture';

let fixture: TriggerFixture;
beforeAll(async () => {
	fixture = await TriggerFixture.start();
});
beforeEach(() => fixture.reset());
afterEach(() => jest.restoreAllMocks());
afterAll(async () => fixture.standIn.close());

/** Calls `change` when the second page of the first company's list is requested. */
function changeBetweenPages(change: () => void): void {
	fixture.standIn.clearLog();
	fixture.standIn.setOptions({
		beforeResponse: () => {
			const { companyId, body } = fixture.standIn.getRequests(PHISHING_ROUTE).at(-1) ?? {};
			if (companyId !== fixture.getCompany(0).id || !isMatch(body ?? {}, { pageNumber: 2 })) return;
			fixture.standIn.setOptions({ beforeResponse: undefined });
			change();
		},
	});
}

test('a record that moved to another page while the list was read is emitted by the next poll', async () => {
	const trigger = fixture.createPhishingTrigger({ ...fixture.getOneCompanyParameters(0), options: { pageSize: 2 } });
	const deletedId = fixture.createRecord('phishing', 0, HOUR);
	await trigger.poll();
	const movedId = fixture.createRecord('phishing', 0, 23 * HOUR);
	fixture.advanceTime(6 * HOUR);
	const newestId = fixture.createRecord('phishing', 0);
	changeBetweenPages(() => {
		fixture.deleteRecord('phishing', 0, deletedId);
		// The list stays as long as it was, so that the trigger can't notice the change.
		fixture.createRecord('phishing', 0, 40 * DAY);
	});
	expect(getIds(await trigger.poll())).toEqual([newestId]);
	expect(getIds(await trigger.poll())).toEqual([movedId]);
	expect(await trigger.poll()).toBeNull();
});

test('a record that moved in two polls is emitted by the third, although the list of another company did not change', async () => {
	const trigger = fixture.createPhishingTrigger({
		options: { readEachCompany: true, readEachCompanyEvery: 0, pageSize: 2 },
	});
	fixture.createRecord('phishing', 0, HOUR);
	await trigger.poll();
	const movedId = fixture.createRecord('phishing', 0, 20 * HOUR);
	fixture.advanceTime(12 * HOUR);
	for (let times = 0; times < 2; times++) {
		const deletedId = fixture.createRecord('phishing', 0);
		const otherId = fixture.createRecord('phishing', 1);
		changeBetweenPages(() => fixture.deleteRecord('phishing', 0, deletedId));
		expect(getIds(await trigger.poll()).sort()).toEqual([deletedId, otherId].sort());
	}
	expect(await trigger.poll()).toMatchObject([{ resourceId: movedId, companyResourceId: fixture.getCompany(0).id }]);
	expect(await trigger.poll()).toBeNull();
});

/** Tests the error of a trigger whose customer doesn't let its reseller in. */
import { HOUR } from './pollingFixture';
import { PHISHING_ROUTE, TriggerFixture } from './triggerFixture';

let fixture: TriggerFixture;
beforeAll(async () => {
	fixture = await TriggerFixture.start();
});
beforeEach(() => fixture.reset());
afterEach(() => {
	jest.restoreAllMocks();
});
afterAll(async () => fixture.standIn.close());

test('the error names the end of the access window', async () => {
	const trigger = fixture.createPhishingTrigger(fixture.getOneCompanyParameters(0));
	await trigger.poll();
	fixture.standIn.addFault({ kind: 'closed-access', route: PHISHING_ROUTE, times: Infinity });
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route }) => {
			if (route !== 'GET /api/companies/my') return envelope;
			const privacyDurationEndTime = new Date(fixture.now - HOUR).toISOString();
			return { data: [{ resourceId: fixture.getCompany(0).id, privacyDurationEndTime }] };
		},
	});
	await expect(trigger.poll()).rejects.toMatchObject({
		description: expect.stringMatching(/ The access window ended on .+\.$/) as string,
	});
});

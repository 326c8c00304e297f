/** Tests runs in which the platform asks to wait with `Retry-After`, as the docs describe it in docs/running.md, "If something fails". */
import type { ServerResponse } from 'node:http';
import { uniq } from 'lodash';
import { catchNodeError, isFailedItem, parseFailedItem, sendJson, startFakeServer } from '../n8n-core/nodeFixture';
import { pauses, useSimulatedDate } from '../setup/testClock';
import { COMPANY_FROM_ITEM, createEngineRuns, CREATE_COMPANY_GROUP, TARGET_GROUP_SEARCH } from './engineRuns';

useSimulatedDate();

const { fixture, getTargetGroups, createCompanyItems, createGroups } = createEngineRuns(60);

const RETRY_TIME_MESSAGE = /the platform asks to wait until \d+ \w+ \d{4}, \d\d:\d\d \(America\/New_York\)/;

describe('the platform asks to wait a day before the next request', () => {
	test('results are kept, the other items fail at once, and no more requests are sent', async () => {
		const inputItems = createCompanyItems(40);
		fixture.standIn.addFault({ route: TARGET_GROUP_SEARCH, kind: 'status-429', retryAfter: '86400', skipCount: 10 });
		const startedAt = Date.now();
		const run = await getTargetGroups(COMPANY_FROM_ITEM, { items: inputItems, onError: 'continueRegularOutput' });
		expect(Date.now() - startedAt).toBeLessThan(5000);
		const failedItems = run.items.filter(isFailedItem);
		expect(run.items.some((item) => !isFailedItem(item))).toBe(true);
		// Eight requests run at the same time, so at most seven others were sent together with the rejected one.
		expect(fixture.requests.length).toBeLessThanOrEqual(11 + 7);
		expect(new Set(failedItems.map(({ pairedItem }) => JSON.stringify(pairedItem))).size).toBeGreaterThanOrEqual(
			40 - 18,
		);
		for (const item of failedItems) expect(parseFailedItem(item).error.message).toMatch(RETRY_TIME_MESSAGE);
	});

	test('Every Company: one error names the customers that were not read', async () => {
		fixture.standIn.addFault({ route: TARGET_GROUP_SEARCH, kind: 'status-503', retryAfter: '86400', skipCount: 1 });
		const error = await catchNodeError(getTargetGroups({ companyScope: 'every' }));
		expect(error.message).toMatch(RETRY_TIME_MESSAGE);
		expect(error.description).toContain('run the node again for the remaining items');
	});

	test('no write is sent after the one that was rejected', async () => {
		fixture.standIn.addFault({
			route: CREATE_COMPANY_GROUP,
			kind: 'status-429',
			retryAfter: '86400',
			skipCount: 1,
		});
		const { items } = await createGroups(['A', 'B', 'C'], { onError: 'continueRegularOutput' });
		expect(items.map(isFailedItem)).toEqual([false, true, true]);
		expect(fixture.requests.filter(({ route }) => route === CREATE_COMPANY_GROUP)).toHaveLength(2);
	});

	test('a shorter wait that the platform asks for later does not end the longer one', async () => {
		const responses: ServerResponse[] = [];
		const sendRejection = (response: ServerResponse, retryAfter: string) =>
			sendJson(response, 429, { data: null }, { 'retry-after': retryAfter });
		const { credentialStore, requests } = await startFakeServer((_request, response) => {
			responses.push(response);
			const [firstResponse, secondResponse] = responses;
			if (!firstResponse || !secondResponse) return;
			sendRejection(firstResponse, '86400');
			setTimeout(() => sendRejection(secondResponse, '600'), 100);
		});
		const { items } = await getTargetGroups(
			{ ...COMPANY_FROM_ITEM, options: { concurrency: 2 } },
			{ items: createCompanyItems(3), credentialStore, onError: 'continueRegularOutput' },
		);
		const messages = items.map((item) => RETRY_TIME_MESSAGE.exec(parseFailedItem(item).error.message)?.[0]);
		expect(messages).toEqual(Array<unknown>(3).fill(expect.stringMatching(RETRY_TIME_MESSAGE)));
		expect(uniq(messages)).toHaveLength(1);
		expect(requests).toHaveLength(2);
	});
});

test('the platform asks to wait two minutes: the node waits, and the next request succeeds', async () => {
	fixture.standIn.addFault({ route: TARGET_GROUP_SEARCH, kind: 'status-429', retryAfter: '120' });
	const { items } = await getTargetGroups(COMPANY_FROM_ITEM, { items: createCompanyItems(1) });
	expect(items.some(isFailedItem)).toBe(false);
	expect(pauses).toEqual([120_000]);
});

test('the platform asks to wait 0 seconds: the node still waits as long as after any other failure', async () => {
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
	fixture.standIn.addFault({ route: TARGET_GROUP_SEARCH, kind: 'status-429', retryAfter: '0', times: 2 });
	await getTargetGroups(COMPANY_FROM_ITEM, { items: createCompanyItems(1) });
	expect(pauses).toEqual([250, 500]);
});

test('the platform asks to wait a second longer: the run ends at once', async () => {
	fixture.standIn.addFault({ route: TARGET_GROUP_SEARCH, kind: 'status-429', retryAfter: '121' });
	const error = await catchNodeError(getTargetGroups(COMPANY_FROM_ITEM, { items: createCompanyItems(1) }));
	expect(error.message).toMatch(RETRY_TIME_MESSAGE);
	expect(pauses).toEqual([]);
});

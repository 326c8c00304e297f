/** Tests how `runOperations` runs items, independently of the operation. Runs for every company are tested in everyCompany.test.ts. */
import type { OnError } from 'n8n-workflow';
import { z } from 'zod';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import {
	parseFailedItem,
	catchNodeError,
	isFailedItem,
	toItems,
	getJson,
	requireValue,
	createIndexRecords,
	type NodeError,
} from '../n8n-core/nodeFixture';
import { waitUntil } from '../setup/waitUntil';
import {
	LEADERBOARD_EXPORT,
	CREATE_COMPANY_GROUP,
	COMPANY_FROM_ITEM,
	createEngineRuns,
	TARGET_GROUP_SEARCH,
} from './engineRuns';
import { useRealPauses, useSimulatedDate } from '../setup/testClock';

useSimulatedDate();

const { fixture, getCompanyId, getTargetGroups, createCompanyItems, createGroups, getCreatedGroupNames } =
	createEngineRuns(60);

describe('several items', () => {
	test('the output has the order of the input, even if the first items get their responses last', async () => {
		for (let index = 0; index < 12; index++)
			fixture.standIn.addFault({
				route: TARGET_GROUP_SEARCH,
				companyId: getCompanyId(index),
				kind: 'slow',
				durationMs: 100 + 30 * (12 - index),
			});
		const { items } = await getTargetGroups(COMPANY_FROM_ITEM, { items: createCompanyItems(12) });
		const expectedGroups = createIndexRecords(12).flatMap((_json, item) =>
			fixture.standIn.world.getCompanyData(getCompanyId(item)).targetGroups.map(({ name }) => ({ name, item })),
		);
		const actualGroups = items.map(({ json, pairedItem }) => ({
			name: json.name,
			...z.object({ item: z.number() }).parse(pairedItem),
		}));
		const groupNamesByItem = (records: Array<{ name: unknown; item: number }>) =>
			createIndexRecords(12).map((_json, item) =>
				records
					.filter((record) => record.item === item)
					.map(({ name }) => name)
					.sort(),
			);
		expect(actualGroups.map(({ item }) => item)).toEqual(expectedGroups.map(({ item }) => item));
		expect(groupNamesByItem(actualGroups)).toEqual(groupNamesByItem(expectedGroups));
		expect(fixture.maxInFlightCount).toBe(8);
	});

	test('writes are sent one at a time and in order, even if one of them is retried', async () => {
		fixture.standIn.setOptions({ latencyMs: 5 });
		fixture.standIn.addFault({ route: CREATE_COMPANY_GROUP, kind: 'status-429', skipCount: 3, times: 2 });
		const names = createIndexRecords(10).map((_json, index) => `Group ${9 - index}`);
		const { items } = await createGroups(names);
		expect(fixture.requests.map(({ inFlightCount }) => inFlightCount)).toEqual(Array(12).fill(1));
		expect(getCreatedGroupNames()).toEqual(names);
		expect(getJson(items).map(({ name }) => name)).toEqual(names);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(names.map((_name, item) => ({ item })));
	});

	test.each([1, 3, 20])(
		'items, companies and pages together never send more requests at once than Concurrency allows (%d)',
		async (concurrency) => {
			fixture.standIn.setOptions({ latencyMs: 3 * concurrency });
			const onlyCompanies = { nameContains: 'b' };
			const { items } = await getTargetGroups(
				{ companyScope: 'every', onlyCompanies, options: { concurrency, pageSize: 1 } },
				{ items: toItems(...createIndexRecords(3)) },
			);
			expect(items.length).toBeGreaterThan(60);
			expect(fixture.requests.length).toBeGreaterThan(60);
			expect(fixture.maxInFlightCount).toBeLessThanOrEqual(concurrency);
			expect(fixture.maxInFlightCount).toBeGreaterThan(concurrency / 2);
		},
	);

	test('no request is sent after the node has ended', async () => {
		const route = 'POST /api/companies/search';
		fixture.standIn.addFault({ route, kind: 'html-200', pageNumber: 2 });
		fixture.standIn.addFault({ route, kind: 'slow', durationMs: 60, times: Infinity, skipCount: 1 });
		await catchNodeError(
			fixture.run(SecurityAwarenessCompany, {
				operation: 'getMany',
				returnAll: true,
				options: { pageSize: 2, concurrency: 10 },
			}),
		);
		await fixture.run(SecurityAwarenessCompany, { operation: 'getOwn' });
		// When the second page fails, at most ten requests are in flight. No other page is requested after that.
		expect(fixture.standIn.getRequests(route).length).toBeLessThanOrEqual(12);
	});
});

describe('one item fails', () => {
	const createItemsWithUnknownCompany = () => {
		const [firstItem, secondItem, thirdItem] = createCompanyItems(3);
		return [
			requireValue(firstItem),
			{ json: { ...requireValue(secondItem).json, id: 'nobody' } },
			requireValue(thirdItem),
		];
	};
	const countTargetGroups = (index: number) =>
		fixture.standIn.world.getCompanyData(getCompanyId(index)).targetGroups.length;
	const message = "Could not get target groups for 'nobody': the platform refused access (403) [item 2 of 3]";
	const error = {
		message,
		description: expect.stringContaining('The platform says: You are not authorized to act for this company.'),
		httpCode: 403,
		companyResourceId: 'nobody',
		companyName: '',
	};

	test('stop: the error of the item, with its number, is thrown', async () => {
		const thrown = await catchNodeError(getTargetGroups(COMPANY_FROM_ITEM, { items: createItemsWithUnknownCompany() }));
		expect(thrown).toMatchObject({ message, httpCode: '403', context: {} });
		expect(thrown.description).toContain('You are not authorized');
	});

	test('continue: an error item replaces the results of the failed item, and the other results are kept', async () => {
		const result = await getTargetGroups(COMPANY_FROM_ITEM, {
			items: createItemsWithUnknownCompany(),
			onError: 'continueRegularOutput',
		});
		expect(result.items.map(isFailedItem)).toEqual([
			...Array(countTargetGroups(0)).fill(false),
			true,
			...Array(countTargetGroups(2)).fill(false),
		]);
		expect(result.items[countTargetGroups(0)]).toEqual({
			json: { companyResourceId: 'nobody', error, message },
			pairedItem: { item: 1 },
		});
	});

	test('error output: the failed input item comes out there, with the error added to its fields', async () => {
		const result = await getTargetGroups(COMPANY_FROM_ITEM, {
			items: createItemsWithUnknownCompany(),
			onError: 'continueErrorOutput',
		});
		expect(result.items).toHaveLength(countTargetGroups(0) + countTargetGroups(2));
		expect(result.errorItems).toEqual([{ json: { index: 1, id: 'nobody', error, message }, pairedItem: { item: 1 } }]);
	});

	test.each<[OnError, string[]]>([
		['stopWorkflow', ['A']],
		['continueRegularOutput', ['A', 'C']],
		['continueErrorOutput', ['A', 'C']],
	])('the second of three writes fails (%s): %j are created', async (onError, expectedGroups) => {
		fixture.standIn.addFault({ route: CREATE_COMPANY_GROUP, kind: 'status-500', skipCount: 1 });
		const run = createGroups(['A', 'B', 'C'], { onError });
		if (onError === 'stopWorkflow') expect((await catchNodeError(run)).message).toMatch(/ \[item 2 of 3\]$/);
		else await run;
		expect(getCreatedGroupNames()).toEqual(expectedGroups);
	});

	test('an expression that cannot be evaluated is only an error of its own item', async () => {
		const limit = '={{ $json.index === 1 ? $json.nothing.there : 1 }}';
		const result = await getTargetGroups(
			{ companyScope: 'own', returnAll: false, limit },
			{ items: toItems(...createIndexRecords(3)), onError: 'continueRegularOutput' },
		);
		expect(result.items.map(isFailedItem)).toEqual([false, true, false]);
		expect(parseFailedItem(result.items[1]).message).toMatch(/\[item 2 of 3\]$/);
	});

	test('a company name that contains the names of system errors is shown unchanged', async () => {
		const company = { mode: 'list', value: 'nobody', cachedResultName: 'EACCES Permission ENOENT Ltd' };
		const thrown = await catchNodeError(getTargetGroups({ companyScope: 'one', company }));
		expect(thrown.message).toBe(
			"Could not get target groups for 'EACCES Permission ENOENT Ltd': the platform refused access (403)",
		);
	});
});

describe('the user stops the run', () => {
	const expectStopped = (error: NodeError) =>
		expect(error.message).toMatch(/: the run was stopped( \[item \d+ of \d+\])?$/);

	test.each<[string, OnError]>([
		['stop', 'stopWorkflow'],
		['continue', 'continueRegularOutput'],
		['error output', 'continueErrorOutput'],
	])('while it waits for a retry: it ends at once (%s)', async (_name, onError) => {
		useRealPauses();
		fixture.standIn.addFault({ route: TARGET_GROUP_SEARCH, kind: 'status-429', retryAfter: '60', times: Infinity });
		const controller = new AbortController();
		const run = catchNodeError(
			getTargetGroups(COMPANY_FROM_ITEM, { items: createCompanyItems(20), signal: controller.signal, onError }),
		);
		await waitUntil(
			'eight requests have responses',
			() => fixture.requests.filter(({ status }) => status === 429).length >= 8,
		);
		const startedAt = Date.now();
		const requestCount = fixture.requests.length;
		controller.abort();
		expectStopped(await run);
		expect(Date.now() - startedAt).toBeLessThan(1000);
		expect(fixture.requests).toHaveLength(requestCount);
	});

	test.each([
		[
			'items',
			8,
			async (signal: AbortSignal) => getTargetGroups(COMPANY_FROM_ITEM, { items: createCompanyItems(30), signal }),
		],
		['companies', 9, async (signal: AbortSignal) => getTargetGroups({ companyScope: 'every' }, { signal })],
		[
			'pages',
			9,
			async (signal: AbortSignal) =>
				fixture.run(
					SecurityAwarenessCompany,
					{ operation: 'getMany', returnAll: true, options: { pageSize: 2 } },
					{ signal },
				),
		],
		['writes', 1, async (signal: AbortSignal) => createGroups(['A', 'B', 'C'], { signal })],
	] as const)('in the middle of %s: no more requests are sent', async (_name, requestCountBefore, startRun) => {
		// The requests in flight never end. If another request is sent after the abort, the test fails.
		fixture.standIn.addFault({ kind: 'stall', times: Infinity, skipCount: requestCountBefore === 9 ? 1 : 0 });
		const controller = new AbortController();
		const run = catchNodeError(startRun(controller.signal));
		await waitUntil(
			'the maximum number of requests is in flight',
			() => fixture.requests.length === requestCountBefore,
		);
		const startedAt = Date.now();
		controller.abort();
		expectStopped(await run);
		expect(Date.now() - startedAt).toBeLessThan(1000);
		expect(fixture.requests).toHaveLength(requestCountBefore);
	});

	test('while the companies are listed: the run ends even if the node continues on failure', async () => {
		fixture.standIn.addFault({ route: 'POST /api/companies/search', kind: 'stall', times: Infinity });
		const controller = new AbortController();
		const onError = 'continueRegularOutput';
		const run = catchNodeError(getTargetGroups({ companyScope: 'every' }, { signal: controller.signal, onError }));
		await waitUntil('the companies are requested', () => fixture.requests.length === 1);
		controller.abort();
		expectStopped(await run);
	});

	test('before the run has started: no request is sent', async () => {
		const run = getTargetGroups(COMPANY_FROM_ITEM, { items: createCompanyItems(3), signal: AbortSignal.abort() });
		await run.catch(() => undefined);
		expect(fixture.requests).toEqual([]);
	});

	test('in the middle of a download: the run ends at once, without a file', async () => {
		fixture.standIn.addFault({ route: LEADERBOARD_EXPORT, kind: 'stall-body' });
		const controller = new AbortController();
		const run = catchNodeError(
			fixture.run(
				SecurityAwarenessLeaderboard,
				{ operation: 'export', companyScope: 'own' },
				{ signal: controller.signal },
			),
		);
		await waitUntil('half of the file is sent', () => (fixture.requests[0]?.bytesSent ?? 0) > 0);
		const startedAt = Date.now();
		controller.abort();
		expectStopped(await run);
		expect(Date.now() - startedAt).toBeLessThan(1000);
	});
});

test('an item that fails stops the node at once and cancels the reads of the other items', async () => {
	fixture.standIn.addFault({
		route: TARGET_GROUP_SEARCH,
		companyId: getCompanyId(0),
		kind: 'forbidden-company',
		skipCount: 1,
	});
	fixture.standIn.addFault({
		route: TARGET_GROUP_SEARCH,
		companyId: getCompanyId(1),
		kind: 'status-429',
		retryAfter: '60',
		times: Infinity,
	});
	useRealPauses();
	const items = [1, 0, 0].map((index) => ({ json: { id: getCompanyId(index) } }));
	const startedAt = Date.now();
	const error = await catchNodeError(getTargetGroups(COMPANY_FROM_ITEM, { items }));
	expect(error.message).toMatch(/the platform refused access \(403\) \[item [23] of 3\]$/);
	expect(Date.now() - startedAt).toBeLessThan(5000);
	expect(fixture.requests).toHaveLength(3);
});

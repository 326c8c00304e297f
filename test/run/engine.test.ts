/** What the engine does with items, whatever the operation; with companies: everyCompany. */
import type { OnError } from 'n8n-workflow';
import { z } from 'zod';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { parseFailedItem, catchNodeError, isFailedItem, toItems, getJson, requireValue, createIndexRecords, type NodeError } from '../n8n-core/nodeFixture';
import { waitUntil } from '../setup/waitUntil';
import { BOARD, CREATE, each, engineRuns, GROUPS } from './engineRuns';
import { useSimulatedClock } from '../setup/turnedClock';

useSimulatedClock();

const { b, companyId, targetGroups, companyItems, createGroups, made } = engineRuns(60);

describe('items', () => {
	test('come out in their order, each paired, though the first are answered last', async () => {
		for (let index = 0; index < 12; index++)
			b.standIn.addFault({ route: GROUPS, companyId: companyId(index), kind: 'slow', durationMs: 10 + 15 * (12 - index) });
		const { items } = await targetGroups(each, { items: companyItems(12) });
		const expected = createIndexRecords(12).flatMap((_json, item) =>
			b.standIn.state.getCompanyData(companyId(item)).targetGroups.map(({ name }) => ({ name, item })),
		);
		const shown = items.map(({ json, pairedItem }) => ({
			name: json.name,
			...z.object({ item: z.number() }).parse(pairedItem),
		}));
		const byItem = (records: Array<{ name: unknown; item: number }>) =>
			createIndexRecords(12).map((_json, item) =>
				records
					.filter((record) => record.item === item)
					.map(({ name }) => name)
					.sort(),
			);
		expect(shown.map(({ item }) => item)).toEqual(expected.map(({ item }) => item));
		expect(byItem(shown)).toEqual(byItem(expected));
		expect(b.maxInFlightCount).toBe(8);
	});

	test('that write go one at a time, in their order, also where one has to be repeated', async () => {
		b.standIn.setOptions({ latencyMs: 5 });
		b.standIn.addFault({ route: CREATE, kind: 'status-429', skipCount: 3, times: 2 });
		const names = createIndexRecords(10).map((_json, index) => `Group ${9 - index}`);
		const { items } = await createGroups(names);
		expect(b.requests.map(({ inFlight }) => inFlight)).toEqual(Array(12).fill(1));
		expect(made()).toEqual(names);
		expect(getJson(items).map(({ name }) => name)).toEqual(names);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(names.map((_name, item) => ({ item })));
	});

	test.each([1, 3, 20])(
		'never ask more at once than Concurrency allows (%d), over items, companies and pages',
		async (concurrency) => {
			b.standIn.setOptions({ latencyMs: 3 * concurrency });
			const onlyCompanies = { nameContains: 'b' };
			const { items } = await targetGroups(
				{ companyScope: 'every', onlyCompanies, options: { concurrency, pageSize: 1 } },
				{ items: toItems(...createIndexRecords(3)) },
			);
			expect(items.length).toBeGreaterThan(60);
			expect(b.requests.length).toBeGreaterThan(60);
			expect(b.maxInFlightCount).toBeLessThanOrEqual(concurrency);
			expect(b.maxInFlightCount).toBeGreaterThan(concurrency / 2);
		},
	);

	test('ask nothing more once the node has ended', async () => {
		const route = 'POST /api/companies/search';
		b.standIn.addFault({ route, kind: 'html-200', pageNumber: 2 });
		b.standIn.addFault({ route, kind: 'slow', durationMs: 60, times: Infinity, skipCount: 1 });
		await catchNodeError(
			b.run(SecurityAwarenessCompany, {
				operation: 'getMany',
				returnAll: true,
				options: { pageSize: 2, concurrency: 10 },
			}),
		);
		await b.run(SecurityAwarenessCompany, { operation: 'getOwn' });
		// Twenty pages are needed; only those that had a free slot when the second one failed were sent.
		expect(b.standIn.getRequests(route).length).toBeLessThanOrEqual(12);
	});
});

describe('one item fails', () => {
	const items = () => {
		const [first, second, third] = companyItems(3);
		return [requireValue(first), { json: { ...requireValue(second).json, id: 'nobody' } }, requireValue(third)];
	};
	const of = (index: number) => b.standIn.state.getCompanyData(companyId(index)).targetGroups.length;
	const message = "Could not get target groups for 'nobody': access was refused (403) [item 1]";
	const error = {
		message,
		description: expect.stringContaining('The service says: You are not authorized to act for this company.'),
		httpCode: 403,
		companyResourceId: 'nobody',
		companyName: '',
	};

	test('stop: its error, with the item', async () => {
		const thrown = await catchNodeError(targetGroups(each, { items: items() }));
		expect(thrown).toMatchObject({ message, httpCode: '403', context: { itemIndex: 1 } });
		expect(thrown.description).toContain('You are not authorized');
	});

	test('continue: an error in its place, the results of the others around it', async () => {
		const result = await targetGroups(each, { items: items(), onError: 'continueRegularOutput' });
		expect(result.items.map(isFailedItem)).toEqual([...Array(of(0)).fill(false), true, ...Array(of(2)).fill(false)]);
		expect(result.items[of(0)]).toEqual({
			json: { companyResourceId: 'nobody', error, message },
			pairedItem: { item: 1 },
		});
	});

	test('error output: the item itself with the error beside its fields', async () => {
		const result = await targetGroups(each, { items: items(), onError: 'continueErrorOutput' });
		expect(result.items).toHaveLength(of(0) + of(2));
		expect(result.errors).toEqual([{ json: { index: 1, id: 'nobody', error, message }, pairedItem: { item: 1 } }]);
	});

	test.each<[OnError, string[]]>([
		['stopWorkflow', ['A']],
		['continueRegularOutput', ['A', 'C']],
		['continueErrorOutput', ['A', 'C']],
	])('of three writes the second (%s): made are %j', async (onError, expected) => {
		b.standIn.addFault({ route: CREATE, kind: 'status-500', skipCount: 1 });
		const run = createGroups(['A', 'B', 'C'], { onError });
		if (onError === 'stopWorkflow') expect((await catchNodeError(run)).message).toMatch(/ \[item 1\]$/);
		else await run;
		expect(made()).toEqual(expected);
	});

	test('an expression that cannot be worked out is an error of its own item', async () => {
		const limit = '={{ $json.index === 1 ? $json.nothing.there : 1 }}';
		const result = await targetGroups(
			{ companyScope: 'own', returnAll: false, limit },
			{ items: toItems(...createIndexRecords(3)), onError: 'continueRegularOutput' },
		);
		expect(result.items.map(isFailedItem)).toEqual([false, true, false]);
		expect(parseFailedItem(result.items[1]).message).toMatch(/\[item 1\]$/);
	});

	test('a name with the letters of a system error stays what it is', async () => {
		const company = { mode: 'list', value: 'nobody', cachedResultName: 'EACCES Permission ENOENT Ltd' };
		const thrown = await catchNodeError(targetGroups({ companyScope: 'one', company }));
		expect(thrown.message).toBe(
			"Could not get target groups for 'EACCES Permission ENOENT Ltd': access was refused (403)",
		);
	});
});

describe('stopped by the person', () => {
	const stopped = (error: NodeError) => expect(error.message).toMatch(/: the run was stopped( \[item \d+\])?$/);

	test.each<[string, OnError]>([
		['stop', 'stopWorkflow'],
		['continue', 'continueRegularOutput'],
		['error output', 'continueErrorOutput'],
	])('while it waits for the service to be ready again: ends at once (%s)', async (_name, onError) => {
		b.standIn.addFault({ route: GROUPS, kind: 'status-429', retryAfter: '60', times: Infinity });
		const controller = new AbortController();
		const run = catchNodeError(targetGroups(each, { items: companyItems(20), signal: controller.signal, onError }));
		await waitUntil('eight requests are answered', () => b.requests.filter(({ status }) => status === 429).length >= 8);
		const at = Date.now();
		const asked = b.requests.length;
		controller.abort();
		stopped(await run);
		expect(Date.now() - at).toBeLessThan(1000);
		expect(b.requests).toHaveLength(asked);
	});

	test.each([
		['items', 8, async (signal: AbortSignal) => targetGroups(each, { items: companyItems(30), signal })],
		['companies', 9, async (signal: AbortSignal) => targetGroups({ companyScope: 'every' }, { signal })],
		[
			'pages',
			9,
			async (signal: AbortSignal) =>
				b.run(
					SecurityAwarenessCompany,
					{ operation: 'getMany', returnAll: true, options: { pageSize: 2 } },
					{ signal },
				),
		],
		['writes', 1, async (signal: AbortSignal) => createGroups(['A', 'B', 'C'], { signal })],
	] as const)('in the middle of %s: nothing more is asked', async (_name, askedBefore, start) => {
		// Those in flight stay there, so what comes after them could only come because of a mistake.
		b.standIn.addFault({ kind: 'stall', times: Infinity, skipCount: askedBefore === 9 ? 1 : 0 });
		const controller = new AbortController();
		const run = catchNodeError(start(controller.signal));
		await waitUntil('all that may be in flight is', () => b.requests.length === askedBefore);
		const at = Date.now();
		controller.abort();
		stopped(await run);
		expect(Date.now() - at).toBeLessThan(1000);
		expect(b.requests).toHaveLength(askedBefore);
	});

	test('while the companies are listed: ends so, also where the node continues on errors', async () => {
		b.standIn.addFault({ route: 'POST /api/companies/search', kind: 'stall', times: Infinity });
		const controller = new AbortController();
		const onError = 'continueRegularOutput';
		const run = catchNodeError(targetGroups({ companyScope: 'every' }, { signal: controller.signal, onError }));
		await waitUntil('the companies are asked for', () => b.requests.length === 1);
		controller.abort();
		stopped(await run);
	});

	test('before it began: nothing is asked', async () => {
		const run = targetGroups(each, { items: companyItems(3), signal: AbortSignal.abort() });
		await run.catch(() => undefined);
		expect(b.requests).toEqual([]);
	});

	test('in the middle of a file: ends at once, without the file', async () => {
		b.standIn.addFault({ route: BOARD, kind: 'stall-body' });
		const controller = new AbortController();
		const run = catchNodeError(
			b.run(SecurityAwarenessLeaderboard, { operation: 'export', companyScope: 'own' }, { signal: controller.signal }),
		);
		await waitUntil('half of the file is sent', () => (b.requests[0]?.bytesSent ?? 0) > 0);
		const at = Date.now();
		controller.abort();
		stopped(await run);
		expect(Date.now() - at).toBeLessThan(1000);
	});
});

test('an item that fails stops the node at once: what is still read for others is given up', async () => {
	b.standIn.addFault({ route: GROUPS, companyId: companyId(0), kind: 'forbidden-company', skipCount: 1 });
	b.standIn.addFault({ route: GROUPS, companyId: companyId(1), kind: 'status-429', retryAfter: '60', times: Infinity });
	const items = [1, 0, 0].map((index) => ({ json: { id: companyId(index) } }));
	const at = Date.now();
	const error = await catchNodeError(targetGroups(each, { items }));
	expect(error.message).toMatch(/access was refused \(403\) \[item [12]\]$/);
	expect(Date.now() - at).toBeLessThan(5000);
	expect(b.requests).toHaveLength(3);
});

describe('the platform asks for a wait of a day', () => {
	const until = /the platform allows requests again at \d+ \w+ \d{4}, \d\d:\d\d \(America\/New_York\)/;

	test('results stay, the other items fail at once, and no more requests are sent', async () => {
		const asked = companyItems(40);
		b.standIn.addFault({ route: GROUPS, kind: 'status-429', retryAfter: '86400', skipCount: 10 });
		const at = Date.now();
		const run = await targetGroups(each, { items: asked, onError: 'continueRegularOutput' });
		expect(Date.now() - at).toBeLessThan(5000);
		const failed = run.items.filter(isFailedItem);
		expect(run.items.some((item) => !isFailedItem(item))).toBe(true);
		// Eight requests run at the same time, so at most seven others were sent together with the refused one.
		expect(b.requests.length).toBeLessThanOrEqual(11 + 7);
		expect(new Set(failed.map(({ pairedItem }) => JSON.stringify(pairedItem))).size).toBeGreaterThanOrEqual(40 - 18);
		for (const item of failed) expect(parseFailedItem(item).error.message).toMatch(until);
	});

	test('Every Company: one error names the customers that were not read', async () => {
		b.standIn.addFault({ route: GROUPS, kind: 'status-503', retryAfter: '86400', skipCount: 1 });
		const error = await catchNodeError(targetGroups({ companyScope: 'every' }));
		expect(error.message).toMatch(until);
		expect(error.description).toContain('run the node again with what is left');
	});

	test('of several writes, none is sent after the one that was refused', async () => {
		b.standIn.addFault({ route: 'POST /api/company-groups', kind: 'status-429', retryAfter: '86400', skipCount: 1 });
		const { items } = await createGroups(['A', 'B', 'C'], { onError: 'continueRegularOutput' });
		expect(items.map(isFailedItem)).toEqual([false, true, true]);
		expect(b.requests.filter(({ route }) => route === 'POST /api/company-groups')).toHaveLength(2);
	});

	test('the node waits up to two minutes', async () => {
		b.standIn.addFault({ route: GROUPS, kind: 'status-429', retryAfter: '1' });
		const { items } = await targetGroups(each, { items: companyItems(1) });
		expect(items.some(isFailedItem)).toBe(false);
	});
});

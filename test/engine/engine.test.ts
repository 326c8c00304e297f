/** What the engine does with items and companies, whatever the operation. PRINT=1 shows a run for 500 companies. */
import type { IDataObject, OnError } from 'n8n-workflow';
import { z } from 'zod';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { sample } from '../setup/depth';
import {
	nodeFixture,
	bodyOf,
	failedItem,
	failureOf,
	hintsOf,
	isFailed,
	itemsOf,
	jsonOf,
	textOf,
	the,
	times,
	type NodeError,
	type RunMore,
} from '../n8n-core/nodeFixture';
import { waitUntil } from '../setup/waitUntil';
import { turnClock } from '../setup/turnedClock';

const print = process.env.PRINT === '1';
const b = nodeFixture({ companies: print ? 500 : 60 });
turnClock();
const GROUPS = 'POST /api/target-groups/search/current-company';
const BOARD = 'POST /api/leaderboard/get-all/export';
const CREATE = 'POST /api/company-groups';
const companies = () => b.service.state.companies;
const companyId = (index: number) => the(companies()[index]).companyResourceId;

const targetGroups = async (parameters: IDataObject, more?: RunMore) =>
	await b.run(SecurityAwarenessTargetGroup, { operation: 'getMany', returnAll: true, ...parameters }, more);
/** Target groups of the company that each item names. */
const each = { companyScope: 'one', company: { mode: 'id', value: '={{ $json.id }}' } };
const companyItems = (count: number) =>
	itemsOf(...times(count).map((json, index) => ({ ...json, id: companyId(index) })));
const createGroups = async (names: string[], more: RunMore = {}) =>
	await b.run(
		SecurityAwarenessCompanyGroup,
		{ operation: 'create', name: '={{ $json.name }}', participantsFrom: 'none' },
		{ items: itemsOf(...names.map((name) => ({ name }))), ...more },
	);
const made = () => b.service.state.groups.slice(30).map(({ name }) => name);

describe('items', () => {
	test('come out in their order, each paired, though the first are answered last', async () => {
		for (let index = 0; index < 12; index++)
			b.service.fault({ route: GROUPS, company: companyId(index), kind: 'slow', ms: 10 + 15 * (12 - index) });
		const { items } = await targetGroups(each, { items: companyItems(12) });
		const expected = times(12).flatMap((_json, item) =>
			b.service.state.of(companyId(item)).targetGroups.map(({ name }) => ({ name, item })),
		);
		const shown = items.map(({ json, pairedItem }) => ({
			name: json.name,
			...z.object({ item: z.number() }).parse(pairedItem),
		}));
		const byItem = (records: Array<{ name: unknown; item: number }>) =>
			times(12).map((_json, item) =>
				records
					.filter((record) => record.item === item)
					.map(({ name }) => name)
					.sort(),
			);
		expect(shown.map(({ item }) => item)).toEqual(expected.map(({ item }) => item));
		expect(byItem(shown)).toEqual(byItem(expected));
		expect(b.mostInFlight).toBe(8);
	});

	test('that write go one at a time, in their order, also where one has to be repeated', async () => {
		b.service.setOptions({ latencyMs: 5 });
		b.service.fault({ route: CREATE, kind: 'status-429', after: 3, times: 2 });
		const names = times(10).map((_json, index) => `Group ${9 - index}`);
		const { items } = await createGroups(names);
		expect(b.asked.map(({ inFlight }) => inFlight)).toEqual(Array(12).fill(1));
		expect(made()).toEqual(names);
		expect(jsonOf(items).map(({ name }) => name)).toEqual(names);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(names.map((_name, item) => ({ item })));
	});

	test.each(sample([1, 3, 20], 1))(
		'never ask more at once than Concurrency allows (%d), over items, companies and pages',
		async (concurrency) => {
			b.service.setOptions({ latencyMs: 3 * concurrency });
			const companyFilter = { nameContains: 'b' };
			const { items } = await targetGroups(
				{ companyScope: 'every', companyFilter, options: { concurrency, pageSize: 1 } },
				{ items: itemsOf(...times(3)) },
			);
			expect(items.length).toBeGreaterThan(60);
			expect(b.asked.length).toBeGreaterThan(60);
			expect(b.mostInFlight).toBeLessThanOrEqual(concurrency);
			expect(b.mostInFlight).toBeGreaterThan(concurrency / 2);
		},
	);

	test('ask nothing more once the node has ended', async () => {
		const route = 'POST /api/companies/search';
		b.service.fault({ route, kind: 'status-500', page: 2 });
		b.service.fault({ route, kind: 'slow', ms: 60, times: Infinity, after: 1 });
		await failureOf(
			b.run(SecurityAwarenessCompany, {
				operation: 'getMany',
				returnAll: true,
				options: { pageSize: 2, concurrency: 10 },
			}),
		);
		const asked = b.asked.length;
		// Twenty pages were to come; sent were those that had a place when the second one failed.
		expect(asked).toBeLessThanOrEqual(12);
		await b.run(SecurityAwarenessCompany, { operation: 'getOwn' });
		expect(b.asked.slice(asked).map(({ route }) => route)).toEqual(['GET /api/companies/my']);
	});
});

describe('one item fails', () => {
	const items = () => {
		const [first, second, third] = companyItems(3);
		return [the(first), { json: { ...the(second).json, id: 'nobody' } }, the(third)];
	};
	const of = (index: number) => b.service.state.of(companyId(index)).targetGroups.length;
	const message = "Could not get many target groups for 'nobody': access was refused (403) [item 1]";
	const error = {
		message,
		description: expect.stringContaining('The service says: You are not authorized to act for this company.'),
		httpCode: 403,
		companyResourceId: 'nobody',
		companyName: '',
	};

	test('stop: its error, with the item', async () => {
		const thrown = await failureOf(targetGroups(each, { items: items() }));
		expect(thrown).toMatchObject({ message, httpCode: '403', context: { itemIndex: 1 } });
		expect(thrown.description).toContain('You are not authorized');
	});

	test('continue: an error in its place, the results of the others around it', async () => {
		const result = await targetGroups(each, { items: items(), onError: 'continueRegularOutput' });
		expect(result.items.map(isFailed)).toEqual([...Array(of(0)).fill(false), true, ...Array(of(2)).fill(false)]);
		expect(result.items[of(0)]).toEqual({ json: { error, message }, pairedItem: { item: 1 } });
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
		b.service.fault({ route: CREATE, kind: 'status-500', after: 1 });
		const run = createGroups(['A', 'B', 'C'], { onError });
		if (onError === 'stopWorkflow') expect((await failureOf(run)).message).toMatch(/ \[item 1\]$/);
		else await run;
		expect(made()).toEqual(expected);
	});

	test('an expression that cannot be worked out is an error of its own item', async () => {
		const limit = '={{ $json.index === 1 ? $json.nothing.there : 1 }}';
		const result = await targetGroups(
			{ companyScope: 'own', returnAll: false, limit },
			{ items: itemsOf(...times(3)), onError: 'continueRegularOutput' },
		);
		expect(result.items.map(isFailed)).toEqual([false, true, false]);
		expect(failedItem(result.items[1]).message).toMatch(/\[item 1\]$/);
	});

	test('a name with the letters of a system error stays what it is', async () => {
		const company = { mode: 'list', value: 'nobody', cachedResultName: 'EACCES Permission ENOENT Ltd' };
		const thrown = await failureOf(targetGroups({ companyScope: 'one', company }));
		expect(thrown.message).toBe(
			"Could not get many target groups for 'EACCES Permission ENOENT Ltd': access was refused (403)",
		);
	});
});

describe.each([
	[
		'leaderboard',
		BOARD,
		async (more: RunMore) =>
			await b.run(
				SecurityAwarenessLeaderboard,
				{ operation: 'export', companyScope: 'every', options: { timeout: 20 } },
				more,
			),
	],
	['target groups', GROUPS, async (more: RunMore) => await targetGroups({ companyScope: 'every' }, more)],
] as const)('%s for every company, three of which fail', (name, route, run) => {
	const FAILING = [7, 20, 33];
	const ids = () => FAILING.map(companyId);
	const namesOf = (some: string[]) =>
		some.map((id) => textOf(companies().find(({ companyResourceId }) => companyResourceId === id)?.companyName));
	const purpose = name === 'leaderboard' ? 'export leaderboard' : 'get many target groups';
	const reasons = [
		'access was refused (403)',
		'the service is having trouble (500)',
		'the connection was cut before the answer was complete',
	];
	/** In the order of the run, which is that of the names. */
	const inOrder = (asked: string[]) =>
		companies()
			.map(({ companyResourceId }) => companyResourceId)
			.filter((id) => asked.includes(id));
	beforeEach(() => {
		const [refused, broken, reset] = ids();
		b.service.fault({ route, company: the(refused), kind: 'forbidden-company', times: Infinity });
		b.service.fault({ route, company: the(broken), kind: 'status-500', times: Infinity });
		b.service.fault({ route, company: the(reset), kind: 'reset-before', times: Infinity });
	});
	const expectAllTried = () => {
		const asked = b.service.requests(route).map(({ companyId: id }) => textOf(id));
		expect(inOrder(asked)).toHaveLength(companies().length);
		expect(ids().map((id) => asked.filter((each) => each === id).length)).toEqual([1, 1, 5]);
	};
	const messageOf = (id: string) => `Could not ${purpose} for '${namesOf([id]).join()}': ${reasons[ids().indexOf(id)]}`;

	test('stop: one error after all had their turn, with who failed and who did not', async () => {
		const error = await failureOf(run({}));
		show(name, 'stop', { error });
		expectAllTried();
		const { failed, succeeded } = z
			.object({ failed: z.array(z.string()), succeeded: z.array(z.string()) })
			.parse(error.context.companies);
		expect([...failed].sort()).toEqual(ids().sort());
		expect(inOrder([...failed, ...succeeded])).toHaveLength(companies().length);
		expect(error.message).toBe(
			`Could not ${purpose}: 3 of ${companies().length} companies did not work: ${namesOf(failed).join(', ')}`,
		);
		const lines = textOf(error.description).split('\n');
		expect(lines.slice(0, 3)).toEqual(failed.map(messageOf));
		expect(lines.at(-1)).toMatch(
			new RegExp(
				`^It worked for ${companies().length - 3}: .+ and ${companies().length - 23} more\\. To keep their results, set 'On Error'`,
			),
		);
	});

	test('continue: an error each in its place, the results of all others', async () => {
		const result = await run({ onError: 'continueRegularOutput' });
		show(name, 'continue', result);
		expectAllTried();
		const failed = result.items.filter(isFailed);
		expect(failed).toHaveLength(3);
		for (const item of failed) {
			const { companyResourceId, companyName } = z
				.object({ companyResourceId: z.string(), companyName: z.string() })
				.parse(item.json);
			expect(failedItem({ json: { error: item.json.error, message: item.json.message } })).toMatchObject({
				message: messageOf(companyResourceId),
				error: { companyResourceId, companyName },
			});
			expect(item.pairedItem).toEqual({ item: 0 });
			expect(item.binary).toBeUndefined();
		}
		const succeeded = new Set(result.items.filter((item) => !isFailed(item)).map(({ json }) => json.companyResourceId));
		expect(succeeded.size).toBe(companies().length - 3);
		// The order is that of the companies: an error stands where its company's result would.
		const order = [...new Set(result.items.map(({ json }) => textOf(json.companyResourceId)))];
		b.service.clearFaults();
		const undisturbed = await run({});
		expect(order).toEqual([...new Set(undisturbed.items.map(({ json }) => textOf(json.companyResourceId)))]);
		expect(hintsOf(result)).toEqual([
			expect.stringMatching(
				new RegExp(
					`^${companies().length - 3} of ${companies().length} companies done, 3 failed\\. Requests: \\d+, of which 4 had to be repeated\\. Time: \\d+\\.\\d seconds\\.$`,
				),
			),
		]);
	});

	test('error output: the three there, all others on the regular one', async () => {
		const result = await run({ onError: 'continueErrorOutput', items: itemsOf({ mine: 'kept' }) });
		show(name, 'error output', result);
		expectAllTried();
		expect(new Set(jsonOf(result.items).map(({ companyResourceId }) => companyResourceId)).size).toBe(
			companies().length - 3,
		);
		expect(result.items.some(isFailed)).toBe(false);
		const errors = the(result.errors);
		expect(errors).toHaveLength(3);
		const details = errors.map(({ json }) => {
			const { mine, ...rest } = json;
			expect(mine).toBe('kept');
			return failedItem({ json: rest });
		});
		expect(details.map(({ error }) => error.companyResourceId).sort()).toEqual(ids().sort());
		for (const { error, message } of details)
			expect([error.message, message]).toEqual(Array(2).fill(messageOf(textOf(error.companyResourceId))));
		expect(details.map(({ error }) => error.httpCode).sort()).toEqual([403, 500, undefined]);
	});
});

test('every company as a Company Admin: who may list companies is explained', async () => {
	const error = await failureOf(targetGroups({ companyScope: 'every' }, { as: 'companyAdmin' }));
	expect(error.message).toBe('Could not get many target groups: access was refused (403)');
	expect(error.description).toContain("does not list the permission 'companies/search|POST'");
});

describe('stopped by the person', () => {
	const stopped = (error: NodeError) => expect(error.message).toMatch(/: the run was stopped( \[item \d+\])?$/);

	test.each<[string, OnError]>([
		['stop', 'stopWorkflow'],
		['continue', 'continueRegularOutput'],
		['error output', 'continueErrorOutput'],
	])('while it waits for the service to be ready again: ends at once (%s)', async (_name, onError) => {
		b.service.fault({ route: GROUPS, kind: 'status-429', retryAfter: '60', times: Infinity });
		const controller = new AbortController();
		const run = failureOf(targetGroups(each, { items: companyItems(20), signal: controller.signal, onError }));
		await waitUntil('eight requests are answered', () => b.asked.filter(({ status }) => status === 429).length >= 8);
		const at = Date.now();
		const asked = b.asked.length;
		controller.abort();
		stopped(await run);
		expect(Date.now() - at).toBeLessThan(1000);
		expect(b.asked).toHaveLength(asked);
	});

	test.each([
		['items', 8, async (signal: AbortSignal) => await targetGroups(each, { items: companyItems(30), signal })],
		['companies', 9, async (signal: AbortSignal) => await targetGroups({ companyScope: 'every' }, { signal })],
		[
			'pages',
			9,
			async (signal: AbortSignal) =>
				await b.run(
					SecurityAwarenessCompany,
					{ operation: 'getMany', returnAll: true, options: { pageSize: 2 } },
					{ signal },
				),
		],
		['writes', 1, async (signal: AbortSignal) => await createGroups(['A', 'B', 'C'], { signal })],
	] as const)('in the middle of %s: nothing more is asked', async (_name, askedBefore, start) => {
		// Those in flight stay there, so what comes after them could only come because of a mistake.
		b.service.fault({ kind: 'stall', times: Infinity, after: askedBefore === 9 ? 1 : 0 });
		const controller = new AbortController();
		const run = failureOf(start(controller.signal));
		await waitUntil('all that may be in flight is', () => b.asked.length === askedBefore);
		const at = Date.now();
		controller.abort();
		stopped(await run);
		expect(Date.now() - at).toBeLessThan(1000);
		expect(b.asked).toHaveLength(askedBefore);
	});

	test('before it began: nothing is asked', async () => {
		const run = targetGroups(each, { items: companyItems(3), signal: AbortSignal.abort() });
		await run.catch(() => undefined);
		expect(b.asked).toEqual([]);
	});

	test('in the middle of a file: ends at once, without the file', async () => {
		b.service.fault({ route: BOARD, kind: 'stall-body' });
		const controller = new AbortController();
		const run = failureOf(
			b.run(SecurityAwarenessLeaderboard, { operation: 'export', companyScope: 'own' }, { signal: controller.signal }),
		);
		await waitUntil('half of the file is sent', () => (b.asked[0]?.bytesSent ?? 0) > 0);
		const at = Date.now();
		controller.abort();
		stopped(await run);
		expect(Date.now() - at).toBeLessThan(1000);
	});
});

test('hints: none where nothing is to be said', async () => {
	expect(hintsOf(await targetGroups({ companyScope: 'own' }))).toEqual([]);
	expect(bodyOf(b.asked[0]).pageNumber).toBe(1);
});

describe('a long run tells how far it is', () => {
	/** While the companies are listed, their number is not known. */
	const PROGRESS =
		/^(\d+ of 60 companies done, 0 failed\. )?Requests: \d+, of which \d+ had to be repeated\. Time: \d+\.\d seconds\.$/;
	const everyCompany = async (mode: 'manual' | 'trigger') => await targetGroups({ companyScope: 'every' }, { mode });

	test('in the console of a manual run, every two seconds at most, and in a hint after it', async () => {
		b.service.setOptions({ latencyMs: 700 });
		const result = await everyCompany('manual');
		const lines = result.messages.flat().map(textOf);
		const [hint] = hintsOf(result);
		const seconds = Number(/Time: ([\d.]+) seconds/.exec(textOf(hint))?.[1]);
		expect(lines.length).toBeGreaterThanOrEqual(2);
		expect(lines.length).toBeLessThanOrEqual(seconds / 2);
		for (const line of lines) expect(line).toMatch(PROGRESS);
		const done = lines.filter((line) => line.includes('companies')).map((line) => Number.parseInt(line));
		expect(done).toEqual([...done].sort((one, other) => one - other));
		expect(hint).toMatch(/^60 of 60 companies done/);
	});

	test('also while it waits for the service to be ready again', async () => {
		b.service.fault({ route: GROUPS, kind: 'status-429', retryAfter: '4' });
		const { messages } = await targetGroups({ companyScope: 'own' }, { mode: 'manual' });
		expect(messages[0]).toEqual([
			expect.stringMatching(
				/^Requests: 1, of which 1 had to be repeated\. Time: \d\.\d seconds\. The next try is in [12] seconds\.$/,
			),
		]);
	});

	test('says nothing where nobody is watching, nor where it is short', async () => {
		expect((await targetGroups({ companyScope: 'own' }, { mode: 'manual' })).messages).toEqual([]);
		b.service.setOptions({ latencyMs: 200 });
		expect((await everyCompany('trigger')).messages).toEqual([]);
	});

	test('one of many items or pages is hinted at from five seconds on, with what failed', async () => {
		b.service.fault({ route: GROUPS, kind: 'slow', ms: 5100 });
		b.service.fault({ route: GROUPS, kind: 'status-500', after: 1 });
		const slow = await targetGroups(each, { items: companyItems(3), onError: 'continueRegularOutput' });
		expect(hintsOf(slow)).toEqual([
			expect.stringMatching(
				/^2 of 3 items done, 1 failed\. Requests: 3, of which 0 had to be repeated\. Time: 5\.\d seconds\.$/,
			),
		]);
	});
});

/** What a run for 500 companies comes to, in short. */
function show(
	name: string,
	mode: string,
	result: {
		error?: NodeError;
		items?: Array<{ json: IDataObject }>;
		errors?: Array<{ json: IDataObject }>;
		hints?: Array<{ message: string }>;
	},
) {
	if (!print) return;
	const { error, items = [], errors } = result;
	const lines = [`\n== ${name}, every company (${companies().length}), 3 fail: ${mode}`];
	if (error) lines.push(`thrown: ${error.message}`, `description: ${error.description}`);
	else {
		lines.push(
			`regular output: ${items.length} items, ${items.filter(isFailed).length} of them errors; the first: ${JSON.stringify(items[0]?.json)}`,
		);
		for (const item of [...items.filter(isFailed), ...(errors ?? [])])
			lines.push(`${errors ? 'error output' : 'error item'}: ${JSON.stringify(item.json)}`);
		lines.push(`hint: ${result.hints?.map(({ message }) => message).join(' | ')}`);
	}
	process.stdout.write(`${lines.join('\n')}\n`);
}

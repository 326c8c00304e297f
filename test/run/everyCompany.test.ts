/** Runs for every company, and the hints about long runs. PRINT=1 shows a run for 500 companies. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { combineFailures as failureOfCompanies } from '../../nodes/core/run/failures';
import { RequestError } from '../../nodes/core/http/errors';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import {
	parseBody,
	parseFailedItem,
	catchNodeError,
	getHintMessages,
	isFailedItem,
	toItems,
	getJson,
	parseText,
	requireValue,
	type NodeError,
	type FixtureRunOptions,
} from '../n8n-core/nodeFixture';
import { BOARD, engineRuns, GROUPS } from './engineRuns';
import { useSimulatedClock } from '../setup/turnedClock';

useSimulatedClock();

const print = process.env.PRINT === '1';
const COMPANIES = print ? 500 : 40;
const { b, companies, companyId, targetGroups } = engineRuns(COMPANIES);

describe.each([
	[
		'leaderboard',
		BOARD,
		async (more: FixtureRunOptions) =>
			b.run(
				SecurityAwarenessLeaderboard,
				{ operation: 'export', companyScope: 'every', options: { timeout: 20 } },
				more,
			),
	],
	['target groups', GROUPS, async (more: FixtureRunOptions) => targetGroups({ companyScope: 'every' }, more)],
] as const)('%s for every company, three of which fail', (name, route, run) => {
	const FAILING = [7, 20, 33];
	const ids = () => FAILING.map(companyId);
	const namesOf = (some: string[]) =>
		some.map((id) => parseText(companies().find(({ companyResourceId }) => companyResourceId === id)?.companyName));
	const purpose = name === 'leaderboard' ? 'export leaderboard' : 'get target groups';
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
		b.standIn.addFault({ route, companyId: requireValue(refused), kind: 'forbidden-company', times: Infinity });
		b.standIn.addFault({ route, companyId: requireValue(broken), kind: 'status-500', times: Infinity });
		b.standIn.addFault({ route, companyId: requireValue(reset), kind: 'reset-before', times: Infinity });
	});
	const expectAllTried = () => {
		const asked = b.standIn.getRequests(route).map(({ companyId: id }) => parseText(id));
		expect(inOrder(asked)).toHaveLength(companies().length);
		expect(ids().map((id) => asked.filter((each) => each === id).length)).toEqual([1, 5, 5]);
	};
	const messageOf = (id: string) => `Could not ${purpose} for '${namesOf([id]).join()}': ${reasons[ids().indexOf(id)]}`;

	test('stop: one error after all had their turn, with who failed and who did not', async () => {
		const error = await catchNodeError(run({}));
		show(name, 'stop', { error });
		expectAllTried();
		for (const [index, id] of ids().entries())
			expect(error.message).toContain(
				`${reasons[index]} for 1 of ${companies().length} companies: ${namesOf([id]).join()}`,
			);
		const lines = parseText(error.description).split('\n');
		// What to do about each of them, in lines of their own.
		for (const advice of [/^The service says: You are not/, /^The service says: An unexpected/, /^Try again\. /])
			expect(lines.slice(0, 3)).toContainEqual(expect.stringMatching(advice));
		expect(lines[3]).toBe('');
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
		const failed = result.items.filter(isFailedItem);
		expect(failed).toHaveLength(3);
		for (const item of failed) {
			const { companyResourceId, companyName } = z
				.object({ companyResourceId: z.string(), companyName: z.string() })
				.parse(item.json);
			expect(parseFailedItem({ json: { error: item.json.error, message: item.json.message } })).toMatchObject({
				message: messageOf(companyResourceId),
				error: { companyResourceId, companyName },
			});
			expect(item.pairedItem).toEqual({ item: 0 });
			expect(item.binary).toBeUndefined();
		}
		const succeeded = new Set(result.items.filter((item) => !isFailedItem(item)).map(({ json }) => json.companyResourceId));
		expect(succeeded.size).toBe(companies().length - 3);
		// The order is that of the companies: an error stands where its company's result would.
		const order = [...new Set(result.items.map(({ json }) => parseText(json.companyResourceId)))];
		b.standIn.clearFaults();
		const undisturbed = await run({});
		expect(order).toEqual([...new Set(undisturbed.items.map(({ json }) => parseText(json.companyResourceId)))]);
		expect(getHintMessages(result)).toEqual([
			`3 of ${companies().length} failed: ${failed.map(({ json }) => parseText(json.companyName)).join(', ')}. The field message of their items says why.`,
		]);
	});

	test('error output: the three there, all others on the regular one', async () => {
		const result = await run({ onError: 'continueErrorOutput', items: toItems({ mine: 'kept' }) });
		show(name, 'error output', result);
		expectAllTried();
		expect(new Set(getJson(result.items).map(({ companyResourceId }) => companyResourceId)).size).toBe(
			companies().length - 3,
		);
		expect(result.items.some(isFailedItem)).toBe(false);
		const errors = requireValue(result.errors);
		expect(errors).toHaveLength(3);
		const details = errors.map(({ json }) => {
			const { mine, ...rest } = json;
			expect(mine).toBe('kept');
			return parseFailedItem({ json: rest });
		});
		expect(details.map(({ error }) => error.companyResourceId).sort()).toEqual(ids().sort());
		for (const { error, message } of details)
			expect([error.message, message]).toEqual(Array(2).fill(messageOf(parseText(error.companyResourceId))));
		expect(details.map(({ error }) => error.httpCode).sort()).toEqual([403, 500, undefined]);
	});
});

test('every company fails in the same way: why, how many, the first names; its advice once, and nothing of results', async () => {
	b.standIn.addFault({ route: GROUPS, kind: 'status-500', times: Infinity });
	const { message, description } = await catchNodeError(targetGroups({ companyScope: 'every' }));
	const all = companies().length;
	const [one = '', ...others] = message.split(' companies: ');
	expect(one).toBe(`Could not get target groups: the service is having trouble (500) for ${all} of ${all}`);
	expect(others.join().split(', ')).toHaveLength(6);
	expect(message.endsWith(`, and ${all - 5} more`)).toBe(true);
	// All of them, as far as there is room.
	expect(description).toContain(`, and ${all - 20} more`);
	expect(parseText(description).match(/Try again later/g)).toHaveLength(1);
	expect(description).not.toContain('It worked for');
});

test('every company as a Company Admin: who may list companies is explained', async () => {
	const error = await catchNodeError(targetGroups({ companyScope: 'every' }, { clientName: 'companyAdmin' }));
	expect(error.message).toBe('Could not get target groups: access was refused (403)');
	expect(error.description).toContain("does not list the permission 'companies/search|POST'");
});

test('hints: one for all companies, which names three and counts the others', async () => {
	const { hints } = await targetGroups({ companyScope: 'every', returnAll: false, limit: 1 });
	expect(hints).toHaveLength(1);
	const [, three, others] =
		/^There was more than 'Limit'\..* This is so for 40 of 40 customers: (.*), and (\d+) more\.$/.exec(
			hints[0]?.message ?? '',
		) ?? [];
	expect(companies().filter(({ companyName }) => companyName && three?.includes(companyName)).length).toBeGreaterThan(
		2,
	);
	expect(Number(others)).toBe(COMPANIES - 3);
});

test('hints: none where nothing is to be said', async () => {
	expect(getHintMessages(await targetGroups({ companyScope: 'own' }))).toEqual([]);
	expect(parseBody(b.requests[0]).pageNumber).toBe(1);
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
			`regular output: ${items.length} items, ${items.filter(isFailedItem).length} of them errors; the first: ${JSON.stringify(items[0]?.json)}`,
		);
		for (const item of [...items.filter(isFailedItem), ...(errors ?? [])])
			lines.push(`${errors ? 'error output' : 'error item'}: ${JSON.stringify(item.json)}`);
		lines.push(`hint: ${result.hints?.map(({ message }) => message).join(' | ')}`);
	}
	process.stdout.write(`${lines.join('\n')}\n`);
}

test('the most frequent reason of a failure comes first', () => {
	const result = (name: string, reason: string) => ({
		company: { id: name, name },
		outcome: { ok: false as const, error: new RequestError({ reason, advice: 'Try again.' }) },
	});
	const results = [result('a', 'rare'), result('b', 'often'), result('c', 'often')];
	const error = failureOfCompanies(results, { purpose: 'try' })?.error;
	expect(error instanceof RequestError && error.details.reason).toMatch(/^often for 2 of 3 companies: b, c; rare /);
});

/** Tests runs for every company, and their hints. With PRINT=1, the tests use 500 companies and print the results. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { combineFailures } from '../../nodes/core/run/failures';
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
import { LEADERBOARD_EXPORT, createEngineRuns, TARGET_GROUP_SEARCH } from './engineRuns';
import { useSimulatedDate } from '../setup/testClock';

useSimulatedDate();

const shouldPrintRuns = process.env.PRINT === '1';
const COMPANY_COUNT = shouldPrintRuns ? 500 : 40;
const { fixture, getCompanies, getCompanyId, getTargetGroups } = createEngineRuns(COMPANY_COUNT);

describe.each([
	[
		'leaderboard',
		LEADERBOARD_EXPORT,
		async (runOptions: FixtureRunOptions) =>
			fixture.run(
				SecurityAwarenessLeaderboard,
				{ operation: 'export', companyScope: 'every', options: { timeout: 20 } },
				runOptions,
			),
	],
	[
		'target groups',
		TARGET_GROUP_SEARCH,
		async (runOptions: FixtureRunOptions) => getTargetGroups({ companyScope: 'every' }, runOptions),
	],
] as const)('%s for every company, three of which fail', (name, route, run) => {
	const FAILING_INDEXES = [7, 20, 33];
	const listFailingIds = () => FAILING_INDEXES.map(getCompanyId);
	const listCompanyNames = (companyIds: string[]) =>
		companyIds.map((id) =>
			parseText(getCompanies().find(({ companyResourceId }) => companyResourceId === id)?.companyName),
		);
	const purpose = name === 'leaderboard' ? 'export leaderboard' : 'get target groups';
	const FAILURE_REASONS = [
		'the platform refused access (403)',
		'the platform had an internal error (500)',
		'the connection ended before the response was complete',
	];
	/** Returns company IDs in the order in which a run reads the companies. Each ID is returned once. */
	const sortInRunOrder = (requestedIds: string[]) =>
		getCompanies()
			.map(({ companyResourceId }) => companyResourceId)
			.filter((id) => requestedIds.includes(id));
	beforeEach(() => {
		const [rejectedId, brokenId, resetId] = listFailingIds();
		fixture.standIn.addFault({
			route,
			companyId: requireValue(rejectedId),
			kind: 'forbidden-company',
			times: Infinity,
		});
		fixture.standIn.addFault({ route, companyId: requireValue(brokenId), kind: 'status-500', times: Infinity });
		fixture.standIn.addFault({ route, companyId: requireValue(resetId), kind: 'reset-before', times: Infinity });
	});
	const expectAllTried = () => {
		const requestedIds = fixture.standIn.getRequests(route).map(({ companyId: id }) => parseText(id));
		expect(sortInRunOrder(requestedIds)).toHaveLength(getCompanies().length);
		expect(listFailingIds().map((id) => requestedIds.filter((requestedId) => requestedId === id).length)).toEqual([
			1, 5, 5,
		]);
	};
	const buildMessage = (id: string) =>
		`Could not ${purpose} for '${listCompanyNames([id]).join()}': ${FAILURE_REASONS[listFailingIds().indexOf(id)]}`;

	test('stop: after all companies were tried, one error names the companies that failed and those that did not', async () => {
		const error = await catchNodeError(run({}));
		printRun(name, 'stop', { error });
		expectAllTried();
		for (const [index, id] of listFailingIds().entries())
			expect(error.message).toContain(
				`${FAILURE_REASONS[index]} for 1 of ${getCompanies().length} companies: ${listCompanyNames([id]).join()}`,
			);
		const lines = parseText(error.description).split('\n');
		// The advice for each failure is on a separate line.
		for (const advice of [
			/^Is this one of your customers\? .*The platform says: You are not/,
			/^The platform says: An unexpected/,
			/^Try again\. /,
		])
			expect(lines.slice(0, 3)).toContainEqual(expect.stringMatching(advice));
		expect(lines[3]).toBe('');
		expect(lines.at(-1)).toMatch(
			new RegExp(
				`^The operation succeeded for ${getCompanies().length - 3} companies: .+ and ${getCompanies().length - 23} more\\. To keep their results, set 'On Error'`,
			),
		);
	});

	test('continue: an error item for each failed company, and the results of all other companies', async () => {
		const result = await run({ onError: 'continueRegularOutput' });
		printRun(name, 'continue', result);
		expectAllTried();
		const failedItems = result.items.filter(isFailedItem);
		expect(failedItems).toHaveLength(3);
		for (const item of failedItems) {
			const { companyResourceId, companyName } = z
				.object({ companyResourceId: z.string(), companyName: z.string() })
				.parse(item.json);
			expect(parseFailedItem({ json: { error: item.json.error, message: item.json.message } })).toMatchObject({
				message: buildMessage(companyResourceId),
				error: { companyResourceId, companyName },
			});
			expect(item.pairedItem).toEqual({ item: 0 });
			expect(item.binary).toBeUndefined();
		}
		const succeededIds = new Set(
			result.items.filter((item) => !isFailedItem(item)).map(({ json }) => json.companyResourceId),
		);
		expect(succeededIds.size).toBe(getCompanies().length - 3);
		// The items are in the order of the companies. For a failed company, the error item is where its results would be.
		const companyOrder = [...new Set(result.items.map(({ json }) => parseText(json.companyResourceId)))];
		fixture.standIn.clearFaults();
		const runWithoutFaults = await run({});
		expect(companyOrder).toEqual([
			...new Set(runWithoutFaults.items.map(({ json }) => parseText(json.companyResourceId))),
		]);
		const describedFailures = failedItems.map((item) => {
			const [, reason] = parseFailedItem(item).message.split(/': /);
			return `${parseText(item.json.companyName)} (${reason})`;
		});
		expect(getHintMessages(result)).toEqual([
			`3 of ${getCompanies().length} failed: ${describedFailures.join('; ')}. In the output, the field 'message' says more.`,
		]);
	});

	test('error output: the three errors come out there, and all results on the regular output', async () => {
		const result = await run({ onError: 'continueErrorOutput', items: toItems({ mine: 'kept' }) });
		printRun(name, 'error output', result);
		expectAllTried();
		expect(new Set(getJson(result.items).map(({ companyResourceId }) => companyResourceId)).size).toBe(
			getCompanies().length - 3,
		);
		expect(result.items.some(isFailedItem)).toBe(false);
		const errors = requireValue(result.errorItems);
		expect(errors).toHaveLength(3);
		const errorDetails = errors.map(({ json }) => {
			const { mine, ...rest } = json;
			expect(mine).toBe('kept');
			return parseFailedItem({ json: rest });
		});
		expect(errorDetails.map(({ error }) => error.companyResourceId).sort()).toEqual(listFailingIds().sort());
		for (const { error, message } of errorDetails)
			expect([error.message, message]).toEqual(Array(2).fill(buildMessage(parseText(error.companyResourceId))));
		expect(errorDetails.map(({ error }) => error.httpCode).sort()).toEqual([403, 500, undefined]);
	});
});

test('every company fails for the same reason: the error has the reason, the number, the first names, and the advice once', async () => {
	fixture.standIn.addFault({ route: TARGET_GROUP_SEARCH, kind: 'status-500', times: Infinity });
	const { message, description } = await catchNodeError(getTargetGroups({ companyScope: 'every' }));
	const companyCount = getCompanies().length;
	const [messageStart = '', ...messageRest] = message.split(' companies: ');
	expect(messageStart).toBe(
		`Could not get target groups: the platform had an internal error (500) for ${companyCount} of ${companyCount}`,
	);
	expect(messageRest.join().split(', ')).toHaveLength(6);
	expect(message.endsWith(`, and ${companyCount - 5} more`)).toBe(true);
	// The description names more companies than the message, but not all of them.
	expect(description).toContain(`, and ${companyCount - 20} more`);
	expect(parseText(description).match(/Try again later/g)).toHaveLength(1);
	expect(description).not.toContain('It worked for');
});

test('one company fails: the error says that it is one of all, and for which companies the operation succeeded', async () => {
	const failingId = getCompanyId(7);
	fixture.standIn.addFault({ route: TARGET_GROUP_SEARCH, companyId: failingId, kind: 'forbidden-company' });
	const { message, description } = await catchNodeError(getTargetGroups({ companyScope: 'every' }));
	const failingName = parseText(requireValue(getCompanies()[7]).companyName);
	expect(message).toContain(`for 1 of ${getCompanies().length} companies: ${failingName}`);
	expect(description).toContain(`The operation succeeded for ${getCompanies().length - 1} companies: `);
});

test('every company as a Company Admin: the error explains which permission is missing', async () => {
	const error = await catchNodeError(getTargetGroups({ companyScope: 'every' }, { clientName: 'companyAdmin' }));
	expect(error.message).toBe('Could not get target groups: the platform refused access (403)');
	expect(error.description).toContain("does not include the permission 'companies/search|POST'");
});

test('one hint for all companies names three of them and counts the others', async () => {
	const { hints } = await getTargetGroups({ companyScope: 'every', returnAll: false, limit: 1 });
	expect(hints).toHaveLength(1);
	const [, firstNames, otherCount] =
		/^There are more results than 'Limit'\..* This applies to 40 of 40 customers: (.*), and (\d+) more\.$/.exec(
			hints[0]?.message ?? '',
		) ?? [];
	expect(
		getCompanies().filter(({ companyName }) => companyName && firstNames?.includes(companyName)).length,
	).toBeGreaterThan(2);
	expect(Number(otherCount)).toBe(COMPANY_COUNT - 3);
});

test('a run without anything to report has no hints', async () => {
	expect(getHintMessages(await getTargetGroups({ companyScope: 'own' }))).toEqual([]);
	expect(parseBody(fixture.requests[0]).pageNumber).toBe(1);
});

/** Prints a summary of a run if PRINT=1. */
function printRun(
	name: string,
	errorMode: string,
	result: {
		error?: NodeError;
		items?: Array<{ json: IDataObject }>;
		errorItems?: Array<{ json: IDataObject }>;
		hints?: Array<{ message: string }>;
	},
) {
	if (!shouldPrintRuns) return;
	const { error, items = [], errorItems } = result;
	const lines = [`\n== ${name}, every company (${getCompanies().length}), 3 fail: ${errorMode}`];
	if (error) lines.push(`thrown: ${error.message}`, `description: ${error.description}`);
	else {
		lines.push(
			`regular output: ${items.length} items, ${items.filter(isFailedItem).length} of them errors; the first: ${JSON.stringify(items[0]?.json)}`,
		);
		for (const item of [...items.filter(isFailedItem), ...(errorItems ?? [])])
			lines.push(`${errorItems ? 'error output' : 'error item'}: ${JSON.stringify(item.json)}`);
		lines.push(`hint: ${result.hints?.map(({ message }) => message).join(' | ')}`);
	}
	process.stdout.write(`${lines.join('\n')}\n`);
}

test('the most frequent reason comes first in the error', () => {
	const createFailure = (name: string, reason: string) => ({
		company: { id: name, name },
		outcome: { ok: false as const, error: new RequestError({ reason, advice: 'Try again.' }) },
	});
	const results = [createFailure('a', 'rare'), createFailure('b', 'often'), createFailure('c', 'often')];
	const error = combineFailures(results, { purpose: 'try' })?.error;
	expect(error instanceof RequestError && error.details.reason).toMatch(/^often for 2 of 3 companies: b, c; rare /);
});

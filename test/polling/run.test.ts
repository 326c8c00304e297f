/** What a poll has at hand: its time, its requests, and what it says of failures. */
import type { Choices } from '../../nodes/shared/polling/choices';
import { isCutShort, isRefused, type Run } from '../../nodes/shared/polling/run';
import { Targets } from '../../nodes/shared/scope/scope';
import { ServiceError, STOPPED } from '../../nodes/shared/transport/errors';
import type { Service } from '../../nodes/shared/transport/service';
import { START } from './pollingFixture';
import { company, kind, runWith as begin } from './runFixture';

const failure = (status: number, transient = status >= 500) =>
	new ServiceError({
		...{ reason: `answer ${status}`, advice: 'Wait.', cause: 'refused', mayHaveBeenApplied: false },
		...{ status, transient },
	});
let now = 0;
let aborts: number[] = [];
let said: string[] = [];
beforeEach(() => {
	[now, aborts, said] = [1000, [], []];
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		aborts.push(ms);
		return new AbortController().signal;
	});
});
afterEach(() => jest.restoreAllMocks());

const runWith = (scope: Choices['scope'] = { kind: 'every', filter: {} }, json?: Service['json']): Run => {
	const made = begin({ scope }, json ? { json } : {});
	said = made.said;
	return made.run;
};

describe('the time', () => {
	test('a stage ends after its share of the poll, and what is under way is waited for a while', () => {
		const run = runWith();
		now += 10_000;
		const { isOver } = run.stage(0.5);
		expect(aborts).toEqual([75_000]);
		now = 1000 + 49_999;
		expect(isOver()).toBe(false);
		now += 1;
		expect(isOver()).toBe(true);
	});

	test('it ends sooner where it may take only so long from now on', () => {
		const run = runWith();
		now += 30_000;
		const { isOver } = run.stage(0.65, 15_000);
		expect(aborts).toEqual([20_250]);
		now += 14_999;
		expect(isOver()).toBe(false);
		now += 1;
		expect(isOver()).toBe(true);
	});

	test('nothing is waited for behind 95 % of the time', () => {
		const run = runWith();
		now += 90_000;
		expect(run.stage(0.8).isOver()).toBe(true);
		now += 6000;
		expect(run.stage(0.8).isOver()).toBe(true);
		expect(aborts).toEqual([5000, 0]);
	});

	test('one that was aborted is over', () => {
		const controller = new AbortController();
		jest.spyOn(AbortSignal, 'timeout').mockReturnValue(controller.signal);
		const { isOver, signal } = runWith().stage(1);
		expect([isOver(), signal.aborted]).toEqual([false, false]);
		controller.abort();
		expect(isOver()).toBe(true);
	});
});

describe('a request', () => {
	test('for a page names its company and what it is for, and tells the time of the service', async () => {
		const requests: unknown[] = [];
		const json: Service['json'] = async (request) => {
			requests.push(request);
			return await Promise.resolve({ data: { results: [] }, servedAt: START, messages: [], failed: false });
		};
		const run = runWith(undefined, json);
		const stage = run.stage(1);
		jest.spyOn(Date, 'now').mockReturnValue(START + 5);
		for (const whose of [company, undefined])
			await run.pagesOf(kind, whose, stage).ask({ pageNumber: 2, pageSize: 10 }, stage.signal);
		const request = { contract: kind.contract, repeatable: true, purpose: 'look for enrollments' };
		const filter = { Condition: 'AND', SearchInputTextValue: '', FilterGroups: [] };
		const page = { orderBy: 'CreateTime', ascending: false, pageNumber: 2, pageSize: 10, enrollmentType: 'Survey' };
		expect(requests).toMatchObject([{ ...request, company, body: { ...page, filter } }, request]);
		expect(requests[1]).not.toHaveProperty('company');
		expect(run.clock.now).toBe(START);
	});
});

test('each is asked where a condition needs the company of each record', () => {
	expect(runWith().asksAll).toBe(true);
	expect(runWith({ kind: 'every', filter: { nameContains: 'A' } }).asksAll).toBe(false);
	expect(runWith({ kind: 'own' }).asksAll).toBe(true);
	expect(runWith({ kind: 'one', company }).asksAll).toBe(true);
});

test('what the service will not answer, however often it is asked', () => {
	expect([400, 403, 404].map((status) => isRefused(failure(status)))).toEqual([true, true, true]);
	expect([401, 409, 500].map((status) => isRefused(failure(status, false)))).toEqual([false, false, false]);
	expect(isRefused(failure(403, true))).toBe(false);
	expect(isRefused(new ServiceError(STOPPED))).toBe(false);
	expect(isRefused(new Error('400'))).toBe(false);
	expect([isCutShort(new ServiceError(STOPPED)), isCutShort(failure(500)), isCutShort(new Error())]).toEqual([
		true,
		false,
		false,
	]);
});

describe('failures', () => {
	test('none says nothing', () => {
		runWith().reportFailures(0);
		expect(said).toEqual([]);
	});

	test('are named, with the first, where others were read', () => {
		const run = runWith();
		run.fail(failure(503), kind, { id: 'c', name: '' });
		run.fail(failure(500), kind);
		run.reportFailures(3);
		expect(said).toEqual([
			expect.stringMatching(/^My Trigger of workflow 'My Workflow': 2 of 5 lists .* enrollments of c: answer 503$/),
		]);
		const other = runWith();
		other.fail(failure(500), kind);
		other.fail(failure(503), kind, company);
		other.reportFailures(1);
		expect(said[0]).toMatch(/2 of 3 lists .* enrollments: answer 500$/);
	});

	const thrown = (run: Run): string => {
		try {
			run.reportFailures(0);
		} catch (error) {
			return error instanceof Error ? `${error.message} ${String(Reflect.get(error, 'description'))}` : '';
		}
		return '';
	};

	test('fail the poll, where nothing was read, with what it was for and of which company', () => {
		const run = runWith();
		run.fail(failure(503), kind, company);
		expect(thrown(run)).toMatch(/look for enrollments/);
		expect(thrown(run)).toMatch(/Acme/);
		run.fail(failure(503), kind, { id: 'd', name: 'Umbrella' });
		expect(thrown(run)).toMatch(/answer 503/);
		expect(thrown(run)).not.toMatch(/Acme/);
		expect(said).toEqual([]);
	});

	test('for want of time say so, and what to do', () => {
		const run = runWith();
		run.fail(new ServiceError(STOPPED), kind);
		expect(thrown(run)).toMatch(/did not answer in the time that a poll has for it/);
		expect(thrown(run)).toMatch(/'Page Size'/);
		expect(run.failures[0]?.error).toMatchObject({
			details: { cause: 'temporarily-unavailable', transient: true, mayHaveBeenApplied: false },
		});
	});
});

describe('the companies', () => {
	const every = (nameContains = '') => ({ kind: 'every' as const, filter: { nameContains } });
	/** @returns how often they were listed */
	const listings = async (
		polls: Array<{ isOnTheWay?: boolean; at?: number; address?: string; clientId?: string; name?: string }>,
	) => {
		const parent = { id: 'p', name: 'Parent' };
		const of = jest.spyOn(Targets.prototype, 'of').mockResolvedValue([{ company: parent }, {}, { company }]);
		const clock = jest.spyOn(Date, 'now');
		for (const { isOnTheWay, at = 0, address = 'https://a', clientId = 'id', name } of polls) {
			clock.mockReturnValue(START + at);
			const { run } = begin({ scope: every(name) }, { address, clientId });
			const stage = run.stage(1);
			expect(await run.listCompanies(stage, isOnTheWay)).toEqual([company, parent]);
			expect(await run.listCompanies(stage, isOnTheWay)).toEqual([company, parent]);
		}
		return of.mock.calls.length;
	};

	test.each([
		['for each poll, once', [{}, {}], 2],
		['but for one with which a round goes on', [{}, { isOnTheWay: true }, { isOnTheWay: true, at: 599_999 }], 1],
		['for that as well, if the list is ten minutes old', [{}, { isOnTheWay: true, at: 600_000 }], 2],
		["or n8n's clock was set back by so much", [{}, { isOnTheWay: true, at: -600_000 }], 2],
		['or of another service', [{}, { isOnTheWay: true, address: 'https://b' }], 2],
		['or of another client', [{}, { isOnTheWay: true, clientId: 'other' }], 2],
		['or of another choice', [{}, { isOnTheWay: true, name: 'x' }], 2],
	])('are listed, children first: %s', async (_what, polls, times) => {
		expect(await listings(polls)).toBe(times);
	});
});

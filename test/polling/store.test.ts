/** Where n8n keeps what a trigger remembers, how long a poll may take, and two polls of one trigger. */
import { randomUUID } from 'node:crypto';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { budgetOf, oneAtATime, stateStoreOf } from '../../nodes/shared/polling/store';

const MINUTE = 60_000;
let now = 0;
beforeEach(() => void jest.spyOn(performance, 'now').mockImplementation(() => now));
afterEach(() => jest.restoreAllMocks());

/** A workflow with one trigger, as n8n holds it. */
function workflow({ budget = 0, id = randomUUID() }: { budget?: unknown; id?: string } = {}) {
	const shared: IDataObject = {};
	let own: IDataObject = {};
	// n8n marks the data that it watches for changes.
	Object.defineProperty(own, '__dataChanged', { value: false, enumerable: false });
	const context: IPollFunctions = Object.assign(Object.create(null), {
		getWorkflow: () => ({ id }),
		getNode: () => ({ id: 'node' }),
		getWorkflowStaticData: (type: string) => (type === 'global' ? shared : own),
		...(budget === 0 ? {} : { getPollBudgetMs: () => budget }),
	});
	return { context, id, shared, durable: (data: IDataObject) => (own = data) };
}

describe('the time of a poll', () => {
	test.each([
		['what n8n says', 36_000, 36_000],
		['five minutes, if it says nothing', 0, 5 * MINUTE],
		['five minutes, if it says no number', '9', 5 * MINUTE],
		['five minutes, if it says none', -1, 5 * MINUTE],
	])('%s', (_what, budget, ms) => {
		expect(budgetOf(workflow({ budget }).context)).toBe(ms);
	});
});

describe('two polls at once', () => {
	const open = () => {
		let end = (_value: string) => {};
		const ended = new Promise<string>((resolve) => (end = resolve));
		return { end, poll: async () => await ended };
	};
	const second = async () => await Promise.resolve('second');

	test('the second gives way, until the first has ended', async () => {
		const { context } = workflow();
		const { end, poll } = open();
		const first = oneAtATime(context, poll);
		expect(await oneAtATime(context, second)).toBeNull();
		end('first');
		expect(await first).toBe('first');
		expect(await oneAtATime(context, second)).toBe('second');
	});

	test('those of other workflows do not', async () => {
		const { end, poll } = open();
		const first = oneAtATime(workflow().context, poll);
		expect(await oneAtATime(workflow().context, second)).toBe('second');
		end('first');
		await first;
	});

	test('one that fails is over', async () => {
		const { context } = workflow();
		await expect(oneAtATime(context, async () => await Promise.reject(new Error('failed')))).rejects.toThrow('failed');
		expect(await oneAtATime(context, second)).toBe('second');
	});

	test('one that has not ended after 15 minutes is not waited for, and its end ends no other', async () => {
		const { context } = workflow();
		const lost = open();
		const first = oneAtATime(context, lost.poll);
		now += 15 * MINUTE - 1;
		expect(await oneAtATime(context, second)).toBeNull();
		now += 1;
		const other = open();
		const next = oneAtATime(context, other.poll);
		lost.end('lost');
		expect(await first).toBe('lost');
		now += 1;
		expect(await oneAtATime(context, second)).toBeNull();
		other.end('next');
		expect(await next).toBe('next');
	});
});

describe('the state', () => {
	const key = 'securityAwareness node';

	test("is the workflow's, filed under the node's ID", () => {
		const { context, shared } = workflow();
		expect(stateStoreOf(context).stored).toBeUndefined();
		stateStoreOf(context).write({ polls: 1 }, true);
		expect(shared).toEqual({ [key]: { polls: 1 } });
		expect(stateStoreOf(context)).toMatchObject({ stored: { polls: 1 }, isBeingSaved: false });
		stateStoreOf(context).write({ polls: 2 }, true);
		expect(stateStoreOf(context).stored).toEqual({ polls: 2 });
		expect(context.getWorkflowStaticData('node')).toEqual({});
	});

	test("is the node's own where n8n hands out a copy; the workflow's counts as long as that is empty", () => {
		const { context, shared, durable } = workflow();
		stateStoreOf(context).write({ polls: 1 }, false);
		durable({});
		const first = stateStoreOf(context);
		expect(first.stored).toEqual({ polls: 1 });
		first.write({ polls: 2 }, false);
		// n8n does not keep the copy of the poll at activation.
		expect([shared, context.getWorkflowStaticData('node')]).toEqual([
			{ [key]: { polls: 2 } },
			{ securityAwareness: { polls: 2 } },
		]);
		const second = stateStoreOf(context);
		second.write({ polls: 3 }, false);
		expect([shared, context.getWorkflowStaticData('node')]).toEqual([{}, { securityAwareness: { polls: 3 } }]);
		expect(stateStoreOf(context).stored).toEqual({ polls: 3 });
	});

	test("does not touch the workflow's data once it is the node's own, for n8n would save the workflow each time", () => {
		const { context, durable } = workflow();
		const touched: PropertyKey[] = [];
		const shared = new Proxy<IDataObject>(
			{},
			{
				deleteProperty: (_target, name) => Boolean(touched.push(name)),
				set: (_target, name) => Boolean(touched.push(name)),
			},
		);
		const own = { securityAwareness: { polls: 1 } };
		Object.assign(context, { getWorkflowStaticData: (type: string) => (type === 'global' ? shared : own) });
		durable(own);
		stateStoreOf(context).write({ polls: 2 }, true);
		expect([own, touched]).toEqual([{ securityAwareness: { polls: 2 } }, []]);
	});

	test.each<[string, { isCopy?: boolean; budget?: number }, boolean]>([
		['durable cursors', { isCopy: true }, true],
		['the durable scheduler without them', { budget: 36_000 }, true],
		['a scheduler that gives a minute', { budget: MINUTE }, false],
		['the usual poller', {}, false],
	])(
		'what was given is still being saved for half a minute, with %s',
		(_what, { isCopy = false, budget = 0 }, isSo) => {
			const { context, shared, durable } = workflow({ budget });
			const read = () => {
				// What was saved before.
				if (isCopy) durable({ securityAwareness: { polls: 1 } });
				else shared[key] = { polls: 1 };
				return stateStoreOf(context);
			};
			read().write({ polls: 2 }, true);
			now += 29_999;
			expect(read().isBeingSaved).toBe(isSo);
			now += 1;
			expect(read().isBeingSaved).toBe(false);
		},
	);

	test('nothing is being saved after a poll that gave nothing, nor where another state was read', () => {
		const { context, durable } = workflow();
		durable({ securityAwareness: { polls: 1 } });
		stateStoreOf(context).write({ polls: 2 }, false);
		durable({ securityAwareness: { polls: 1 } });
		expect(stateStoreOf(context).isBeingSaved).toBe(false);
		stateStoreOf(context).write({ polls: 2 }, true);
		expect(stateStoreOf(context).isBeingSaved).toBe(false);
		durable({ securityAwareness: { polls: 1 } });
		expect(stateStoreOf(context).isBeingSaved).toBe(true);
		const other = workflow();
		other.durable({ securityAwareness: { polls: 1 } });
		expect(stateStoreOf(other.context).isBeingSaved).toBe(false);
	});
});

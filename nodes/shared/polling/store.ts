import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { fingerprint } from './state';

/** n8n's own limit where it does not name one. */
const DEFAULT_BUDGET_MS = 5 * 60_000;
/** The durable scheduler gives less than this; the usual poller gives minutes. */
const DURABLE_BELOW_MS = 60_000;
/** How long the durable scheduler may take to save what a poll returned. */
const SAVED_WITHIN_MS = 30_000;
/** After this time a poll that has not ended is ignored, and another one may start. */
const LOST_AFTER_MS = 15 * 60_000;

/** How long this poll may take, in ms. */
export function budgetOf(context: IPollFunctions): number {
	// Not in the types of the n8n that this is built against: from 2.3x on.
	const newer: IPollFunctions & { getPollBudgetMs?: () => unknown } = context;
	const budget = newer.getPollBudgetMs?.();
	return typeof budget === 'number' && budget > 0 ? budget : DEFAULT_BUDGET_MS;
}

/** Stands for a trigger node among all. */
const keyOf = (context: IPollFunctions) => `${context.getWorkflow().id} ${context.getNode().id}`;

/** The polls under way: n8n's usual poller starts the next one whether or not the last has ended. */
const underWay = new Map<string, number>();

/** Runs a poll, or gives null where another of the same trigger is under way. */
export async function oneAtATime<T>(context: IPollFunctions, poll: () => Promise<T>): Promise<T | null> {
	const key = keyOf(context);
	const startedAt = performance.now();
	if (startedAt - (underWay.get(key) ?? -Infinity) < LOST_AFTER_MS) return null;
	underWay.set(key, startedAt);
	try {
		return await poll();
	} finally {
		if (underWay.get(key) === startedAt) underWay.delete(key);
	}
}

/** The triggers that have polled since n8n started. */
const started = new Set<string>();

/**
 * Which of a trigger's polls this is. If the first one fails, at the start of n8n or when the workflow is published, n8n
 * tries a few times more, and then polls no more.
 */
export function placeOf(context: IPollFunctions): 'start' | 'publish' | 'later' {
	const isFirst = !started.has(keyOf(context));
	started.add(keyOf(context));
	if (!isFirst) return 'later';
	return ['init', 'leadershipChange'].includes(context.getActivationMode()) ? 'start' : 'publish';
}

/** The state with which the last polls that returned something began, for the durable scheduler, which saves after a poll has ended. */
const handedOver = new Map<string, { begunWith: string; at: number }>();

/** Where a trigger's state is kept. */
export interface StateStore {
	stored: unknown;
	/** Whether what the last poll gave is still being saved: this one would give it again. */
	isBeingSaved: boolean;
	/** The one assignment of a poll: n8n notices only those at the top, and a poll that fails before must change nothing. */
	write: (state: IDataObject, hasItems: boolean) => void;
}

/**
 * n8n's usual poller files a node's own data under the node's name, which a person may change; the workflow's data under
 * the node's ID stays. With durable cursors n8n hands out a copy of the node's own data, filed by ID, and keeps that in
 * one transaction with the execution. It does not keep the copy of the poll at activation, nor knows what the usual
 * poller had: so long as the copy is empty, the workflow's data counts.
 */
export function stateStoreOf(context: IPollFunctions): StateStore {
	const shared = context.getWorkflowStaticData('global');
	const sharedKey = `securityAwareness ${context.getNode().id}`;
	const own = context.getWorkflowStaticData('node');
	const ownKey = 'securityAwareness';
	// n8n marks what it watches for changes; a copy of its own is not marked.
	const isCopy = !('__dataChanged' in own);
	const stored: unknown = (isCopy ? own[ownKey] : undefined) ?? shared[sharedKey];
	// Read again for each poll, and saved some moments after a poll that gave something has ended.
	const isReread = isCopy || budgetOf(context) < DURABLE_BELOW_MS;
	const begunWith = isReread ? fingerprint(stored ?? null) : '';
	const last = handedOver.get(keyOf(context));
	return {
		stored,
		isBeingSaved: isReread && last?.begunWith === begunWith && performance.now() - last.at < SAVED_WITHIN_MS,
		write: (state, hasItems) => {
			if (!isCopy || own[ownKey] === undefined) shared[sharedKey] = state;
			else if (sharedKey in shared) delete shared[sharedKey];
			if (isCopy) own[ownKey] = state;
			if (isReread && hasItems) handedOver.set(keyOf(context), { begunWith, at: performance.now() });
		},
	};
}

import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { labelsOf, type FieldMap } from '../form/field';
import { asError, isStop, rethrow, toNodeError } from '../transport/errors';
import { formOfTrigger } from './fields';
import { itemOf, oldestFirst, samplesOf } from './items';
import { isCaughtUp, pollKind } from './kind';
import { openPoll, tooSlow, warn } from './open';
import { statesOf, type KindState } from './state';
import type { Kind, Poll, TriggerSpec } from './trigger';

/** Where a node's own data holds the states of its kinds. */
const STORED_AS = 'kinds';

/** Stands for a trigger node among all. */
const triggerOf = (context: IPollFunctions) => `${context.getWorkflow().id} ${context.getNode().id}`;
/** The triggers that are polling: n8n's usual poller starts the next poll whether or not the last one has ended. */
const underWay = new Set<string>();
/** The triggers that have polled since n8n started. */
const hasPolled = new Set<string>();
/** What a trigger's first poll has found: the durable poller does not keep what is stored while a workflow is published (tried in 2.41). */
const found = new Map<string, Record<string, KindState>>();

/**
 * Polls: gives every record that is new, or has changed, since the last poll, in one batch, the oldest first.
 * @returns null when there is nothing: n8n starts an execution for anything else
 * @throws NodeApiError, NodeOperationError where no list could be read; n8n shows a failed execution
 */
export async function pollRecords<F extends FieldMap>(
	context: IPollFunctions,
	spec: TriggerSpec<F>,
): Promise<INodeExecutionData[][] | null> {
	const trigger = triggerOf(context);
	if (context.getMode() === 'manual') return await pollOnce(context, spec, samplesOf);
	if (underWay.has(trigger)) return null;
	// If the poll that n8n makes when it starts fails, n8n switches the workflow off after some more.
	const isStart = !hasPolled.has(trigger) && ['init', 'leadershipChange'].includes(context.getActivationMode());
	hasPolled.add(trigger);
	underWay.add(trigger);
	try {
		return await pollOnce(context, spec, pollKinds);
	} catch (error) {
		if (!isStart) return await rethrow(error);
		warn(context, `${asError(error).message}. The next poll tries again.`);
		return null;
	} finally {
		underWay.delete(trigger);
	}
}

/** Opens the service, polls, and says what is wrong in n8n's words. @throws NodeApiError, NodeOperationError */
async function pollOnce<F extends FieldMap>(
	context: IPollFunctions,
	spec: TriggerSpec<F>,
	work: (context: IPollFunctions, poll: Poll, kinds: Kind[]) => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[][] | null> {
	try {
		const { poll, kinds } = await openPoll(context, spec);
		const items = await work(context, poll, kinds);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		const labels = (path: string[]) => labelsOf(formOfTrigger(spec), path);
		const purpose = `look for ${spec.things}`;
		throw toNodeError(context.getNode(), isStop(error) ? tooSlow() : error, { purpose, labels });
	}
}

/** Stands for what is watched. Another client sees other lists. */
function keyOf({ service, scope, rules }: Poll, { contract, body = {} }: Kind): string {
	// Its name is not known where a company was entered by its ID.
	const chosen = scope.kind === 'one' ? scope.company.id : scope;
	return JSON.stringify([service.address, service.clientId, contract, body, chosen, rules.watchesStatus]);
}

/** Polls all kinds, and remembers what they found, in one assignment: what fails before has changed nothing. */
async function pollKinds(context: IPollFunctions, poll: Poll, kinds: Kind[]): Promise<INodeExecutionData[]> {
	const data = context.getWorkflowStaticData('node');
	const stored = data[STORED_AS] ?? found.get(triggerOf(context));
	const former = statesOf(stored ?? {});
	if (!former) poll.warn('What was remembered cannot be read, so the trigger begins anew.');
	const outcomes = await Promise.all(
		kinds.map(async (kind) =>
			pollKind(poll, kind, keyOf(poll, kind), former?.[kind.name]).then(
				(result) => ({ kind, ...result }),
				(error: unknown) => ({ kind, error: isStop(error) ? tooSlow() : error }),
			),
		),
	);
	const read = outcomes.flatMap((each) => ('state' in each ? [each] : []));
	const failures = outcomes.flatMap((each) => ('error' in each ? [each] : []));
	if (read.length === 0 && failures[0]) return await rethrow(failures[0].error);
	for (const { kind, error } of failures)
		poll.warn(`The ${kind.things} could not be read, and are asked for again: ${asError(error).message}`);
	shareCoverage(read.map(({ state }) => state));
	// One that could not be read keeps what it had.
	const states: Record<string, KindState> = {};
	for (const each of outcomes) {
		const state = 'state' in each ? each.state : former?.[each.kind.name];
		if (state) states[each.kind.name] = state;
	}
	if (data[STORED_AS] === undefined) found.set(triggerOf(context), states);
	else found.delete(triggerOf(context));
	data[STORED_AS] = states;
	const given = read.flatMap(({ kind, given }) => given.map((each) => ({ ...each, kind })));
	return oldestFirst(given).map((each) => itemOf(poll, each.kind, each));
}

/** What a request without a company gives is the same for all kinds, so one that nobody uses learns it from another. */
function shareCoverage(states: KindState[]): void {
	const isKnown = states.some(({ coversAll }) => coversAll);
	for (const state of states) if (isKnown && isCaughtUp(state)) state.coversAll ??= true;
}

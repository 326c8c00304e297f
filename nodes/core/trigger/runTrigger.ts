import { omit } from 'lodash';
import { NodeApiError, NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { getFieldLabels, type FieldMap } from '../fields/field';
import { toError, isCancellationError, toNodeError, type ErrorContext } from '../http/errors';
import { addAccessWindowEnd } from '../companies/accessWindow';
import { isRequestRefused } from './readCompanies';
import { createTriggerLogger } from './createTriggerLogger';
import { createPollTimeoutError } from './unreadCompanies';
import { getTriggerKey, loadMemory, type TriggerMemory } from './triggerMemory';
import type { CompanyPoll } from './defineTrigger';

/**
 * The keys of the triggers whose poll is running (see `getTriggerKey`). They prevent two polls at once, because n8n's
 * usual poller starts the next poll even if the last one hasn't ended (n8n 6).
 */
const pollingTriggerKeys = new Set<string>();
/**
 * The n8n contexts that have been used for a poll. n8n's usual poller keeps one context while a workflow is active (n8n
 * 1.123 to 2.41), so a poll with a new context is the first one after the activation.
 */
const usedContexts = new WeakSet<IPollFunctions>();
/** A trigger that `runTrigger` can poll. */
export interface PollableTrigger {
	/** The plural noun for what is watched, as used inside a sentence: "campaigns". */
	noun: string;
	/** The fields of the form. */
	fields: FieldMap;
	/** Opens a poll. @throws InvalidInputError, RequestError */
	open: (context: IPollFunctions, memory: TriggerMemory) => Promise<PollableReads>;
}

/** An opened poll, and the functions that read its items. */
export interface PollableReads {
	poll: CompanyPoll;
	/** The plural noun for what this poll looks for: "phishing campaigns". */
	noun: string;
	/** Reads what is new since the last poll, saves the memory, and returns the items to emit. */
	readNewItems: () => Promise<INodeExecutionData[]>;
	/** Reads the items for 'Fetch Test Event'. */
	fetchSamples: () => Promise<INodeExecutionData[]>;
}

/**
 * Polls a trigger. Returns an item for each record or event that the trigger emits. For 'Fetch Test Event', returns
 * some existing ones instead.
 * @returns null if there are no records, because n8n starts an execution for every other value
 * @throws NodeApiError or NodeOperationError if no list could be read; n8n shows the error as a failed execution
 */
export async function runTrigger(
	context: IPollFunctions,
	trigger: PollableTrigger,
): Promise<INodeExecutionData[][] | null> {
	const toOutput = (items: INodeExecutionData[]) => (items.length > 0 ? [items] : null);
	if (context.getMode() === 'manual') return toOutput(await runPoll(context, trigger, 'fetchSamples'));

	const triggerKey = getTriggerKey(context);
	if (pollingTriggerKeys.has(triggerKey)) return null;
	const isFirstPoll = !usedContexts.has(context);
	usedContexts.add(context);
	pollingTriggerKeys.add(triggerKey);
	try {
		return toOutput(await runPoll(context, trigger, 'readNewItems'));
	} catch (error) {
		const failure = toError(error);
		if (!isFirstPoll) throw failure;
		// In the first poll, n8n shows only the message of an error, not its description. So the advice is added to the
		// message.
		const message = getMessageWithAdvice(failure);
		const isStartOfN8n = ['init', 'leadershipChange'].includes(context.getActivationMode());
		if (!isStartOfN8n) {
			failure.message = message;
			throw failure;
		}
		// n8n deactivates the workflow if its poll at the start of n8n fails repeatedly. So the error is only logged.
		createTriggerLogger(context).logWarning(`${message} The next poll tries again.`);
		return null;
	} finally {
		pollingTriggerKeys.delete(triggerKey);
	}
}

/** Returns the message of an error, followed by the advice in its description. */
function getMessageWithAdvice(error: Error): string {
	const hasAdvice = error instanceof NodeApiError || error instanceof NodeOperationError;
	const advice = hasAdvice ? (error.description ?? '') : '';
	return `${error.message}. ${advice}`.trim();
}

/**
 * Opens a poll and reads its items. If the platform refuses a company that was looked up by name in an earlier poll,
 * looks up the name again and retries once.
 * @throws NodeApiError or NodeOperationError
 */
async function runPoll(
	context: IPollFunctions,
	trigger: PollableTrigger,
	task: 'readNewItems' | 'fetchSamples',
	memory = loadMemory(context),
): Promise<INodeExecutionData[]> {
	const getLabels = (path: string[]) => getFieldLabels(trigger.fields, path);
	const errorContext: ErrorContext = { purpose: `look for ${trigger.noun}`, getLabels };
	let poll: CompanyPoll | undefined;
	try {
		const reads = await trigger.open(context, memory);
		poll = reads.poll;
		errorContext.purpose = `look for ${reads.noun}`;
		if (poll.scope.kind === 'one') errorContext.company = poll.scope.company;
		return await reads[task]();
	} catch (error) {
		// The company with the entered name may have another ID now. Without the remembered ID, the name is looked up
		// again.
		if (memory.company && isRequestRefused(error))
			return await runPoll(context, trigger, task, omit(memory, 'company'));
		const failure = isCancellationError(error) ? createPollTimeoutError() : error;
		const shownError = poll
			? await addAccessWindowEnd(failure, poll.client, errorContext.company?.id, context.getTimezone())
			: failure;
		throw toNodeError(context.getNode(), shownError, errorContext);
	}
}

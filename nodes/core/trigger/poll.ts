import { sortBy } from 'lodash';
import { NodeApiError, NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { labelsOf, type FieldMap, type Values } from '../fields/field';
import { FormValues, parametersOf } from '../fields/formValues';
import { listCompanies } from '../companies/companies';
import { scopeOf } from '../companyScope/companyScope';
import { asError, isStop, rethrow, toNodeError, type ErrorContext } from '../http/errors';
import { DEFAULT_SETTINGS, Service } from '../http/client';
import { watchedCompanies, isRefusedOrForbidden } from './readCompanies';
import { DEFAULT_TIMEOUT_S, formOfTrigger, pollFields } from './triggerFields';
import { itemOf, oldestFirst, samplesOf, withCompanyName } from './items';
import { pollKind, tooSlow } from './pollList';
import { DAY_MS, HOUR_MS, LATE_MS, memoryOf, storedOf, type KindState, type Memory } from './state';
import type { Kind, ListedCompany, Poll, Rules, TriggerForm, TriggerSpec } from './types';

const STORED_AS = 'remembered';
/** n8n's own limit where it does not name one (n8n-facts 6). */
const USUAL_BUDGET_MS = 5 * 60_000;

/** Stands for a trigger node among all; in n8n 1.x two nodes of a workflow may have one ID (n8n-facts 16). */
const triggerOf = (context: IPollFunctions) =>
	JSON.stringify([context.getWorkflow().id, context.getNode().id, context.getNode().name]);
/** The triggers that are polling: n8n's usual poller starts the next poll whether or not the last one has ended. */
const underWay = new Set<string>();
/** The contexts that have polled: n8n's usual poller has one for as long as a workflow is active (n8n 1.123 to 2.41). */
const hasPolled = new WeakSet<IPollFunctions>();
/**
 * What first polls have found in the last hour: the durable poller does not keep what is stored while a workflow is published
 * (tried in 2.41).
 */
const found = new Map<string, { at: number; memory: Memory }>();

/**
 * Polls: gives every record that is new, or has changed, since the last poll, in one batch, the oldest first.
 * @returns null when there is nothing: n8n starts an execution for anything else
 * @throws NodeApiError, NodeOperationError where no list could be read; n8n shows a failed execution
 */
export async function pollRecords<F extends FieldMap>(
	context: IPollFunctions,
	spec: TriggerSpec<F>,
): Promise<INodeExecutionData[][] | null> {
	const once = async (work: Work) => {
		const items = await pollOnce(context, spec, work);
		return items.length > 0 ? [items] : null;
	};
	if (context.getMode() === 'manual') return await once(samplesOf);
	const trigger = triggerOf(context);
	if (underWay.has(trigger)) return null;
	const isFirst = !hasPolled.has(context);
	hasPolled.add(context);
	underWay.add(trigger);
	try {
		return await once(pollKinds);
	} catch (error) {
		if (!isFirst) return await rethrow(error);
		// n8n says only the message of what a first poll throws.
		if (!['init', 'leadershipChange'].includes(context.getActivationMode()))
			return await rethrow(Object.assign(asError(error), { message: withAdvice(error) }));
		// If the poll that n8n makes when it starts fails, n8n switches the workflow off after some more.
		logged(context).warn(`${withAdvice(error)} The next poll tries again.`);
		return null;
	} finally {
		underWay.delete(trigger);
	}
}

/** What happened, and what to do. */
const withAdvice = (error: unknown) =>
	`${asError(error).message}. ${error instanceof NodeApiError || error instanceof NodeOperationError ? (error.description ?? '') : ''}`.trim();

type Work = (context: IPollFunctions, poll: Poll, kinds: Kind[], memory: Memory) => Promise<INodeExecutionData[]>;

/** Opens the service, polls, and says what is wrong in n8n's words. @throws NodeApiError, NodeOperationError */
async function pollOnce<F extends FieldMap>(
	context: IPollFunctions,
	spec: TriggerSpec<F>,
	work: Work,
	memory = recall(context),
): Promise<INodeExecutionData[]> {
	const labels = (path: string[]) => labelsOf(formOfTrigger(spec), path);
	let about: ErrorContext = { purpose: `look for ${spec.things}`, labels };
	try {
		const { poll, kinds, company } = await openPoll(context, spec, memory);
		const { scope } = poll;
		const [only, ...others] = kinds;
		if (only && others.length === 0) about.purpose = `look for ${only.things}`;
		if (scope.kind === 'one') about = { ...about, company: scope.company };
		return await work(context, poll, kinds, { kinds: memory.kinds, company });
	} catch (error) {
		// The company of the name that was entered may be another one by now.
		if (memory.company && isRefusedOrForbidden(error))
			return await pollOnce(context, spec, work, { kinds: memory.kinds });
		throw toNodeError(context.getNode(), isStop(error) ? tooSlow() : error, about);
	}
}

/** What is remembered of the last poll. */
function recall(context: IPollFunctions): Memory {
	const stored = context.getWorkflowStaticData('node')[STORED_AS];
	const memory = stored === undefined ? (found.get(triggerOf(context))?.memory ?? { kinds: {} }) : memoryOf(stored);
	if (!memory)
		logged(context).warn(
			'What was remembered cannot be read, so the trigger begins anew: what there is now counts as existing.',
		);
	return memory ?? { kinds: {} };
}

/** Remembers, in one assignment. */
function keep(context: IPollFunctions, memory: Memory): void {
	const data = context.getWorkflowStaticData('node');
	const now = Date.now();
	const trigger = triggerOf(context);
	for (const [each, { at }] of found) if (each === trigger || now - at > HOUR_MS) found.delete(each);
	if (data[STORED_AS] === undefined) found.set(trigger, { at: now, memory });
	data[STORED_AS] = storedOf(memory);
}

/** Polls all kinds, and remembers what they found: what fails before has changed nothing. */
const pollKinds: Work = async (context, poll, kinds, memory) => {
	const polled = await Promise.all(
		// What was not read for the longest time begins.
		sortBy(kinds, ({ name }) => memory.kinds[name]?.askedAt ?? 0).map(async (kind) => {
			const state = memory.kinds[kind.name];
			const result = await pollKind(poll, kind, watchedBy(poll, kind), state).catch((error: unknown) => ({
				// One that could not be read keeps what it had.
				state,
				given: [],
				error: isStop(error) ? tooSlow(poll.rules) : error,
			}));
			return { error: undefined, ...result, kind };
		}),
	);
	const failures = polled.filter(({ error }) => error !== undefined);
	if (failures.length === polled.length) return await rethrow(failures[0]?.error);
	for (const { kind, error } of failures)
		poll.warn(`The ${kind.things} could not be read, and are asked for again: ${asError(error).message}.`);
	const states = polled.flatMap(({ kind, state }) => (state ? [[kind.name, state] as const] : []));
	const given = polled.flatMap((each) => each.given.map((one) => ({ ...one, kind: each.kind })));
	const items = oldestFirst(given).map((each) => itemOf(poll, each.kind, each));
	// Before anything is remembered, because it asks: if the poll's time is over then, the records come again.
	const named = await withCompanyName(poll, items);
	keep(context, { ...memory, kinds: Object.fromEntries(states) });
	return named;
};

/** Stands for what is watched, by the words of the form. Another client sees other lists. */
function watchedBy({ service, scope, rules }: Poll, { endpoint, body = {} }: Kind): KindState['watched'] {
	return {
		Server: service.address,
		'Client ID': service.clientId,
		Watch: JSON.stringify([endpoint, body]),
		'Trigger On': rules.watchesStatus ? 'Status Changed' : 'New',
		// Its name is not known where a company was entered by its ID.
		'Company or Only Companies': JSON.stringify(scope.kind === 'one' ? scope.company.id : scope),
	};
}

/** Says something in n8n's log. */
function logged(context: IPollFunctions) {
	const { name, id } = context.getWorkflow();
	const told = (message: string) => `${context.getNode().name} of workflow '${name ?? id}': ${message}`;
	const { logger } = context;
	return { warn: (text: string) => logger.warn(told(text)), note: (text: string) => logger.info(told(text)) };
}

/** Reads the form. @throws InvalidInput */
async function readTriggerForm(context: IPollFunctions, spec: TriggerForm): Promise<FormValues> {
	const raw = parametersOf(context.getNode(), (name) => context.getNodeParameter(name));
	const upload = () => Promise.reject(new TypeError('A trigger has no input'));
	return (await FormValues.read(formOfTrigger(spec), raw, { timezone: context.getTimezone(), upload })).valid();
}

/** How long this poll may take, in ms. n8n tells it from 2.3x on. */
function budgetOf(context: IPollFunctions): number {
	const newer: IPollFunctions & { getPollBudgetMs?: () => unknown } = context;
	const budget = newer.getPollBudgetMs?.();
	return typeof budget === 'number' && budget > 0 ? budget : USUAL_BUDGET_MS;
}

function rulesOf({ triggerOn, alsoFirstSeen, statuses = [], options }: Values<ReturnType<typeof pollFields>>): Rules {
	const { emitExistingSince: since, watchedDays = 30 } = options;
	const watchesStatus = triggerOn === 'statusChanged';
	return {
		watchesStatus,
		alsoFirstSeen: alsoFirstSeen === true,
		statuses: statuses.map((status) => status.toLowerCase()),
		windowMs: watchesStatus ? watchedDays * DAY_MS : LATE_MS,
		existingSince: watchesStatus || !since ? Infinity : Date.parse(since),
	};
}

/**
 * Reads the form and opens the service. A company that was entered by its name is looked up once.
 * @returns also by what its ID is to be remembered, and the ID
 * @throws InvalidInput; ServiceError if it cannot be looked up
 */
async function openPoll<F extends FieldMap>(context: IPollFunctions, spec: TriggerSpec<F>, memory: Memory) {
	const budgetMs = budgetOf(context);
	const signal = AbortSignal.timeout(budgetMs);
	const read = await readTriggerForm(context, spec);
	const values = read.of(pollFields(spec));
	const { options } = values;
	const service = await Service.open(context, {
		concurrency: options.concurrency ?? DEFAULT_SETTINGS.concurrency,
		timeoutMs: (options.timeout ?? DEFAULT_TIMEOUT_S) * 1000,
	});
	const list = async () => (await listCompanies(service, signal)).records;
	const asked = scopeOf('companies', read);
	const name = asked.kind === 'one' && asked.company.id === '' ? asked.company.name : undefined;
	const by = JSON.stringify([service.address, service.clientId, name]);
	const known = memory.company?.[0] === by ? [{ resourceId: memory.company[1], name }] : undefined;
	const form = await read.resolved(known ? async () => Promise.resolve(known) : list);
	const scope = scopeOf('companies', form);
	let listed: Promise<ListedCompany[]> | undefined;
	const say = logged(context);
	const poll: Poll = {
		service,
		rules: rulesOf(values),
		scope,
		pageSize: options.pageSize ?? 100,
		signal,
		budgetMs,
		...say,
		mayCoverAll: scope.kind === 'every' && Object.keys(scope.only).length === 0 && options.askEachCompany !== true,
		// Half a minute less, or polls that are as often would skip every other one.
		askEachMs: scope.kind === 'every' ? (options.askEachEvery ?? 15) * 60_000 - 30_000 : 0,
		now: Date.now(),
		underWay: new Set(),
		companies: async () => (listed ??= watchedCompanies(scope, list, say.warn, context.getTimezone())),
	};
	const company: Memory['company'] = name !== undefined && scope.kind === 'one' ? [by, scope.company.id] : undefined;
	return { poll, kinds: spec.kinds(form.of(spec.fields)), company };
}

import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { labelsOf, type FieldMap } from '../form/field';
import { listCompanies } from '../pickers/companies';
import { toNodeError } from '../transport/nodeError';
import { keepWithinBounds } from './bounds';
import { choicesOf, openService, readForm, settingsOf } from './choices';
import { formOfTrigger } from './fields';
import { itemsOf } from './items';
import { KindPoll } from './kindPoll';
import { Memory } from './memory';
import { rulesOf, type NewsRules } from './rules';
import { isTrouble, Run, warn } from './run';
import { samplesOf } from './samples';
import { MAIN, newKind, newScope, packState, unpackState, type KindState, type State } from './state';
import { budgetOf, oneAtATime, placeOf, stateStoreOf } from './store';
import type { TriggerSpec } from './trigger';

/** When the parts of a poll end, as shares of the time that n8n gives it: lists, companies, details. */
const LISTS_END = 0.5;
const COMPANIES_END = 0.65;
const DETAILS_END = 0.9;
/** For how long a poll reads a list of all companies at most, and companies' lists: what others have is given only at its end. */
const PART_MS = 60_000;
/** The same for companies' lists at activation, because somebody waits for it. */
const ACTIVATION_MS = 15_000;

/**
 * Polls: gives every record that is new since the last successful poll once, in one batch, the oldest first.
 * @returns null when there is nothing: n8n starts an execution for anything else
 */
export async function pollRecords<F extends FieldMap>(
	context: IPollFunctions,
	spec: TriggerSpec<F>,
): Promise<INodeExecutionData[][] | null> {
	const place = context.getMode() === 'manual' ? 'later' : placeOf(context);
	let run: Run | undefined;
	try {
		if (context.getMode() === 'manual') return [await samplesOf(await open(context, spec))];
		const items = await oneAtATime(context, async () => await poll((run = await open(context, spec))));
		return items && items.length > 0 ? [items] : null;
	} catch (error) {
		const labels = (path: string[]) => labelsOf(formOfTrigger(spec), path);
		const nodeError = toNodeError(context.getNode(), error, { purpose: `look for ${spec.things}`, labels });
		// Who publishes it is told what is wrong with it, but not that the service has trouble just now.
		const reason = run?.failures[0]?.error ?? error;
		if (place === 'later' || (place === 'publish' && !isTrouble(reason))) throw nodeError;
		warn(context, `${nodeError.message}. The next poll tries again.`);
		return null;
	}
}

/** @throws InvalidInput; ServiceError if a company that was entered by name cannot be looked up */
async function open<F extends FieldMap>(context: IPollFunctions, spec: TriggerSpec<F>): Promise<Run> {
	const form = await readForm(context, spec);
	const choices = choicesOf(form, spec);
	const budgetMs = budgetOf(context);
	const service = await openService(context, choices, budgetMs * LISTS_END);
	// A name is looked up for each poll, because another company may have it by then.
	const isCompleted = await form.complete({ companies: async () => (await listCompanies(service)).records });
	return new Run(context, isCompleted ? choicesOf(form, spec) : choices, service, budgetMs);
}

/** One poll, from the stored state to the new one. @throws if no list could be read */
async function poll(run: Run): Promise<INodeExecutionData[]> {
	const store = stateStoreOf(run.context);
	if (store.isBeingSaved) return [];
	const former = unpackState(store.stored);
	if (!former && (store.stored ?? null) !== null)
		warnStartsOver(run, 'What was remembered of earlier polls cannot be read', 'from now on');
	const rules = rulesOf(run);
	const kinds = begin(run, former, rules);
	const width = Math.max(1, Math.floor(run.service.settings.concurrency / kinds.length));
	// Each by itself, so that one that hangs holds up no other.
	const given = (await Promise.all(kinds.map(async (each) => await pollKind(run, each, width)))).flat();
	const report = () => run.reportFailures(kinds.reduce((sum, { worked }) => sum + worked, 0));
	if (former) report();
	// What it lacks of one kind, it may lack of the others: they are compared with the next poll.
	const foundGap = kinds.some((each) => each.foundGap);
	for (const { memory, worked } of kinds)
		// Nor does what could not be begun wait for the next round.
		if (foundGap || (memory.isNew && worked === 0)) Object.assign(memory.state.round, { at: 0, left: 0 });
	const state: State = new Map(kinds.map(({ kind, memory }) => [kind.code, memory.finish()]));
	keepWithinBounds(state, rules);
	store.write(packState(state), given.length > 0);
	// What comes after a first poll that failed is given by the next ones.
	if (!former) report();
	return given.toSorted((one, other) => one.created - other.created).map(({ item }) => item);
}

/** Reads the list of all companies, companies' own, and the details of what is new. @param width how many companies are asked at once */
async function pollKind(run: Run, each: KindPoll, width: number) {
	const { kind, news, memory } = each;
	await each.readMain(run.stage(LISTS_END, PART_MS));
	if (each.wantsCompanies)
		await each.visitCompanies(run.stage(COMPANIES_END, memory.isNew ? ACTIVATION_MS : PART_MS), width);
	if (memory.startsOver && !memory.isNew)
		warnStartsOver(run, `Two ${kind.things} of different companies have the same ID`);
	if (memory.startsOver) return [];
	const inOrder = news.all.toSorted((one, other) => (one.found.created ?? 0) - (other.found.created ?? 0));
	return await itemsOf(run, kind, inOrder, run.stage(DETAILS_END), memory);
}

/** Restores what is remembered of each kind; one whose settings have changed starts over. */
function begin(run: Run, former: State | undefined, rules: NewsRules): KindPoll[] {
	const { choices, service } = run;
	const settings = settingsOf(choices, service);
	const before = former && Math.max(...[...former.values()].map(({ polledAt }) => polledAt));
	const since = before ?? Math.min(rules.existingSince ?? Infinity, Date.now());
	return choices.kinds.map((kind) => {
		const known = former?.get(kind.code);
		const settingsNow = settings.of(kind);
		if (known && known.settings !== settingsNow) warnStartsOver(run, `The settings of ${kind.things} were changed`);
		const state = known?.settings === settingsNow ? known : newKind(settingsNow, settings.scope, since);
		if (state.scope !== settings.scope) chooseOthers(state, settings.scope);
		state.asksEach ||= !run.asksAll;
		return new KindPoll(kind, new Memory(state, former === undefined, rules), run);
	});
}

/** Lists that come in with other companies begin when all were read last. */
function chooseOthers(state: KindState, scope: string): void {
	state.open.delete(MAIN);
	Object.assign(state, { ...newScope(), scope, since: Math.max(state.since, state.readAt) });
}

/**
 * Says in n8n's log that what was remembered is not used any more.
 * @param reason the beginning of the sentence
 * @param begin since when records are given
 */
function warnStartsOver(run: Run, reason: string, begin = 'since the last poll'): void {
	run.warn(`${reason}, so the trigger starts over: it remembers what is there and gives what was created ${begin}.`);
}

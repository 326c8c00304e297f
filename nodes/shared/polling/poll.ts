import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { labelsOf, type FieldMap } from '../form/field';
import { listCompanies } from '../pickers/companies';
import { toNodeError } from '../transport/nodeError';
import { keepWithinBounds } from './bounds';
import { choicesOf, openService, readForm, settingsOf, type Choices } from './choices';
import { formOfTrigger } from './fields';
import { itemsOf } from './items';
import { KindPoll } from './kindPoll';
import { Memory } from './memory';
import { Run } from './run';
import { samplesOf } from './samples';
import { HOUR_MS, MAIN, newKind, newLists, packState, unpackState, type KindState, type State } from './state';
import { budgetOf, oneAtATime, stateStoreOf } from './store';
import type { TriggerSpec } from './trigger';

/** When the parts of a poll end, as shares of the time that n8n gives it: lists, companies, details. */
const LISTS_END = 0.5;
const COMPANIES_END = 0.65;
const DETAILS_END = 0.8;
/** For how long a poll reads the lists of all companies at most: one that does not answer must not hold up the others. */
const LISTS_MS = 60_000;
/** The same for companies' lists, for all kinds together: what they have is given only at the end of the poll. */
const COMPANIES_MS = 60_000;
/** The same for the poll at activation, because somebody waits for it. */
const ACTIVATION_MS = 15_000;
/** For how long a poll compares companies' lists with the list of all companies at most: new records must not wait for it. */
const COMPARING_MS = 5_000;
/** The same for a poll that has new records. */
const COMPARING_WITH_NEWS_MS = 1_000;

/**
 * Polls: gives every record that is new since the last successful poll once, in one batch, the oldest first.
 * @returns null when there is nothing: n8n starts an execution for anything else
 */
export async function pollRecords<F extends FieldMap>(
	context: IPollFunctions,
	spec: TriggerSpec<F>,
): Promise<INodeExecutionData[][] | null> {
	try {
		if (context.getMode() === 'manual') return [await samplesOf(await open(context, spec))];
		const items = await oneAtATime(context, async () => await poll(await open(context, spec)));
		return items && items.length > 0 ? [items] : null;
	} catch (error) {
		const labels = (path: string[]) => labelsOf(formOfTrigger(spec), path);
		throw toNodeError(context.getNode(), error, { purpose: `look for ${spec.things}`, labels });
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
		run.warnStartsOver('What was remembered of earlier polls cannot be read', 'from now on');
	const kinds = begin(run, former);
	await readLists(run, kinds, former === undefined);
	run.reportFailures(kinds.reduce((sum, { worked }) => sum + worked, 0));
	const details = run.stage(DETAILS_END);
	const given = [];
	for (const { kind, news, memory } of kinds) {
		if (memory.startsOver) {
			if (former) run.warnStartsOver(`Two ${kind.things} of different companies have the same ID`);
			continue;
		}
		const inOrder = news.all.toSorted((one, other) => (one.found.created ?? 0) - (other.found.created ?? 0));
		given.push(...(await itemsOf(run, kind, inOrder, details, memory)));
	}
	const state: State = new Map(kinds.map(({ kind, memory }) => [kind.code, memory.finish()]));
	keepWithinBounds(state, (message) => run.warn(message));
	store.write(packState(state), given.length > 0);
	return given.toSorted((one, other) => one.created - other.created).map(({ item }) => item);
}

/** Reads the lists of all companies, then companies' own. @param isFirst whether the workflow is being activated */
async function readLists(run: Run, kinds: KindPoll[], isFirst: boolean): Promise<void> {
	const lists = run.stage(LISTS_END, LISTS_MS);
	await Promise.all(kinds.map(async (kind) => await kind.readMain(lists)));
	if (run.choices.scope.kind !== 'every') return;
	const hasNews = kinds.some(({ news }) => news.all.length > 0);
	const isComparedEnough = run.timeUp(hasNews ? COMPARING_WITH_NEWS_MS : COMPARING_MS);
	const waiting = kinds.filter(({ wantsCompanies }) => wantsCompanies);
	// Each kind has its part of the time, because one company that does not answer takes all of that.
	const nextStage = run.stages(waiting.length, COMPANIES_END, isFirst ? ACTIVATION_MS : COMPANIES_MS);
	for (const kind of waiting.toSorted((one, other) => one.lastAsked - other.lastAsked))
		await kind.visitCompanies(nextStage(), isComparedEnough);
}

/** How late a record may show up, or how long its status is watched, in ms; an hour more for what one reading missed as pages shifted. */
const windowOf = ({ watchesStatus, options: { lateArrivals = 24, watchedDays = 30 } }: Choices) =>
	((watchesStatus ? watchedDays * 24 : lateArrivals) + 1) * HOUR_MS;

/** Restores what is remembered of each kind; one whose settings have changed starts over. */
function begin(run: Run, former: State | undefined): KindPoll[] {
	const { choices, service, clock } = run;
	const { watchesStatus, alsoFirstSeen, options } = choices;
	const settings = settingsOf(choices, service);
	const existingSince = watchesStatus || !options.emitExistingSince ? undefined : Date.parse(options.emitExistingSince);
	const warn = (text: string) => run.warn(text);
	const rules = { clock, windowMs: windowOf(choices), watchesStatus, alsoFirstSeen, existingSince, warn };
	const before = former && Math.max(...[...former.values()].map(({ polledAt }) => polledAt));
	const since = before ?? Math.min(existingSince ?? Infinity, Date.now());
	return choices.kinds.map((kind) => {
		const known = former?.get(kind.code);
		const settingsNow = settings.of(kind);
		if (known && known.settings !== settingsNow) run.warnStartsOver(`The settings of ${kind.things} were changed`);
		const state = known?.settings === settingsNow ? known : newKind(settingsNow, settings.scope, since);
		if (state.scope !== settings.scope) chooseOthers(state, settings.scope);
		state.asksEach ||= !run.asksAll;
		return new KindPoll(kind, new Memory(state, former === undefined, rules), run);
	});
}

/** Lists that come in with other companies begin when all were read last; those that were read before go on. */
function chooseOthers(state: KindState, scope: string): void {
	const { lists, open, hasForgotten } = state;
	if (state.from > 0) state.since = Math.max(state.since, state.readAt);
	for (const all of [lists, open]) all.delete(MAIN);
	Object.assign(state, newLists(), { scope, lists, open, hasForgotten });
}

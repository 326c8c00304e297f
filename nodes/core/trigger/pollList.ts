import { sortBy } from 'lodash';

import { asError, rethrow, ServiceError } from '../http/errors';
import { askCompanies, inOrder, isRefusedOrForbidden, NO_COMPANY, type RowsRead, type Round } from './readCompanies';
import {
	advance,
	copyOf,
	findEarliestUnread,
	learn,
	meaningOf,
	MOST_UNREAD_MS,
	newState,
	noteUnread,
	prune,
	remember,
	type KindState,
} from './state';
import type { Kind, ListedCompany, Poll, Row, Rules } from './types';
import { plural } from '../values';

/** For how long a new record waits for its company, where lists fail or there is no time for all. */
const MOST_WAITING_MS = 60 * 60_000;
/** For how long a new record waits if it may belong to a company that 'Only Companies' leaves out: as long as an unread company is remembered. */
const MOST_WAITING_LEFT_OUT_MS = MOST_UNREAD_MS;
/** How often each company is asked where one list has the records of all: before what that list lacks falls below watchedFrom. */
const CHECK_EVERY_MS = 12 * 60 * 60_000;

/** A record to give. */
export interface Given {
	row: Row;
	/** Without an ID where it is not known. */
	company: Pick<ListedCompany, 'id' | 'name'>;
	/** The status at the poll before; null for a record that is seen for the first time. */
	previousStatus: string | null;
}

/** What is to be said where the time was up. */
export const tooSlow = (rules?: Rules) =>
	new ServiceError({
		reason: 'the service did not answer in the time that a poll has for it',
		advice: `The next poll tries again. If it goes on, set another 'Concurrency' or a larger 'Page Size'${rules?.watchesStatus ? " or fewer 'Watched Days'" : ''}, or split the trigger by company.`,
		cause: 'temporarily-unavailable',
		transient: true,
	});

/**
 * Polls one kind of records, in the five steps of the README.
 * @param former what is remembered of the last poll
 * @returns the records to give, and what to remember now
 * @throws ServiceError where no list could be read
 */
export async function pollKind(poll: Poll, kind: Kind, watched: KindState['watched'], former?: KindState) {
	const changed = Object.keys(watched).filter((name) => former && former.watched[name] !== watched[name]);
	const isNew = !former || changed.length > 0;
	if (changed.length > 0)
		poll.warn(
			`What is watched has changed (${changed.join(', ')}), so the trigger begins anew: the ${kind.things} that there are now count as existing.`,
		);
	const state = isNew ? newState(watched) : copyOf(former, poll.now);
	// With the other way, what one list has is to be learnt anew.
	if (!poll.mayCoverAll) delete state.coversAll;
	const isCheck = poll.now - state.askedAt >= CHECK_EVERY_MS;
	const given =
		(state.coversAll && !isCheck ? await pollOneList(poll, kind, state) : undefined) ??
		(await pollEach(poll, kind, state, isNew));
	if (poll.scope.kind === 'every' && (isNew || former.coversAll !== state.coversAll))
		poll.note(
			`The ${kind.things}: asks ${state.coversAll ? 'one list for all, and each company twice a day' : 'each company; what none of their lists shows does not come'}.`,
		);
	if (prune(state))
		poll.warn(
			`More recent ${kind.things} than can be remembered: the oldest were forgotten, so what is listed late may be missed. ${poll.rules.watchesStatus ? "Set fewer 'Watched Days', or split" : 'Split'} the trigger by company.`,
		);
	return { given, state };
}

/**
 * Asks the one list that has the records of every company, and companies only to find whose its news are.
 * @returns undefined where the service refuses to be asked without a company: then each is asked
 */
async function pollOneList(poll: Poll, kind: Kind, state: KindState): Promise<Given[] | undefined> {
	const from = state.watchedFrom;
	const all = await askCompanies(poll, kind, [NO_COMPANY], { from: () => from });
	const [list] = all.answered;
	const error = all.silent[0]?.error;
	if (!list && !isRefusedOrForbidden(error)) return await rethrow(error ?? tooSlow(poll.rules));
	if (!list) return void (state.askedAt = 0);
	const news = list.rows.filter((row) => meaningOf(row, state, from, poll.rules) === 'give');
	const wanted = new Set(news.map(({ id }) => id).filter((id) => !state.seen.get(id)?.[2]));
	const companies = news.length > 0 ? await poll.companies() : [];
	const asked = wanted.size > 0 ? searchOrder(companies, state, wanted) : [];
	const { answered, silent } = await askCompanies(poll, kind, asked, { from: () => from, wanted });
	const ids = new Set(list.rows.map(({ id }) => id));
	const found = answered.map((each) => ({ ...each, rows: each.rows.filter(({ id }) => ids.has(id)) }));
	const ofAll = { ...list, company: { ...NO_COMPANY, below: asked } };
	const round = { answered: [ofAll, ...found], silent };
	const decisions = decideOnRecords(poll, state, { round, since: () => from, companies });
	// Whoever was not read is read as far back as it owes by the next check.
	noteUnread(state, { answered: [], silent }, from, poll.now);
	finish(poll, kind, state, { lists: [list, ...answered], silent, ...decisions });
	return decisions.given;
}

/**
 * Who had news lately comes first, and parents last: all are read after the list of all, so none shows less than that. Where all
 * records wait already, only the trees are read again with a company that was not read.
 */
function searchOrder(companies: ListedCompany[], { seen, unread, waiting }: KindState, wanted: Set<string>) {
	const lately = new Map<string, number>();
	for (const [hour, , id] of seen.values()) lately.set(id, Math.max(hour, lately.get(id) ?? 0));
	const roots = new Set(companies.filter(({ id }) => unread.has(id)).map(({ root }) => root));
	const isAgain = [...wanted].every((id) => waiting.has(id));
	return sortBy(
		companies.filter((company) => !isAgain || roots.has(company.root)),
		[({ below }) => below.length > 0, ({ id }) => -(lately.get(id) ?? 0)],
	);
}

/** Asks each company, the trees with those that were not read first; the one of the scope in every poll. */
async function pollEach(poll: Poll, kind: Kind, state: KindState, isNew: boolean): Promise<Given[]> {
	const { rules, now } = poll;
	if (!isNew && now - state.askedAt < poll.askEachMs) return [];
	const companies = await poll.companies();
	const begins = isNew ? rules.existingSince : state.watchedFrom;
	const since = ({ id }: Pick<ListedCompany, 'id'>) => state.unread.get(id)?.from ?? begins;
	// A parent's list may show a company's records, so a company is read as far back as its parents are; the list without a
	// company, which may show everybody's, as far back as any company is.
	const from = (company: ListedCompany, newest: number) => {
		const others =
			company.id === NO_COMPANY.id ? [findEarliestUnread(state)] : company.above.map((id) => since({ id }));
		return Math.min(since(company), ...others, isNew ? newest - rules.windowMs : state.watchedFrom);
	};
	const all = await askCompanies(poll, kind, poll.mayCoverAll ? [NO_COMPANY] : [], { from });
	const places = new Map([...state.unread.keys()].map((id, place) => [id, place]));
	const order = inOrder(companies, (id) => places.get(id) ?? Infinity);
	const { answered, silent } = await askCompanies(poll, kind, order, { from });
	if (answered.length === 0 && companies.length > 0) return await rethrow(silent.at(-1)?.error ?? tooSlow(rules));
	const decisions = decideOnRecords(poll, state, { round: { answered, silent }, since, companies });
	if (silent.length > 0)
		poll.warn(
			`The ${kind.things} of ${silent.length} of ${plural(companies.length, 'company')} could not be read, and are asked for again${reasonOf(silent)}.`,
		);
	const lists = [...answered, ...all.answered];
	const existing = isNew && silent.length === 0 ? Infinity : since(NO_COMPANY);
	// What no company's list shows, such as the reseller's own, was there as well when the trigger began.
	for (const row of all.answered.flatMap(({ rows }) => rows))
		if (!state.seen.has(row.id) && meaningOf(row, state, existing, rules) === 'remember') remember(state, row, '', now);
	noteUnread(state, { answered: lists, silent: [...silent, ...all.silent] }, Math.min(begins, now), now);
	finish(poll, kind, state, { lists, silent, ...decisions });
	for (const { rows } of all.answered) learn(state, rows, answered, now);
	if (all.silent.some(({ error }) => isRefusedOrForbidden(error))) state.coversAll = false;
	// After publishing the first round asks at once.
	state.askedAt = isNew && !state.coversAll ? 0 : now;
	return decisions.given;
}

/** The result of reading the lists of all companies once. */
interface RoundResult extends Pick<Round, 'silent'>, Decisions {
	lists: RowsRead[];
}

/** Moves on after a round, and says what is not as it should be. */
function finish(
	poll: Poll,
	kind: Kind,
	state: KindState,
	{ lists, silent, given, dropped, formerlyWaiting }: RoundResult,
): void {
	const rows = lists.flatMap((list) => list.rows);
	if (state.watchedFrom === 0 || lists.every(({ unchanged }) => unchanged)) advance(state, rows, poll.rules, poll.now);
	// Records that wait, or waited until this poll, must stay above watchedFrom. Lists that may have hidden them are read again.
	const createTimes = [...formerlyWaiting, ...state.waiting.values()].map(({ created = Infinity }) => created);
	state.watchedFrom = Math.min(state.watchedFrom, ...createTimes);
	const unsure = state.waiting.size > 0 ? lists.filter(({ unchanged, pages }) => !unchanged || pages > 1) : [];
	for (const { company } of unsure)
		if (!state.unread.has(company.id)) state.unread.set(company.id, { from: state.watchedFrom, since: poll.now });
	const nameless = lists.reduce((sum, list) => sum + list.nameless, 0);
	const lost = poll.scope.kind === 'every' ? given.filter(({ company }) => company.id === '').length : 0;
	const said: Array<[count: number, what: string]> = [
		[nameless, 'cannot be watched: no ID is known'],
		[state.waiting.size, `must wait until it is certain which company they belong to${reasonOf(silent)}`],
		[
			dropped,
			`are not given, because they may belong to a company that 'Only Companies' leaves out${reasonOf(silent)}`,
		],
		[lost, "could not be found in any company's list, so given without a company"],
	];
	for (const [count, what] of said)
		if (count > 0) poll.warn(`${plural(count, 'record')} of the ${kind.things} ${what}.`);
}

/** Why the first company did not answer, for the end of a sentence; empty where there was only no time. */
function reasonOf(silent: Round['silent']): string {
	const first = silent.find(({ error }) => error !== undefined);
	return first ? ` (${first.company.name || first.company.id}: ${asError(first.error).message})` : '';
}

/** What a poll has read of a kind. */
interface Taken {
	round: Round;
	/** From when a company's records count, in ms; Infinity for none. */
	since: (company: ListedCompany) => number;
	companies: ListedCompany[];
}

/** The decisions about the records that a poll has read. */
interface Decisions {
	given: Given[];
	/** The number of new records that are never given, because they may belong to a company that 'Only Companies' leaves out. */
	dropped: number;
	/** The records that waited before this poll. */
	formerlyWaiting: Array<{ created?: number | undefined }>;
}

/** Decides what to do with each record that was read (see the table in README.md), and notes the decisions in the state. */
function decideOnRecords(poll: Poll, state: KindState, { round, since, companies }: Taken): Decisions {
	const { rules, now } = poll;
	const byId = new Map(companies.map((company) => [company.id, company]));
	// What a page hid that shifted while it was read, the next reading finds.
	const idsOf = (lists: RowsRead[]) => new Set(lists.map(({ company }) => company.id));
	const again = idsOf(round.answered.filter(({ unchanged }) => unchanged));
	const done = idsOf(round.answered.filter(({ unchanged, pages }) => unchanged && pages === 1));
	const former = state.waiting;
	state.waiting = new Map();
	const given: Given[] = [];
	let dropped = 0;
	const listed = deepestIn(round.answered);
	for (const [id, { row, company }] of listed) {
		const meaning = meaningOf(row, state, since(company), rules);
		if (meaning === 'nothing') continue;
		const [, knownStatus, knownId = ''] = state.seen.get(id) ?? [];
		const known = knownId ? (byId.get(knownId) ?? { ...NO_COMPANY, id: knownId }) : undefined;
		const isSecondTime = former.has(id) || knownStatus !== undefined;
		const owners = findPossibleOwners(company, known, isSecondTime ? again : done);
		const owner = owners.length === 1 ? owners[0] : undefined;
		if (meaning === 'remember') {
			remember(state, row, owner?.id ?? knownId, now);
			continue;
		}
		if (!owners.some(({ isWanted }) => isWanted)) continue;
		const mayBeLeftOut = owners.some(({ isWanted }) => !isWanted);
		const firstListed = former.get(id)?.since ?? now;
		const mostWaiting = mayBeLeftOut ? MOST_WAITING_LEFT_OUT_MS : MOST_WAITING_MS;
		if (!owner && now - firstListed < mostWaiting) {
			state.waiting.set(id, { since: firstListed, created: row.created });
			continue;
		}
		remember(state, row, owner?.id ?? knownId, now);
		if (mayBeLeftOut) dropped++;
		else given.push({ row, company: owner ?? NO_COMPANY, previousStatus: knownStatus ?? null });
	}
	// What the list shows that was not read this time waits on.
	const isWhole = companies.every(({ id }) => again.has(id));
	for (const [id, wait] of former)
		if (!isWhole && !listed.has(id) && now - wait.since < MOST_WAITING_MS) state.waiting.set(id, wait);
	return { given, dropped, formerlyWaiting: [...former.values()] };
}

/** Of each record, the row of the deepest company that lists it. */
export function deepestIn(answered: RowsRead[]): Map<string, { row: Row; company: ListedCompany }> {
	const depth = ({ id, above }: ListedCompany) => (id === '' ? -1 : above.length);
	const lists = sortBy(answered, ({ company }) => depth(company));
	return new Map(lists.flatMap(({ company, rows }) => rows.map((row) => [row.id, { row, company }] as const)));
}

/**
 * Lists the companies that a record may belong to: the deepest company that lists it, and the companies below it that have not
 * answered, because their lists may have the record, too. A refusal (403, 404) is no answer.
 * @param known the company that the record belonged to before, if there is one
 * @param done the IDs of the companies that have answered
 */
export function findPossibleOwners(
	lister: ListedCompany,
	known: ListedCompany | undefined,
	done: Set<string>,
): ListedCompany[] {
	if (known && (lister.id === '' || known.above.length >= lister.above.length)) return [known];
	return [lister, ...lister.below.filter(({ id }) => !done.has(id))];
}

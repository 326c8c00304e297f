import { maxBy, pickBy, sortBy } from 'lodash';

import { plural } from '../transport/text';
import { asError, isRefusal, rethrow, ServiceError } from '../transport/errors';
import { reasonOf, takeFrom, type Given } from './companies';
import { tooSlow } from './open';
import { giveOfAll } from './owners';
import { readRows } from './rows';
import { advance, begin, judge, prune, remember, type KindState } from './state';
import type { Asked, Kind, Poll, Row } from './trigger';

/**
 * Polls one kind of records: reads its lists and decides what is new in them.
 * @param key stands for what is watched; where it has changed, what there is now counts as existing
 * @param former what is remembered of the last poll
 * @returns the records to give, and what to remember now
 * @throws ServiceError where no list could be read
 */
export async function pollKind(poll: Poll, kind: Kind, key: string, former: KindState | undefined) {
	const isNew = former?.key !== key;
	const nothing = { key, floor: 0, newest: 0, seen: {}, behind: {}, sought: {}, askedAt: 0 };
	const state: KindState = isNew ? nothing : structuredClone(former);
	// With the other way, what one list of all has is to be learnt anew.
	if (!poll.mayCoverAll) delete state.coversAll;
	const given = (await pollListOfAll(poll, kind, state)) ?? (await pollEach(poll, kind, state, isNew));
	const pruned = prune(state);
	if (pruned.isCut)
		poll.warn(
			`More recent ${kind.things} than can be remembered: the oldest were forgotten, so what is listed late may be missed. Set fewer 'Watched Days', or split the trigger by company.`,
		);
	return { given, state: pruned.state };
}

/** Whether the service will not answer this request as it is: then another way is needed. */
const isRefused = (error: unknown) =>
	isRefusal(error) || (error instanceof ServiceError && error.details.status === 403);

/**
 * Reads the one list that has the records of every company, where it is known that there is one.
 * @returns undefined where there is none, or where the service refuses to be asked without a company: then each is asked
 */
async function pollListOfAll(poll: Poll, kind: Kind, state: KindState): Promise<Given[] | undefined> {
	const { rules, now } = poll;
	const { seen, floor } = state;
	if (!state.coversAll) return undefined;
	const read = await readRows(poll, kind, undefined, () => floor).catch((error: unknown) =>
		isRefused(error) ? asError(error).message : rethrow(error),
	);
	if (typeof read === 'string') {
		poll.warn(`The list of ${kind.things} of all companies cannot be read any more (${read}), so each is asked.`);
		Object.assign(state, { coversAll: false, askedAt: 0 });
		return undefined;
	}
	const { news, settled } = judge(read.rows, seen, floor, floor, rules);
	for (const row of settled) remember(seen, row, '', now);
	const given = news.length > 0 ? await giveOfAll(poll, kind, state, news) : [];
	if (news.length === 0) state.sought = {};
	// What waits for its company must not fall below the floor.
	if (Object.keys(state.sought).length === 0) {
		if (read.unchanged) advance(state, read.rows, rules.windowMs, now);
		state.behind = pickBy(state.behind, (own) => own > state.floor);
	}
	return given;
}

/** Asks each company, those that are behind first; the one of the scope in every poll. */
async function pollEach(poll: Poll, kind: Kind, state: KindState, isNew: boolean): Promise<Given[]> {
	const { rules, now } = poll;
	if (!isNew && now - state.askedAt < poll.askEachMs) return [];
	const companies = await poll.companies();
	const places = new Map(Object.keys(state.behind).map((id, place) => [id, place]));
	const order = sortBy(companies, ({ id }) => places.get(id) ?? places.size);
	const since = isNew ? rules.existingSince : state.floor;
	const { given, asked } = await takeFrom(poll, kind, state, order, {
		since,
		...(isNew ? { windowMs: rules.windowMs } : {}),
	});
	const { answered, failed, unreached } = asked;
	if (answered.length === 0 && companies.length > 0) return await rethrow(failed[0]?.error ?? tooSlow());
	const rows = answered.flatMap((each) => each.rows);
	if (isNew) begin(state, rows, rules.windowMs, now);
	else if (unreached.length === 0 && answered.every(({ unchanged }) => unchanged))
		advance(state, rows, rules.windowMs, now);
	Object.assign(state, { askedAt: now, sought: {} });
	const silent = failed.length + unreached.length;
	if (silent > 0)
		poll.warn(
			`The ${kind.things} of ${silent} of ${plural(companies.length, 'company')} could not be read, and are asked for again${reasonOf(asked)}.`,
		);
	if (poll.mayCoverAll && isCaughtUp(state)) state.coversAll = await coversAll(poll, kind, state, asked, isNew);
	return given;
}

/** Whether no company has records to give that lie below the floor, where a list of all would not show them. */
export const isCaughtUp = ({ behind, floor }: KindState) => Object.values(behind).every((own) => own >= floor);

/**
 * Whether the list without a company has the records of every company: the contract (4.1) says so, other platforms give the
 * reseller's own (deployment behaviour). The newest records of two companies tell.
 * @returns what was known before, where they do not
 */
async function coversAll(poll: Poll, kind: Kind, state: KindState, { answered }: Asked, isNew: boolean) {
	const { seen, floor } = state;
	const timed = (rows: Row[]) => rows.filter(({ created }) => created !== undefined);
	const newest = answered.flatMap(({ rows }) => maxBy(timed(rows), 'created') ?? []);
	const [first, ...others] = sortBy(newest, ({ created = 0 }) => -created);
	const second = others.find(({ id }) => id !== first?.id);
	if (!first || !second) return state.coversAll;
	const lowest = Math.min(second.created ?? 0, floor);
	const all = await readRows(poll, kind, undefined, () => lowest).catch((error: unknown) => ({ error }));
	if ('error' in all) return isRefused(all.error) ? false : state.coversAll;
	if (![first, second].every(({ id }) => all.rows.some((row) => row.id === id))) return false;
	// What is in no company's list, such as the reseller's own, was there as well when the trigger began.
	const { settled } = judge(all.rows, seen, floor, poll.now, poll.rules);
	for (const row of isNew ? settled : []) remember(seen, row, '', poll.now);
	return true;
}

import { partition, pickBy, sortBy } from 'lodash';

import { plural } from '../transport/text';
import type { Company } from '../transport/request';
import { reasonOf, takeFrom, type Given } from './companies';
import { HOUR_MS, remember, type KindState, type News } from './state';
import type { Asked, Kind, ListedCompany, Poll, Row } from './trigger';

/** For how long a new record waits for its company, where lists fail or there is no time for all. */
const MOST_SOUGHT_MS = HOUR_MS;

/**
 * Gives news of the list of all companies, whose rows name no company (deployment shapes): companies are asked until each
 * new record is in the list of one. What is not found comes again in the next poll, which asks only the companies that failed or
 * were not reached.
 * @param state all but its floor is written
 * @throws ServiceError where the companies cannot be listed
 */
export async function giveOfAll(poll: Poll, kind: Kind, state: KindState, news: News[]): Promise<Given[]> {
	const { seen, sought, floor } = state;
	const companies = await poll.companies();
	const byId = new Map<string, Company>(companies.map((company) => [company.id, company]));
	const [owned, ownerless] = partition(news, ({ row }) => seen[row.id]?.[2]);
	const wanted = new Set(ownerless.map(({ row }) => row.id));
	const isEnough = (rows: Row[], { isParent }: ListedCompany) => {
		// What a parent lists may be a child's, which is still being asked.
		for (const { id } of isParent ? [] : rows) wanted.delete(id);
		return wanted.size === 0;
	};
	const isFirst = [...wanted].some((id) => !(id in sought));
	const order = isFirst ? inSearchOrder(companies, state) : companies.filter(({ id }) => id in state.behind);
	const { given, asked } = await takeFrom(poll, kind, state, wanted.size > 0 ? order : [], { since: floor, isEnough });
	const found = new Set(asked.answered.flatMap(({ rows }) => rows.map(({ id }) => id)));
	const left = ownerless.filter(({ row }) => !found.has(row.id));
	state.sought = stillSought(poll, kind, sought, left, asked);
	const changed = owned.filter(({ row }) => !found.has(row.id));
	const lost = left.filter(({ row }) => !(row.id in state.sought));
	for (const { row } of [...changed, ...lost]) remember(seen, row, '', poll.now);
	// What may be a company's that could not be read when the trigger began was there already.
	const own = Math.max(0, ...Object.values(state.behind));
	const isThere = ({ row, previousStatus }: News) => previousStatus === null && (row.created ?? Infinity) < own;
	const companyOf = (id = '') => byId.get(id) ?? { id, name: '' };
	const others = [...changed, ...lost.filter((each) => !isThere(each))];
	return [...given, ...others.map((each) => ({ ...each, company: companyOf(seen[each.row.id]?.[2]) }))];
}

/** Who had news lately comes first, and parents, whose lists may have their children's records, last. */
function inSearchOrder(companies: ListedCompany[], { seen, behind }: KindState): ListedCompany[] {
	const lately = new Map<string, number>();
	for (const [hour, , id] of Object.values(seen)) lately.set(id, Math.max(hour, lately.get(id) ?? 0));
	return sortBy(companies, ['isParent', ({ id }) => -(lately.get(id) ?? 0), ({ id }) => !(id in behind)]);
}

/** @returns the records that wait for the next poll, and since when: while a company does not answer, for an hour at most */
function stillSought(poll: Poll, kind: Kind, sought: KindState['sought'], left: News[], asked: Asked) {
	const since = Object.fromEntries(left.map(({ row }) => [row.id, sought[row.id] ?? poll.now]));
	const silent = asked.failed.length + asked.unreached.length;
	const waiting = silent === 0 ? {} : pickBy(since, (at) => poll.now - at < MOST_SOUGHT_MS);
	const waits = Object.keys(waiting).length;
	if (waits > 0)
		poll.warn(
			`${plural(waits, 'new record')} of the ${kind.things} must wait: ${plural(silent, 'company')} did not answer${reasonOf(asked)}.`,
		);
	if (left.length > waits)
		poll.warn(
			`${plural(left.length - waits, 'new record')} of the ${kind.things} could not be found in any company's list, so given without a company.`,
		);
	return waiting;
}

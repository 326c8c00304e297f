import { isNull, omitBy, sortBy } from 'lodash';
import { NodeOperationError, type IDataObject, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { withoutSecrets } from '../response/outputFields';
import { companyNameOf } from '../companyScope/companyName';
import { mapBounded, withTimeout } from '../http/concurrency';
import { rethrow } from '../http/errors';
import { askCompanies, inOrder, NO_COMPANY, readRows, type RowsRead } from './readCompanies';
import { deepestIn, findPossibleOwners, tooSlow, type Given } from './pollList';
import type { Kind, Poll, Row } from './types';
import { isEmpty } from '../values';

const MOST_SAMPLES = 5;

/** A record as an item: as its list shows it, what it is, whose, and what it was before. */
export function itemOf({ rules }: Poll, kind: Kind, { row, company, previousStatus }: Given): INodeExecutionData {
	const columns: IDataObject = { companyName: company.name || null, companyResourceId: company.id || null };
	// The columns stand before the record's fields. A value that isn't known doesn't replace the record's own.
	const json: IDataObject = {
		kind: kind.name,
		...columns,
		...withoutSecrets(kind.output?.(row.record) ?? row.record),
	};
	Object.assign(json, { kind: kind.name }, omitBy(columns, isNull));
	if (rules.watchesStatus) json.previousStatus = previousStatus;
	return { json };
}

/** How long a poll waits for a name, which must not use up the time that it has. */
const MOST_MS_FOR_NAME = 5000;

/** The items with the name of the one company that was entered by its ID; what they lack of it is not worth a failure. */
export async function withCompanyName(
	{ scope, service }: Pick<Poll, 'scope' | 'service'>,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	if (scope.kind !== 'one' || items.every(({ json }) => !isEmpty(json.companyName))) return items;
	const asked = companyNameOf(scope.company, undefined, { asked: new Map() }, service);
	const companyName = await withTimeout(MOST_MS_FOR_NAME, asked).catch(() => '');
	return items.map(({ json, ...item }) => ({
		...item,
		json: companyName !== '' && isEmpty(json.companyName) ? { ...json, companyName } : json,
	}));
}

/** In the order of their creation, the oldest first. */
export const oldestFirst = <T extends { row: Row }>(all: T[]): T[] => sortBy(all, ({ row }) => row.created ?? 0);

/**
 * The newest records, as the poll would give them, for 'Fetch Test Event': those of the list without a company, and then the
 * lists of companies until it is known whose they are. What is remembered is neither read nor changed.
 * @throws NodeOperationError where there are none; ServiceError where no list could be read
 */
export async function samplesOf(context: IPollFunctions, poll: Poll, kinds: Kind[]): Promise<INodeExecutionData[]> {
	const ofAll = poll.mayCoverAll
		? await ofEach(poll, kinds, async (kind) => [await readRows(poll, kind, NO_COMPANY, reachOf(poll))])
		: [];
	const newest = newestOf(ofAll.flatMap(({ found }) => found));
	const asked = newest.length > 0 ? kinds.filter((kind) => newest.some((each) => each.kind === kind)) : kinds;
	const outcomes = await ofEach(poll, asked, async (kind) => {
		const rows = newest.filter((each) => each.kind === kind).map(({ row }) => row);
		const wanted = rows.length > 0 ? { wanted: new Set(rows.map(({ id }) => id)) } : {};
		const companies = inOrder(await poll.companies(), () => 0);
		const { answered, silent } = await askCompanies(poll, kind, companies, { ...reachOf(poll), ...wanted });
		const isNothing = answered.length === 0 && rows.length === 0 && companies.length > 0;
		return isNothing
			? await rethrow(silent[0]?.error ?? tooSlow(poll.rules))
			: [{ company: NO_COMPANY, rows, nameless: 0, unchanged: true, pages: 1 }, ...answered];
	});
	const found = outcomes.flatMap((each) => each.found);
	const owned = found.filter(({ company }) => company.id !== '');
	const items = newestOf(owned.length > 0 ? owned : found).map((each) => itemOf(poll, each.kind, each));
	if (items.length > 0) return await withCompanyName(poll, items);
	for (const { error } of outcomes) if (error !== undefined) return await rethrow(error);
	const message = `There are no ${kinds.map(({ things }) => things).join(' or ')} yet`;
	const description =
		"The service lists none for what you chose. Create one on the platform and fetch again, or check 'Company Scope' and 'Only Statuses'. Activated, the workflow starts with the first one.";
	throw new NodeOperationError(context.getNode(), message, { description });
}

const newestOf = <T extends { row: Row }>(all: T[]): T[] => oldestFirst(all).reverse().slice(0, MOST_SAMPLES);

/** How much of each list is read: more, where some may have another status. */
const reachOf = ({ rules, pageSize }: Poll) => ({
	from: () => 0,
	limit: rules.statuses.length > 0 ? pageSize : MOST_SAMPLES,
});

/** Reads lists of each kind. @returns their records that have a status that counts, and whose they are; or what went wrong */
async function ofEach({ rules: { statuses } }: Poll, kinds: Kind[], read: (kind: Kind) => Promise<RowsRead[]>) {
	const outcomes = await mapBounded(kinds, kinds.length, async (kind) => {
		const lists = await read(kind);
		const done = new Set(lists.map(({ company }) => company.id));
		return [...deepestIn(lists).values()].flatMap(({ row, company: lister }) => {
			const owners = findPossibleOwners(lister, undefined, done);
			const company = owners.length === 1 ? lister : NO_COMPANY;
			const hasStatus = statuses.length === 0 || statuses.includes(row.status.toLowerCase());
			return hasStatus && owners.every(({ isWanted }) => isWanted)
				? [{ row, company, kind, previousStatus: null }]
				: [];
		});
	});
	return outcomes.map((each) => (each.ok ? { found: each.value } : { found: [], error: each.error }));
}

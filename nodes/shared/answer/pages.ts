import type { IDataObject } from 'n8n-workflow';

import { collection } from '../form/collection';
import { wholeNumber } from '../form/number';
import { type FieldMap, type Values } from '../form/field';
import { DEFAULT_FILTERABLE, fieldFilters, type Filterable } from '../form/fieldFilters';
import { filters, isSortChosen, searchBody, sort, type Sortable } from '../form/search';
import type { Answer } from './answer';
import { limits } from './limits';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, remarkOn, type ListShape } from './paging';
import { readSearch, type Order } from './search';
import { recordOutput, type KnownFields } from './output';

/** What many searches can be sorted by (contract 2.2). */
export const DEFAULT_SORT: Sortable = { 'Create Time': 'CreateTime', Name: 'Name' };

/** What lists of people can be sorted by. */
export const USER_SORT: Sortable = { Email: 'Email', 'First Name': 'FirstName', 'Last Name': 'LastName' };

const pageOptions = {
	pageSize: wholeNumber({
		displayName: 'Page Size',
		default: DEFAULT_PAGE_SIZE,
		min: 1,
		max: MAX_PAGE_SIZE,
		description: 'Most records in one request',
	}),
};

interface PagesSpec<F extends FieldMap> extends Omit<ListShape, 'keep' | 'expand'> {
	/** The fields of a record, for 'Output'; given only where an item has more than 10. */
	known?: KnownFields;
	sortable?: Sortable;
	filterable?: Filterable;
	defaultOrder?: Order;
	/** Fields of this search that decide which records are wanted. */
	fields?: F;
	/**
	 * What those fields mean: how to read the list, what to add to the search's body, and the order if a person chose none.
	 * `note` is called after the list was read and gives a hint for the person.
	 */
	narrow?: (
		values: Values<F>,
	) => Partial<ListShape> &
		Pick<PagesSpec<F>, 'defaultOrder'> & { body?: IDataObject; note?: () => string | undefined };
}

/**
 * The answer of a search that is read page by page (contract 2.2, 2.3), with Return All, Limit, Simplify, Filters and
 * Sort.
 */
export function pages<F extends FieldMap>(spec: PagesSpec<F>): Answer {
	const { known, sortable = DEFAULT_SORT, filterable = DEFAULT_FILTERABLE, identity } = spec;
	const standardOrder = spec.defaultOrder ?? { orderBy: 'CreateTime', ascending: false };
	const ordered = { ...fieldFilters(filterable), filters, sort: sort(sortable) };
	const output = known && recordOutput({ id: Array.isArray(identity) ? identity : [], ...known });
	const options = { options: collection({ displayName: 'Options', fields: pageOptions }) };
	return {
		fields: { ...spec.fields, ...limits, ...output?.fields, ...ordered },
		options: pageOptions,
		reads: true,
		collect: async (request, form, { service, company, hint, most }, also = {}) => {
			const { returnAll, limit } = form.of(limits);
			const chosen = form.of(ordered);
			const { pageSize } = form.of(options).options;
			const narrowed = spec.fields ? spec.narrow?.(form.of(spec.fields)) : undefined;
			const { body, defaultOrder = standardOrder, isPast, note, ...shape } = narrowed ?? {};
			const isOwnOrder = !isSortChosen(chosen.sort);
			const list = await readSearch(
				service,
				{ ...request, body: { ...request.body, ...searchBody(chosen, defaultOrder), ...body } },
				{ limit: Math.min(returnAll ? Infinity : (limit ?? 1), most), pageSize },
				// Reading can only stop early in the operation's own order.
				{ identity, ...shape, ...(isPast && isOwnOrder ? { isPast } : {}), ...also, ...keepOfBoth(shape, also) },
				{ isOwnOrder, hint },
			);
			const remark = remarkOn(list, company?.name ? `The list of ${company.name}` : 'The list');
			for (const each of [remark, note?.()]) if (each !== undefined) hint(each);
			const outputOf = output?.of(form.of(output.fields));
			return list.records.map((each) => outputOf?.(each) ?? { json: each });
		},
	};
}

/** Keeps a record only if both conditions keep it. */
function keepOfBoth({ keep: one }: Partial<ListShape>, { keep: other }: Partial<ListShape>): Pick<ListShape, 'keep'> {
	if (!one || !other) return one || other ? { keep: one ?? other } : {};
	return { keep: (record) => one(record) && other(record) };
}

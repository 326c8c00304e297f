import type { IDataObject } from 'n8n-workflow';

import { collection, toggle, wholeNumber } from '../fields/basic';
import { when, type FieldMap, type Values } from '../fields/field';
import { filters, searchBody, sort, type Sortable } from '../fields/search';
import type { Answer } from './answer';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, readList, type ListShape } from './paging';
import { simplified, simplifyField } from './simplify';

/** What many searches can be sorted by (contract 2.2). */
export const USUAL_SORT: Sortable = { 'Create Time': 'CreateTime', Name: 'Name' };

/** What lists of people can be sorted by. */
export const USER_SORT: Sortable = { Email: 'Email', 'First Name': 'FirstName', 'Last Name': 'LastName' };

const limits = {
	returnAll: toggle({
		displayName: 'Return All',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	}),
	limit: when(
		{ returnAll: [false] },
		wholeNumber({
			displayName: 'Limit',
			default: 50,
			min: 1,
			description: 'Max number of results to return',
		}),
	),
};

const pageOptions = {
	pageSize: wholeNumber({
		displayName: 'Page Size',
		default: DEFAULT_PAGE_SIZE,
		min: 1,
		max: MAX_PAGE_SIZE,
		description: 'How many records to ask the service for at a time',
	}),
};

interface PagesSpec<F extends FieldMap> extends Omit<ListShape, 'keep' | 'expand'> {
	/** The fields that 'Simplify' keeps; given only where an item has more than 10. */
	essentials?: readonly string[];
	sortable?: Sortable;
	usually?: { orderBy: string; ascending: boolean };
	/** Fields of this search that decide which records are wanted. */
	fields?: F;
	/** What those fields mean for the list, for the search's body, and for its order if a person chose none. */
	narrow?: (
		values: Values<F>,
	) => Partial<ListShape> & Pick<PagesSpec<F>, 'usually'> & { body?: IDataObject };
}

/** A search read page by page (contract 2.2, 2.3): Return All, Limit, Simplify, Filters, Sort. */
export function pages<F extends FieldMap>(spec: PagesSpec<F>): Answer {
	const { essentials, sortable = USUAL_SORT, identity } = spec;
	const usually = spec.usually ?? { orderBy: 'CreateTime', ascending: false };
	const form = {
		...limits,
		...(essentials ? { simplify: simplifyField } : {}),
		filters,
		sort: sort(sortable),
	};
	return {
		fields: { ...spec.fields, ...form },
		options: pageOptions,
		reads: true,
		prepare: async (read) => {
			const { returnAll, limit, ...chosen } = await read({ ...limits, filters, sort: sort(sortable) });
			const { simplify } = await read({ simplify: simplifyField });
			const { options } = await read({ options: collection({ displayName: 'Options', fields: pageOptions }) });
			const narrowed = spec.fields ? spec.narrow?.(await read(spec.fields)) : undefined;
			const { body, usually: order = usually, isPast, ...shape } = narrowed ?? {};
			const search = { ...searchBody(chosen, order), ...body };
			// A list in another order cannot be left early.
			const isUsual = search.orderBy === order.orderBy && search.ascending === order.ascending;
			return async (request, { service, hint }, also) => {
				const { records, steady } = await readList(
					async (page, signal) =>
						(await service.json({ ...request, signal, body: { ...request.body, ...page, ...search } })).data,
					{
						limit: returnAll ? Infinity : (limit ?? 1),
						pageSize: options.pageSize ?? DEFAULT_PAGE_SIZE,
						ahead: service.settings.concurrency * 2,
					},
					{ identity, ...shape, ...(isPast && isUsual ? { isPast } : {}), ...also },
				);
				if (!steady)
					hint(
						'The list changed again and again while it was read, so a record created or deleted in that time may be missing or left over. Run the node again for a clean reading.',
					);
				return records.map((each) => ({
					json: simplify && essentials ? simplified(each, essentials) : each,
				}));
			};
		},
	};
}

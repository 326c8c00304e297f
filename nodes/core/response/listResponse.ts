import { orderBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { collection, mergedFields } from '../fields/collection';
import { mustHaveValue, showWhen, type FieldMap, type Values } from '../fields/field';
import { toggle, wholeNumber } from '../fields/fieldTypes';
import type { Conditions, FilterItem } from '../filters/conditions';
import {
	comparisonOf,
	filters,
	unknownNote,
	NEWEST_FIRST,
	searchBody,
	sort,
	type Sortable,
} from '../filters/filterFields';
import type { Answer, OperationContext } from './responseHandler';
import { recordOutput, type KnownFields } from './outputFields';
import { createdOf } from '../pagination/page';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, missingHint, readList, type ListShape } from '../pagination/readList';
import { endpointOf } from '../api/endpoint';
import type { Order } from '../api/endpoints';

/** What many searches can be sorted by (contract 2.2). */
export const DEFAULT_SORT: Sortable = { 'Create Time': 'CreateTime', Name: 'Name' };

/** What lists of people can be sorted by. */
export const USER_SORT: Sortable = { Email: 'Email', 'First Name': 'FirstName', 'Last Name': 'LastName' };

/** By those names they are also filtered. */
export const USER_CONDITIONS: Conditions = {
	Email: { name: 'Email', kind: 'text', of: 'email' },
	FirstName: { name: 'First Name', kind: 'text', of: 'firstName' },
	LastName: { name: 'Last Name', kind: 'text', of: 'lastName' },
};

/** What jobs of campaigns can be sorted by (deployment behaviour, "Search bodies"). */
export const JOB_SORT: Sortable = { Name: 'Name', 'Newest First': NEWEST_FIRST };

/** The fields for how much of a list is returned. */
const limits = {
	returnAll: toggle({
		displayName: 'Return All',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	}),
	limit: showWhen(
		{ returnAll: [false] },
		mustHaveValue(
			wholeNumber({
				displayName: 'Limit',
				default: 50,
				min: 1,
				description: 'Max number of results to return',
			}),
		),
	),
};

/** The fields of an answer for every company: where they have a limit, it is of each. */
export const forEveryCompany = (fields: FieldMap): FieldMap => {
	const { limit } = limits;
	const hint = 'For each company';
	return 'limit' in fields ? { ...fields, limit: { ...limit, property: { ...limit.property, hint } } } : fields;
};

const pageOptions = {
	pageSize: wholeNumber({
		displayName: 'Page Size',
		default: DEFAULT_PAGE_SIZE,
		min: 1,
		max: MAX_PAGE_SIZE,
		description: 'Most records in one request',
	}),
};

interface PagesSpec<F extends FieldMap> extends Pick<ListShape, 'identity'> {
	/** The fields of a record, for 'Output'; given only where an item has more than 10. */
	known?: KnownFields;
	sortable?: Sortable;
	isFiltered?: boolean;
	/** The fields that it is known to be filtered by, for 'Conditions'. */
	conditions?: Conditions;
	/** Fields of this search that decide which records are wanted. */
	fields?: F;
	/** @param timezone the workflow's time zone */
	toRequest?: (values: Values<F>, timezone: string) => Wanted;
}

/** By a number that is made of each record. */
interface ItsOrder {
	by: (record: IDataObject) => number;
	direction: 'asc' | 'desc';
}

const newestFirst: ItsOrder = { by: (record) => createdOf(record) ?? 0, direction: 'desc' };

/** Which records of a list are wanted, and how to ask for them. */
export interface Wanted extends Pick<ListShape, 'isWanted' | 'isPast'> {
	/** What the search's body has besides. */
	body?: IDataObject;
	/** Conditions that must match besides those that a person chose. */
	always?: FilterItem[];
	/** The sort if a person chose none. */
	defaultSort?: Order;
	/** Turns what was read into more records, for example companies into themselves and their child companies. */
	flatten?: ((records: IDataObject[]) => IDataObject[]) | undefined;
	/** The order before 'Limit', where the service cannot sort so; the whole list is read for it. */
	inOrder?: ItsOrder;
	/** Called after the list was read. @param records those that are returned @returns a hint for the person */
	note?: (records: IDataObject[], context: OperationContext) => string | undefined | Promise<string | undefined>;
}

const MORE = "There was more than 'Limit'. For the rest, raise it, or switch 'Return All' on.";

/** The answer of a search that is read page by page (contract 2.2, 2.3), with Return All, Limit, Output, Filters and Sort. */
export function pages<F extends FieldMap>(spec: PagesSpec<F>): Answer {
	const { known, sortable = DEFAULT_SORT, isFiltered = true, identity } = spec;
	const ordered = { sort: sort(sortable) };
	const filtered = { filters: filters(spec.conditions) };
	const output = known && recordOutput({ id: Array.isArray(identity) ? identity : [], ...known });
	const options = { options: collection({ displayName: 'Options', fields: pageOptions }) };
	return {
		fields: mergedFields(spec.fields ?? {}, limits, output?.fields ?? {}, ordered, isFiltered ? filtered : {}),
		options: pageOptions,
		collect: async (request, form, context, shape = {}) => {
			const { service, hint, timezone } = context;
			const { returnAll, limit: most = 1 } = form.of(limits);
			const chosen = { filters: {}, ...form.of(ordered), ...(isFiltered ? form.of(filtered) : {}) };
			const wanted: Wanted = (spec.fields ? spec.toRequest?.(form.of(spec.fields), timezone) : undefined) ?? {};
			const { defaultSort = endpointOf(request.endpoint).order, flatten = (records) => records, isPast } = wanted;
			const isNewestFirst = chosen.sort.by === NEWEST_FIRST;
			const isDefaultSort = isNewestFirst || chosen.sort.by === undefined;
			const search = searchBody(isDefaultSort ? { ...chosen, sort: {} } : chosen, defaultSort, wanted.always);
			const compared = comparisonOf(chosen.filters, timezone);
			const tests = [wanted.isWanted, shape.isWanted, compared?.matches].filter((each) => each !== undefined);
			const isKept = (row: IDataObject) => tests.every((test) => test(row));
			const hasKept = (rows: IDataObject[]) => (compared?.hasMatch(rows) ?? true) && rows.some(isKept);
			const body = { ...search, filter: isFiltered ? search.filter : undefined };
			const limit = returnAll ? Infinity : most;
			const inOrder = isNewestFirst ? newestFirst : isDefaultSort ? wanted.inOrder : undefined;
			const asked = { ...request, body: { ...request.body, ...body, ...wanted.body } };
			const read = await readList(service, asked, {
				limit: inOrder ? Infinity : limit,
				pageSize: form.of(options).options.pageSize,
				identity,
				// Reading can only stop early in the operation's own order.
				isPast: isDefaultSort ? isPast : undefined,
				...shape,
				isWanted: tests.length > 0 ? (record) => hasKept(flatten([record])) : undefined,
			});
			const flat = flatten(read.records).filter(isKept);
			const sorted = inOrder ? orderBy(flat, inOrder.by, inOrder.direction) : flat;
			const missing = missingHint(read);
			if (missing) hint(...missing);
			const cut = read.isCut || sorted.length > limit ? MORE : undefined;
			const records = sorted.slice(0, limit);
			for (const each of [cut, await wanted.note?.(records, context), compared?.note(), unknownNote(chosen.filters)])
				if (each !== undefined) hint(each);
			const outputOf = output?.of(form.of(output.fields));
			return records.map((json) => outputOf?.(json) ?? { json });
		},
	};
}

import { orderBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { collectionField, mergeFields } from '../fields/collection';
import { rejectEmptyExpression, showWhen, type FieldMap, type FieldValues } from '../fields/field';
import { toggleField, wholeNumberField } from '../fields/fieldTypes';
import type { FormValues } from '../fields/formValues';
import { rejectReplacedSearchFields } from '../fields/jsonFields';
import type { FilterableFields, FilterItem } from '../filters/conditions';
import {
	createFilterMatcher,
	searchFiltersBlock,
	buildUnknownFieldHint,
	NEWEST_FIRST,
	buildSearchBody,
	rejectReplacedSearch,
	sortField,
	type SortableFields,
} from '../filters/filterFields';
import type { ResponseHandler, OperationContext } from './responseHandler';
import { createOutputChoice, type OutputFields } from './outputFields';
import { getCreateTime } from '../pagination/parsePage';
import { buildMissingRecordsHint } from '../pagination/listResult';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, readList, type ListOptions } from '../pagination/readList';
import { getEndpoint } from '../api/endpoint';
import type { SortOrder } from '../api/endpointTraits';

/** The record fields that many searches can sort by (contract 2.2). */
export const DEFAULT_SORTABLE_FIELDS: SortableFields = { 'Create Time': 'CreateTime', Name: 'Name' };

/** The record fields that lists of people can be sorted by. */
export const USER_SORTABLE_FIELDS: SortableFields = {
	Email: 'Email',
	'First Name': 'FirstName',
	'Last Name': 'LastName',
};

/** The record fields that lists of people can be filtered by. */
export const USER_FILTERABLE_FIELDS: FilterableFields = {
	Email: { name: 'Email', type: 'text', recordField: 'email' },
	FirstName: { name: 'First Name', type: 'text', recordField: 'firstName' },
	LastName: { name: 'Last Name', type: 'text', recordField: 'lastName' },
};

/** The record fields that lists of campaign jobs can be sorted by (deployment behaviour, "Search bodies"). */
export const JOB_SORTABLE_FIELDS: SortableFields = { Name: 'Name', 'Newest First': NEWEST_FIRST };

/** The form fields that limit how many records are returned. */
const limitFields = {
	returnAll: toggleField({
		displayName: 'Return All',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	}),
	limit: showWhen(
		{ returnAll: [false] },
		rejectEmptyExpression(
			wholeNumberField({
				displayName: 'Limit',
				default: 50,
				min: 1,
				description: 'Max number of results to return',
			}),
		),
	),
};

/**
 * Adds a hint to the form field 'Limit', if `fields` contains it: with 'Every Company', the limit counts for each company. The hint is shown
 * with every scope, because n8n would show two fields 'Limit' for a scope from an expression (n8n 4).
 */
export function markLimitPerCompany(fields: FieldMap): FieldMap {
	if (!('limit' in fields)) return fields;
	const { limit } = limitFields;
	const hint = "With 'Every Company', the limit applies to each company separately";
	return { ...fields, limit: { ...limit, property: { ...limit.property, hint } } };
}

const pageOptions = {
	pageSize: wholeNumberField({
		displayName: 'Page Size',
		default: DEFAULT_PAGE_SIZE,
		min: 1,
		max: MAX_PAGE_SIZE,
		description: 'The maximum number of records to read with one request',
	}),
};

interface ListResponseOptions<F extends FieldMap> extends Pick<ListOptions, 'identity'> {
	/** The record fields that the user can select for the output. Only lists whose records have more than 10 fields have this option. */
	outputFields?: OutputFields;
	sortableFields?: SortableFields;
	/** False if the endpoint takes no filter. */
	isFilterable?: boolean;
	/** The record fields that the platform is known to filter by. 'Conditions' offers them. */
	filterableFields?: FilterableFields;
	/** The form fields of this operation that decide which records are returned. */
	fields?: F;
	/** Turns the values of `fields` into a query. @param timezone the IANA name of the workflow's time zone */
	toQuery?: (values: FieldValues<F>, timezone: string) => ListQuery;
}

/** An order of records by a number that is calculated from each record. */
interface RecordOrder {
	getValue: (record: IDataObject) => number;
	direction: 'asc' | 'desc';
}

const NEWEST_FIRST_ORDER: RecordOrder = { getValue: (record) => getCreateTime(record) ?? 0, direction: 'desc' };

/** Describes which records of a list to read, and how to request them. */
export interface ListQuery extends Pick<ListOptions, 'shouldKeep' | 'isPastEnd'> {
	/** Further properties of the search body, which override the default ones. */
	body?: IDataObject;
	/** Conditions that a record must meet in addition to those that the user entered. */
	requiredConditions?: FilterItem[];
	/** The sort order if the user selected none. */
	defaultSort?: SortOrder;
	/** Turns the records that were read into those to return, for example a company into itself and its child companies. */
	flatten?: ((records: IDataObject[]) => IDataObject[]) | undefined;
	/** An order that the platform doesn't offer. The node reads the whole list and sorts it before it applies 'Limit'. */
	order?: RecordOrder | undefined;
	/** Creates a hint for the user. Called after the list was read, with the records that are returned. */
	createHint?: (records: IDataObject[], context: OperationContext) => string | undefined | Promise<string | undefined>;
}

const LIMIT_REACHED_HINT =
	"There are more results than 'Limit'. To get the others, increase 'Limit' or turn on 'Return All'.";

/**
 * Creates the response of a search that is read page by page (contract 2.2, 2.3). It adds the form fields 'Return All', 'Limit',
 * 'Output', 'Filters' and 'Sort' to the operation.
 */
export function listResponse<F extends FieldMap>(options: ListResponseOptions<F>): ResponseHandler {
	const { outputFields, sortableFields = DEFAULT_SORTABLE_FIELDS, isFilterable = true, identity } = options;
	const idFields = Array.isArray(identity) ? identity : [];
	const outputChoice = outputFields && createOutputChoice({ id: idFields, ...outputFields });
	const sortFields = { sort: sortField(sortableFields) };
	const filterFields = { filters: searchFiltersBlock(options.filterableFields) };
	const optionsBlock = { options: collectionField({ displayName: 'Options', fields: pageOptions }) };

	const readQuery = (form: FormValues, timezone: string): ListQuery => {
		if (!options.fields || !options.toQuery) return {};
		return options.toQuery(form.get(options.fields), timezone);
	};

	return {
		fields: mergeFields(
			options.fields ?? {},
			limitFields,
			outputChoice?.fields ?? {},
			sortFields,
			isFilterable ? filterFields : {},
		),
		options: pageOptions,
		handle: async (request, form, context, listOptions = {}) => {
			const { client, addHint, timezone } = context;
			const { returnAll, limit: enteredLimit = 1 } = form.get(limitFields);
			const limit = returnAll ? Infinity : enteredLimit;
			const { sort } = form.get(sortFields);
			const { filters } = isFilterable ? form.get(filterFields) : { filters: {} };
			const query = readQuery(form, timezone);
			const flatten = query.flatten ?? ((records) => records);

			const isNewestFirst = sort.orderBy === NEWEST_FIRST;
			const isDefaultSort = isNewestFirst || sort.orderBy === undefined;
			const searchBody = buildSearchBody(
				{ filters, sort: isDefaultSort ? {} : sort },
				query.defaultSort ?? getEndpoint(request.endpoint).defaultOrder,
				query.requiredConditions,
			);
			const filterMatcher = createFilterMatcher(filters, timezone);
			const predicates = [query.shouldKeep, listOptions.shouldKeep, filterMatcher?.isMatch].filter(
				(predicate) => predicate !== undefined,
			);
			const shouldKeep = (record: IDataObject) => predicates.every((predicate) => predicate(record));
			const hasRecordToKeep = (records: IDataObject[]) =>
				(filterMatcher?.hasMatch(records) ?? true) && records.some(shouldKeep);

			let order = isDefaultSort ? query.order : undefined;
			if (isNewestFirst) order = NEWEST_FIRST_ORDER;
			const filter = isFilterable ? searchBody.filter : undefined;
			// `isPastEnd` assumes the operation's default order. In another order, a needed record may follow.
			const isPastEnd = isDefaultSort ? query.isPastEnd : undefined;
			const hasFixedOrder = sort.orderBy !== undefined || order !== undefined || isPastEnd !== undefined;
			rejectReplacedSearch(request.additionalFields, searchBody, hasFixedOrder);
			rejectReplacedSearchFields(request.additionalFields, query.body);
			const body = { ...request.body, ...searchBody, filter, ...query.body };
			const list = await readList(
				client,
				{ ...request, body },
				{
					limit: order ? Infinity : limit,
					pageSize: form.get(optionsBlock).options.pageSize,
					identity,
					isPastEnd,
					...listOptions,
					// A record is kept if the record itself, or a record that `flatten` makes of it, is returned.
					shouldKeep: predicates.length > 0 ? (record) => hasRecordToKeep(flatten([record])) : undefined,
				},
			);

			const keptRecords = flatten(list.records).filter(shouldKeep);
			const sortedRecords = order ? orderBy(keptRecords, order.getValue, order.direction) : keptRecords;
			const records = sortedRecords.slice(0, limit);
			const missingRecordsHint = buildMissingRecordsHint(list);
			if (missingRecordsHint) addHint(...missingRecordsHint);
			const hints = [
				list.isTruncated || sortedRecords.length > limit ? LIMIT_REACHED_HINT : undefined,
				await query.createHint?.(records, context),
				filterMatcher?.buildHint(),
				buildUnknownFieldHint(filters),
			];
			for (const hint of hints) if (hint !== undefined) addHint(hint);
			const mapToItem = outputChoice?.createItemMapper(form.get(outputChoice.fields));
			return records.map((record) => mapToItem?.(record) ?? { json: record });
		},
	};
}

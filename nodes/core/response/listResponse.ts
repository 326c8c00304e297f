import { orderBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { collectionField, mergeFields } from '../fields/collection';
import { rejectEmptyExpression, showWhen, type FieldMap, type FieldValues } from '../fields/field';
import { toggleField, wholeNumberField } from '../fields/fieldTypes';
import type { FormValues } from '../fields/formValues';
import type { FilterableFields, FilterItem } from '../filters/conditions';
import {
	createFilterMatcher,
	searchFiltersBlock,
	buildUnknownFieldHint,
	NEWEST_FIRST,
	buildSearchBody,
	sortField,
	type SortableFields,
} from '../filters/filterFields';
import type { ResponseHandler, OperationContext } from './responseHandler';
import { createOutputChoice, type OutputFields } from './outputFields';
import { getCreateTime } from '../pagination/page';
import { buildMissingRecordsHint } from '../pagination/listResult';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, readList, type ListOptions } from '../pagination/readList';
import { getEndpoint } from '../api/endpoint';
import type { SortOrder } from '../api/endpointTraits';

/** The fields that many searches can sort by (contract 2.2). */
export const DEFAULT_SORT: SortableFields = { 'Create Time': 'CreateTime', Name: 'Name' };

/** The fields that lists of people can be sorted by. */
export const USER_SORT: SortableFields = { Email: 'Email', 'First Name': 'FirstName', 'Last Name': 'LastName' };

/** The fields that lists of people can be filtered by. */
export const USER_CONDITIONS: FilterableFields = {
	Email: { name: 'Email', type: 'text', recordField: 'email' },
	FirstName: { name: 'First Name', type: 'text', recordField: 'firstName' },
	LastName: { name: 'Last Name', type: 'text', recordField: 'lastName' },
};

/** The fields that lists of campaign jobs can be sorted by (deployment behaviour, "Search bodies"). */
export const JOB_SORT: SortableFields = { Name: 'Name', 'Newest First': NEWEST_FIRST };

/** The fields that limit how many records are returned. */
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

/** Adds the hint 'For each company' to the field 'Limit', if the form has this field. */
export function markLimitPerCompany(fields: FieldMap): FieldMap {
	if (!('limit' in fields)) return fields;
	const { limit } = limitFields;
	return { ...fields, limit: { ...limit, property: { ...limit.property, hint: 'For each company' } } };
}

const pageOptions = {
	pageSize: wholeNumberField({
		displayName: 'Page Size',
		default: DEFAULT_PAGE_SIZE,
		min: 1,
		max: MAX_PAGE_SIZE,
		description: 'Most records in one request',
	}),
};

interface ListResponseOptions<F extends FieldMap> extends Pick<ListOptions, 'identity'> {
	/** The fields that 'Output' offers, for records with more than 10 fields. */
	outputFields?: OutputFields;
	sortable?: SortableFields;
	/** False if the endpoint takes no filter. */
	isFiltered?: boolean;
	/** The fields that the platform is known to filter by, for 'Conditions'. */
	conditions?: FilterableFields;
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
	/** More properties for the search body. */
	body?: IDataObject;
	/** Conditions that a record must match in addition to those that the user chose. */
	requiredConditions?: FilterItem[];
	/** The sort order if the user chose none. */
	defaultSort?: SortOrder;
	/** Turns the records that were read into those to return, for example a company into itself and its child companies. */
	flatten?: ((records: IDataObject[]) => IDataObject[]) | undefined;
	/** An order that the platform can't sort by. The whole list is read and sorted before 'Limit' is applied. */
	order?: RecordOrder | undefined;
	/** Called after the list was read, with the records that are returned. Returns a hint for the user, or undefined. */
	createHint?: (records: IDataObject[], context: OperationContext) => string | undefined | Promise<string | undefined>;
}

const LIMIT_REACHED_HINT = "There was more than 'Limit'. For the rest, raise it, or switch 'Return All' on.";

/**
 * Creates the response of a search that is read page by page (contract 2.2, 2.3). It adds the fields Return All, Limit, Output, Filters
 * and Sort to the form.
 */
export function listResponse<F extends FieldMap>(options: ListResponseOptions<F>): ResponseHandler {
	const { outputFields, sortable = DEFAULT_SORT, isFiltered = true, identity } = options;
	const idFields = Array.isArray(identity) ? identity : [];
	const output = outputFields && createOutputChoice({ id: idFields, ...outputFields });
	const sortFields = { sort: sortField(sortable) };
	const filterFields = { filters: searchFiltersBlock(options.conditions) };
	const optionsBlock = { options: collectionField({ displayName: 'Options', fields: pageOptions }) };

	const readQuery = (form: FormValues, timezone: string): ListQuery => {
		if (!options.fields || !options.toQuery) return {};
		return options.toQuery(form.get(options.fields), timezone);
	};

	return {
		fields: mergeFields(
			options.fields ?? {},
			limitFields,
			output?.fields ?? {},
			sortFields,
			isFiltered ? filterFields : {},
		),
		options: pageOptions,
		handle: async (request, form, context, listOptions = {}) => {
			const { client, addHint, timezone } = context;
			const { returnAll, limit: maxCount = 1 } = form.get(limitFields);
			const limit = returnAll ? Infinity : maxCount;
			const { sort } = form.get(sortFields);
			const { filters } = isFiltered ? form.get(filterFields) : { filters: {} };
			const query = readQuery(form, timezone);
			const flatten = query.flatten ?? ((records) => records);

			const isNewestFirst = sort.by === NEWEST_FIRST;
			const isDefaultSort = isNewestFirst || sort.by === undefined;
			const search = buildSearchBody(
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
			const filter = isFiltered ? search.filter : undefined;
			const body = { ...request.body, ...search, filter, ...query.body };
			const list = await readList(
				client,
				{ ...request, body },
				{
					limit: order ? Infinity : limit,
					pageSize: form.get(optionsBlock).options.pageSize,
					identity,
					// Reading can only stop early if the platform sends the records in the operation's own order.
					isPastEnd: isDefaultSort ? query.isPastEnd : undefined,
					...listOptions,
					// A record is kept if it or one of its child records is returned.
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
			const mapToItem = output?.createItemMapper(form.get(output.fields));
			return records.map((record) => mapToItem?.(record) ?? { json: record });
		},
	};
}

/**
 * Platforms differ in the requests that they accept. For example, filter operators have other names on older platforms.
 * If a platform rejects a request, the client sends the next variant of it. All variants mean the same.
 */
import { isEqual } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { filterRecords, isRecord, toItemJson } from '../values';
import { getEndpoint } from '../api/endpoint';
import { buildFilterGroup, buildSearchFilter } from '../api/searchFilter';
import type { RequestError } from './errors';
import type { ApiRequest } from './request';

/** The filter groups that some platforms require in a search without a filter (deployment behaviour, "Search bodies"). */
const EMPTY_FILTER_GROUPS = [buildFilterGroup('AND'), buildFilterGroup('OR')];

/**
 * The operators of older platforms that replace each filter operator (deployment activity 10). If an operator is replaced by two,
 * its condition becomes two conditions, one of which must match.
 */
const OLDER_OPERATORS: Record<string, string[]> = {
	Contains: ['contains'],
	'=': ['eq'],
	'!=': ['neq'],
	'>': ['gt'],
	'>=': ['gt', 'eq'],
	'<': ['lt'],
	'<=': ['lt', 'eq'],
};

/**
 * Builds the variants of a request. The first one is the request itself. The last ones are for the alternative endpoint, if there
 * is one.
 */
export function buildRequestVariants(request: ApiRequest): ApiRequest[] {
	const requests = [request];
	const { alternativeEndpoint } = getEndpoint(request.endpoint);
	if (alternativeEndpoint !== undefined) requests.push({ ...request, endpoint: alternativeEndpoint });
	return requests
		.flatMap((variant) => [variant, ...buildReadVariants(variant)])
		.flatMap((variant) => [variant, ...buildVariantWithoutActivityType(variant)]);
}

/** Builds the variants that differ in the filter, the date period or the training type. A write has no such variants. */
function buildReadVariants(request: ApiRequest): ApiRequest[] {
	const { isReadOnly, surveyTrainingType } = getEndpoint(request.endpoint);
	const { body, query } = request;
	if (!isReadOnly) return [];
	// In the contract the date period is a text, but the platform's own front end sends a number (contract 4.10; deployment
	// activity 3).
	if (typeof body?.datePeriod === 'number')
		return [{ ...request, body: { ...body, datePeriod: String(body.datePeriod) } }];
	const variants: ApiRequest[] = [];
	const parameters: IDataObject = { ...query, ...body };
	if (surveyTrainingType !== undefined && parameters.trainingType === undefined)
		variants.push(addTrainingType(request, surveyTrainingType));
	const filter = toItemJson(body?.filter);
	const filterGroups = buildAlternativeFilterGroups(filter);
	if (filterGroups) variants.push({ ...request, body: { ...body, filter: { ...filter, FilterGroups: filterGroups } } });
	return variants;
}

/** Adds the training type of surveys, which is sent in the body if the request has one, and in the query otherwise. */
function addTrainingType(request: ApiRequest, trainingType: number): ApiRequest {
	if (request.body) return { ...request, body: { ...request.body, trainingType } };
	return { ...request, query: { ...request.query, trainingType } };
}

/**
 * Builds the variant without `activityType`, the field that separates people from bots. Some platforms don't know this field
 * (deployment activity 1).
 */
function buildVariantWithoutActivityType(request: ApiRequest): ApiRequest[] {
	const { activityType, ...body } = request.body ?? {};
	return activityType === undefined ? [] : [{ ...request, body }];
}

/** Builds the filter groups that other platforms expect. @returns undefined if they are the same as in `filter` */
function buildAlternativeFilterGroups(filter: Record<string, unknown>): IDataObject[] | undefined {
	if (isFilterWithoutGroups(filter)) return EMPTY_FILTER_GROUPS;
	const groups = filterRecords(filter.FilterGroups);
	const olderGroups = groups.map(toOlderGroup);
	return isEqual(groups, olderGroups) ? undefined : olderGroups;
}

/** Converts a filter group to the older operators. A condition that becomes several conditions is put into a separate group. */
function toOlderGroup(group: Record<string, unknown>): IDataObject {
	const conditionLists = filterRecords(group.FilterItems).map(toOlderConditions);
	const filterGroups = [
		...conditionLists.filter(({ length }) => length !== 1).map((alternatives) => buildFilterGroup('OR', alternatives)),
		...filterRecords(group.FilterGroups).map(toOlderGroup),
	];
	const olderGroup = { ...toItemJson(group) };
	if ('FilterItems' in group) olderGroup.FilterItems = conditionLists.filter(({ length }) => length === 1).flat();
	if ('FilterGroups' in group || filterGroups.length > 0) olderGroup.FilterGroups = filterGroups;
	return olderGroup;
}

/** Converts a condition to the older operators. @returns several conditions if one of them is enough to match */
function toOlderConditions(condition: Record<string, unknown>): IDataObject[] {
	const { Operator, Value } = condition;
	if (Operator === 'Include')
		return String(Value)
			.split(',')
			.map((value) => ({ ...condition, Operator: 'eq', Value: value }));
	const olderOperators = OLDER_OPERATORS[String(Operator)] ?? [String(Operator)];
	return olderOperators.map((operator) => ({ ...condition, Operator: operator }));
}

/**
 * Returns true for a filter without groups. The empty groups are added only to such a filter, so that they never replace the
 * user's groups.
 */
const isFilterWithoutGroups = (filter: unknown): filter is IDataObject =>
	isRecord(filter) && Array.isArray(filter.FilterGroups) && filter.FilterGroups.length === 0;

/**
 * Returns a key for remembering the accepted variant. The key is the same for all requests for which the platform accepts the same
 * variant. It depends on the endpoint and on the fields in which the variants differ. If the endpoint has a variant for surveys, the
 * key also depends on the path, because the path contains the enrollment.
 */
export function getVariantKey({ endpoint, path, body = {} }: ApiRequest): string {
	const surveyPath = getEndpoint(endpoint).surveyTrainingType === undefined ? '' : path;
	return JSON.stringify([endpoint, surveyPath, isFilterWithoutGroups(body.filter), 'activityType' in body]);
}

/**
 * Finds the variant to send after a failure. If the input was rejected, it is the next variant for the same endpoint. After a
 * 404, it is the first variant for the alternative endpoint.
 * @param failedIndex the index of the variant that failed
 * @returns the index of the next variant, or -1 if there is none
 */
export function findNextVariant(variants: readonly ApiRequest[], failedIndex: number, failure: RequestError): number {
	const isMissingEndpoint = failure.details.status === 404;
	if (!isMissingEndpoint && !failure.details.isInputRejected) return -1;
	const failedEndpoint = variants[failedIndex]?.endpoint;
	return variants.findIndex(({ endpoint }, index) => {
		const isForOtherEndpoint = endpoint !== failedEndpoint;
		return index > failedIndex && isForOtherEndpoint === isMissingEndpoint;
	});
}

/**
 * Returns advice for a rejected search. It names 'Sort' and 'Filters' if the user filled them in, because the platform seldom
 * says what it rejected.
 * @returns an empty text if the user filled in neither of them
 */
export function getSearchAdvice({ endpoint, body = {} }: ApiRequest): string {
	const { defaultOrder } = getEndpoint(endpoint);
	const { orderBy = defaultOrder.orderBy, filter = buildSearchFilter() } = body;
	const fieldNames: string[] = [];
	if (orderBy !== defaultOrder.orderBy) fieldNames.push("'Sort'");
	if (!isFilterWithoutGroups(filter)) fieldNames.push("'Filters'");
	if (fieldNames.length === 0) return '';
	return `It may be what you chose in ${fieldNames.join(' or ')}: platforms differ in the fields that they know.`;
}

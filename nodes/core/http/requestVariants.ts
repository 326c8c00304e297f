import { isEqual, partition } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isRecord, recordsIn, toJson } from '../values';
import { endpointOf } from '../api/endpoint';
import type { ServiceError } from './errors';
import type { ServiceRequest } from './request';

/** The parts of a filter that a person chooses. */
export interface FilterParts {
	searchText?: string | undefined;
	condition?: 'AND' | 'OR' | undefined;
	filterGroups?: IDataObject[] | undefined;
}

/** The filter of a search body (contract 2.2), which must have all its parts; without parameters every record matches. */
export const searchFilter = ({
	searchText = '',
	condition = 'AND',
	filterGroups = [],
}: FilterParts = {}): IDataObject => ({
	Condition: condition,
	SearchInputTextValue: searchText,
	FilterGroups: filterGroups,
});

/** A group of a filter (deployment facts, "Requests"). */
export const filterGroup = (
	Condition: 'AND' | 'OR',
	FilterItems: IDataObject[] = [],
	FilterGroups: IDataObject[] = [],
): IDataObject => ({ Condition, FilterItems, FilterGroups });

/** The filter groups that some platforms require in a search without a filter (deployment behaviour, "Search bodies"). */
const EMPTY_GROUPS = [filterGroup('AND'), filterGroup('OR')];

/** What older platforms call the operators (deployment activity, 10); each of several names may match, as "greater" or "equal". */
const OLDER: Record<string, string[]> = {
	Contains: ['contains'],
	'=': ['eq'],
	'!=': ['neq'],
	'>': ['gt'],
	'>=': ['gt', 'eq'],
	'<': ['lt'],
	'<=': ['lt', 'eq'],
};

/** A condition as older platforms have it: one of several, any of which may match. */
function olderItems(item: Record<string, unknown>): IDataObject[] {
	const { Operator, Value } = item;
	if (Operator === 'Include')
		return String(Value)
			.split(',')
			.map((each) => ({ ...item, Operator: 'eq', Value: each }));
	return (OLDER[String(Operator)] ?? [String(Operator)]).map((each) => ({ ...item, Operator: each }));
}

/** A group of a filter with the older operators. */
function olderGroup(group: Record<string, unknown>): IDataObject {
	const [single, several] = partition(recordsIn(group.FilterItems).map(olderItems), ({ length }) => length === 1);
	const FilterItems = single.flat();
	const FilterGroups = [
		...several.map((each) => filterGroup('OR', each)),
		...recordsIn(group.FilterGroups).map(olderGroup),
	];
	return {
		...toJson(group),
		...('FilterItems' in group ? { FilterItems } : {}),
		...('FilterGroups' in group || FilterGroups.length > 0 ? { FilterGroups } : {}),
	};
}

/** Whether a filter has no groups, so that no person's are replaced. */
const isPlain = (filter: unknown): filter is IDataObject =>
	isRecord(filter) && Array.isArray(filter.FilterGroups) && filter.FilterGroups.length === 0;

/**
 * The forms in which a request may be sent, the usual one first, because platforms accept different ones; what a person chose is
 * the same in all. Those for another address, where some platforms have it, come last.
 */
export function formsOf(request: ServiceRequest): ServiceRequest[] {
	const { elsewhere } = endpointOf(request.endpoint);
	const moved = elsewhere === undefined ? [] : [{ ...request, endpoint: elsewhere }];
	const forms = [request, ...moved].flatMap((each) => [each, ...otherFormsOf(each)]);
	return forms.flatMap((each) => [each, ...withoutActivityType(each)]);
}

/** The request without the field that tells humans from bots, which some platforms do not know (deployment activity 1). */
function withoutActivityType(request: ServiceRequest): ServiceRequest[] {
	const { activityType, ...body } = request.body ?? {};
	return activityType === undefined ? [] : [{ ...request, body }];
}

/** A request that reads, in its other forms. */
function otherFormsOf(request: ServiceRequest): ServiceRequest[] {
	const { reads, typeOfSurvey } = endpointOf(request.endpoint);
	const { body, query } = request;
	if (!reads) return [];
	const filter = toJson(body?.filter);
	const FilterGroups = otherGroupsOf(filter);
	const filtered = FilterGroups ? [{ ...request, body: { ...body, filter: { ...filter, FilterGroups } } }] : [];
	// The contract has a text where the platforms' client sends a number (contract 4.10; deployment activity, 3).
	if (typeof body?.datePeriod === 'number')
		return [{ ...request, body: { ...body, datePeriod: String(body.datePeriod) } }];
	if (typeOfSurvey === undefined || { ...query, ...body }.trainingType !== undefined) return filtered;
	const trainingType = { trainingType: typeOfSurvey };
	const typed = body
		? { ...request, body: { ...body, ...trainingType } }
		: { ...request, query: { ...query, ...trainingType } };
	return [typed, ...filtered];
}

/** The groups of a filter as other platforms want them. @returns undefined if these are the same */
function otherGroupsOf(filter: Record<string, unknown>): IDataObject[] | undefined {
	if (isPlain(filter)) return EMPTY_GROUPS;
	const groups = recordsIn(filter.FilterGroups);
	const older = groups.map(olderGroup);
	return isEqual(groups, older) ? undefined : older;
}

/** What decides which form is accepted: the endpoint, of what may be a survey, which one it is, and in what the forms differ. */
export const formKey = ({ endpoint, path, body = {} }: ServiceRequest) =>
	JSON.stringify([
		endpoint,
		endpointOf(endpoint).typeOfSurvey === undefined ? '' : path,
		isPlain(body.filter),
		'activityType' in body,
	]);

/**
 * Where the form stands that may succeed after a failure: after refused input the next one for the same address, after a 404 the
 * first one for another.
 * @param at where the form stands that failed
 * @returns -1 if there is none
 */
export function nextForm(forms: readonly ServiceRequest[], at: number, { details }: ServiceError): number {
	const isMissing = details.status === 404;
	if (!isMissing && !details.isInputRefused) return -1;
	return forms.findIndex(({ endpoint }, index) => index > at && (endpoint !== forms[at]?.endpoint) === isMissing);
}

/** What a person chose of a search, as a possible reason, because a service seldom says what it refused; empty if nothing. */
export function chosenAdvice({ endpoint, body = {} }: ServiceRequest): string {
	const { orderBy = endpointOf(endpoint).order.orderBy, filter = searchFilter() } = body;
	const isSorted = orderBy !== endpointOf(endpoint).order.orderBy;
	const chosen = [...(isSorted ? ["'Sort'"] : []), ...(isPlain(filter) ? [] : ["'Filters'"])];
	return chosen.length === 0
		? ''
		: `It may be what you chose in ${chosen.join(' or ')}: platforms differ in the fields that they know.`;
}

import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../values';
import { endpointOf } from './endpoint';
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

/** The filter groups that some platforms require in a search without a filter (deployment behaviour, "Search bodies"). */
const EMPTY_GROUPS = ['AND', 'OR'].map((Condition) => ({ Condition, FilterItems: [], FilterGroups: [] }));

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
	const forms = [request, ...moved].flatMap((each) => [each, ...otherFormOf(each)]);
	return forms.flatMap((each) => [each, ...withoutActivityType(each)]);
}

/** The request without the field that tells humans from bots, which some platforms do not know (deployment activity 1). */
function withoutActivityType(request: ServiceRequest): ServiceRequest[] {
	const { activityType, ...body } = request.body ?? {};
	return activityType === undefined ? [] : [{ ...request, body }];
}

/** A request that reads, in its other form; none if it has none. */
function otherFormOf(request: ServiceRequest): ServiceRequest[] {
	const { reads, typeOfSurvey } = endpointOf(request.endpoint);
	const { body, query } = request;
	if (!reads) return [];
	if (typeOfSurvey !== undefined && { ...query, ...body }.trainingType === undefined) {
		const trainingType = { trainingType: typeOfSurvey };
		return [
			body ? { ...request, body: { ...body, ...trainingType } } : { ...request, query: { ...query, ...trainingType } },
		];
	}
	const filter = body?.filter;
	return isPlain(filter) ? [{ ...request, body: { ...body, filter: { ...filter, FilterGroups: EMPTY_GROUPS } } }] : [];
}

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

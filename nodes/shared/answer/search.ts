import { omit, pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../form/fields';
import { searchFilter } from '../form/search';
import { isStop, rethrow, ServiceError } from '../transport/errors';
import type { Company, ServiceRequest } from '../transport/request';
import type { Service } from '../transport/service';
import { DEFAULT_PAGE_SIZE, identityOf, readPages, type Ask, type PagesRead, type PagesWanted } from './paging';
import { endpointOf } from '../transport/endpoint';

/** The filter groups that some platforms require in a search without a filter (deployment behaviour, "Search bodies"). */
const EMPTY_GROUPS = ['AND', 'OR'].map((Condition) => ({ Condition, FilterItems: [], FilterGroups: [] }));

/** The searches that were accepted in their other form, so that the rest of the run sends that at once. */
const accepted = new WeakMap<Service, Set<string>>();

/** How to read the records of a list: what `readPages` needs besides the amount. */
export interface ListShape extends Pick<PagesWanted, 'filter' | 'isPast' | 'mayBeAlone'> {
	/** The fields that may have a record's ID, the usual one first, or a function that returns it. */
	identity: readonly string[] | PagesWanted['identity'];
}

/**
 * Sends a search or its export. If the service refuses its input, it is sent once more in its other form, and for the rest of
 * the run in that form at once. What a person chose is the same in both.
 * @param request its body has orderBy, ascending and filter
 * @param send sends the request in the form it gets, for a page of a list or for a file
 * @throws ServiceError the first one, if the service refuses both forms
 */
export async function askSearch<T>(
	service: Service,
	request: ServiceRequest,
	send: (request: ServiceRequest) => Promise<T>,
): Promise<T> {
	const body = otherFormOf(request);
	// A file that is only fetched has no body.
	if (request.body === undefined) return await send(request);
	const sendForm = async (form: IDataObject = {}) => await send({ ...request, body: nested(request, form) });
	const forms = accepted.get(service) ?? new Set();
	accepted.set(service, forms);
	const { typeOfSurvey } = endpointOf(request.endpoint);
	const key = JSON.stringify([request.endpoint, typeOfSurvey === undefined ? '' : request.path]);
	if (body && forms.has(key)) return await sendForm(body);
	try {
		return await sendForm(request.body);
	} catch (error) {
		if (!isRefused(error)) return await rethrow(error);
		const first = withAdvice(error, request);
		if (!body) return await rethrow(first);
		const answer = await sendForm(body).catch(
			async (second: unknown) => await rethrow(isRefused(second) ? first : second),
		);
		forms.add(key);
		return answer;
	}
}

/** The leaderboard has the page and the order in an object of its own (deployment facts). */
function nested({ endpoint }: ServiceRequest, body: IDataObject): IDataObject {
	if (!endpointOf(endpoint).pageInside) return body;
	const page = ['pageNumber', 'pageSize', 'orderBy', 'ascending'];
	return { ...omit(body, page), pagination: pick(body, page) };
}

const isRefused = (error: unknown): error is ServiceError =>
	error instanceof ServiceError && error.details.isInputRefused === true;

/** The body of a search in its other form. @returns undefined if it has none */
function otherFormOf({ endpoint, body = {} }: ServiceRequest): IDataObject | undefined {
	const { typeOfSurvey } = endpointOf(endpoint);
	if (typeOfSurvey !== undefined && body.trainingType === undefined) return { ...body, trainingType: typeOfSurvey };
	const { filter } = body;
	return isPlain(filter) ? { ...body, filter: { ...filter, FilterGroups: EMPTY_GROUPS } } : undefined;
}

/** Whether a filter has no groups, so that no person's are replaced. */
const isPlain = (filter: unknown): filter is IDataObject =>
	isRecord(filter) && Array.isArray(filter.FilterGroups) && filter.FilterGroups.length === 0;

/** Adds what a person chose as a possible reason, because a service seldom says what it refused. */
function withAdvice({ details }: ServiceError, { endpoint, body = {} }: ServiceRequest): ServiceError {
	const isSorted = body.orderBy !== endpointOf(endpoint).order.orderBy;
	const chosen = [...(isSorted ? ["'Sort'"] : []), ...(isPlain(body.filter ?? searchFilter()) ? [] : ["'Filters'"])];
	if (chosen.length === 0) return new ServiceError(details);
	const advice = `It may be what you chose in ${chosen.join(' or ')}: platforms differ in the fields that they know.`;
	return new ServiceError({ ...details, advice: `${details.advice} ${advice}` });
}

/** Requests the pages of a search. @param request what its body lacks is that of a search for everything, in the list's own order */
export const askPages =
	(service: Service, request: ServiceRequest): Ask =>
	async (page, unwanted) => {
		const signal = AbortSignal.any([request.signal, unwanted].filter((each) => each !== undefined));
		const plain = { ...endpointOf(request.endpoint).order, filter: searchFilter() };
		const asked = { ...request, signal, body: { ...plain, ...request.body, ...page } };
		const { data } = await askSearch(service, asked, async (form) => await service.json(form));
		return data;
	};

/** Reads a list page by page (contract 2.2, 2.3). @param request see `askPages` @param want how many records; Infinity for all */
export async function readSearch(
	service: Service,
	request: ServiceRequest,
	{ limit, pageSize = DEFAULT_PAGE_SIZE }: { limit: number; pageSize?: number | undefined },
	{ identity, ...shape }: ListShape,
): Promise<PagesRead> {
	return await readPages(askPages(service, request), {
		...shape,
		...{ limit, pageSize, ahead: service.settings.concurrency * 2 },
		identity: typeof identity === 'function' ? identity : (record) => identityOf(record, identity),
	});
}

/**
 * Reads a list that may be missing, for an operation that is carried out already, so that a failure here is not its failure.
 * @returns undefined if it could not be read
 * @throws ServiceError only when the run was stopped
 */
export async function readOptionalList(
	{ service, company }: { service: Service; company?: Company },
	request: Pick<ServiceRequest, 'endpoint' | 'path'>,
	shape: ListShape,
	searchText = '',
): Promise<IDataObject[] | undefined> {
	const search: ServiceRequest = {
		...request,
		purpose: 'look it up',
		...(company ? { company } : {}),
		body: { filter: searchFilter({ searchText }) },
	};
	return await readSearch(service, search, { limit: Infinity }, shape).then(
		({ records }) => records,
		async (error: unknown) => (error instanceof ServiceError && !isStop(error) ? undefined : await rethrow(error)),
	);
}

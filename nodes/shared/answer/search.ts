import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { isRecord } from '../form/fields';
import { rethrow, ServiceError } from '../transport/errors';
import type { ServiceRequest } from '../transport/request';
import type { Service } from '../transport/service';
import { DEFAULT_PAGE_SIZE, identityOf, readPages, type Ask, type PagesRead, type PagesWanted } from './paging';

/** How a search is sorted (contract 2.2). */
export interface Order {
	orderBy: string;
	ascending: boolean;
}

const CREATED: Order = { orderBy: 'CreateTime', ascending: false };
const NAME: Order = { orderBy: 'Name', ascending: true };
const EMAIL: Order = { orderBy: 'Email', ascending: true };
const USER_EMAIL: Order = { orderBy: 'userEmail', ascending: true };

/** The order that is known good for each list (deployment behaviour, "Search bodies"; certificates: deployment shapes). */
const KNOWN_GOOD: ReadonlyArray<[list: RegExp, order: Order]> = [
	[/-campaign-job-report\/search$|\/(trainings|target-groups)\//, NAME],
	[/-campaign-job-report\//, EMAIL],
	[/\/certificates\/search$/, USER_EMAIL],
	[/\/search$/, CREATED],
];

/** The filter groups that some platforms require in a search without a filter (deployment behaviour, "Search bodies"). */
const EMPTY_GROUPS = ['AND', 'OR'].map((Condition) => ({ Condition, FilterItems: [], FilterGroups: [] }));

/** The people of a survey are only listed with its training type (deployment behaviour, "Training reports"). */
const OF_TRAINING = /\/training-reports\/[^/]+\/users\/search$/;

/** The searches that were accepted in their other form, so that the rest of the run sends that at once. */
const accepted = new WeakMap<Service, Set<string>>();

/** What may be changed in a search that the service refuses. */
export interface Rules {
	/** Whether the operation chose the order. One that a person chose is never replaced. */
	isOwnOrder: boolean;
	/** Shows a person that another order was used instead of the operation's own. */
	hint?: ((message: string) => void) | undefined;
}

/** How to read the records of a list: what `readPages` needs besides the amount. */
export interface ListShape extends Pick<PagesWanted, 'filter' | 'isPast' | 'mayBeAlone'> {
	/** The fields that may have a record's ID, the usual one first, or a function that returns it. */
	identity: readonly string[] | PagesWanted['identity'];
}

/**
 * Sends a search or its export. If the service refuses its input, it is sent once more in the form that is known good for
 * the list, and for the rest of the run in that form at once.
 * @param request its body has orderBy, ascending and filter
 * @param send sends the request in the form it gets, for a page of a list or for a file
 * @returns the result of `send`, and whether another order was used instead of the operation's own
 * @throws ServiceError the first one, if the service refuses both forms
 */
export async function askSearch<T>(
	service: Service,
	request: ServiceRequest,
	rules: Rules,
	send: (request: ServiceRequest) => Promise<T>,
): Promise<{ answer: T; isReordered: boolean }> {
	const other = otherFormOf(request, rules);
	const { orderBy: given } = orderIn(request.body);
	const { orderBy: instead } = orderIn(other);
	const isReordered = instead !== undefined && instead !== given;
	const forms = accepted.get(service) ?? new Set();
	accepted.set(service, forms);
	const key = JSON.stringify([request.contract, given, other?.trainingType === undefined ? '' : request.path]);
	const inOtherForm = { ...request, ...(other ? { body: other } : {}) };
	if (other && forms.has(key)) return { answer: await send(inOtherForm), isReordered };
	try {
		return { answer: await send(request), isReordered: false };
	} catch (error) {
		if (!isRefused(error)) return await rethrow(error);
		const first = withAdvice(error, request, rules);
		if (!other) return await rethrow(first);
		const answer = await send(inOtherForm).catch(
			async (second: unknown) => await rethrow(isRefused(second) ? first : second),
		);
		forms.add(key);
		if (isReordered)
			rules.hint?.(`The service does not sort this list by '${given}', so it was sorted by '${instead}'.`);
		return { answer, isReordered };
	}
}

const orderShape = z.object({ orderBy: z.string().optional().catch(undefined) });
const orderIn = (body: IDataObject = {}) => orderShape.parse(body);

const isRefused = (error: unknown): error is ServiceError =>
	error instanceof ServiceError && error.details.isInputRefused === true;

/** The body of a search in its other form. @returns undefined if it has none */
function otherFormOf({ contract, body = {} }: ServiceRequest, { isOwnOrder }: Rules): IDataObject | undefined {
	// An export accepts what its search accepts.
	const list = contract.replace(/\/export$/, '');
	if (OF_TRAINING.test(list) && body.trainingType === undefined) return { ...body, trainingType: 0 };
	const order = isOwnOrder ? KNOWN_GOOD.find(([each]) => each.test(list))?.[1] : undefined;
	const { filter } = body;
	const withGroups = isPlain(filter) ? { filter: { ...filter, FilterGroups: EMPTY_GROUPS } } : {};
	const isOther = order !== undefined && order.orderBy !== body.orderBy;
	return isOther || isPlain(filter) ? { ...body, ...(isOther ? order : {}), ...withGroups } : undefined;
}

/** Whether a filter has no groups, so that no person's are replaced. */
const isPlain = (filter: unknown): filter is IDataObject =>
	isRecord(filter) && Array.isArray(filter.FilterGroups) && filter.FilterGroups.length === 0;

/** Adds what a person chose as a possible reason, because a service seldom says what it refused. */
function withAdvice({ details }: ServiceError, { body = {} }: ServiceRequest, { isOwnOrder }: Rules): ServiceError {
	const chosen = [...(isOwnOrder ? [] : ["'Sort'"]), ...(isPlain(body.filter) ? [] : ["'Filters'"])];
	if (chosen.length === 0) return new ServiceError(details);
	const advice = `It may be what you chose in ${chosen.join(' or ')}: platforms differ in the fields that they know.`;
	return new ServiceError({ ...details, advice: `${details.advice} ${advice}` });
}

/**
 * The function that requests the pages of a search.
 * @returns `ask`, and whether another order was used instead of the operation's own
 */
export function pagesOf(service: Service, request: ServiceRequest, rules: Rules) {
	const told = { isReordered: false };
	const ask: Ask = async (page, unwanted) => {
		const signal = request.signal ? AbortSignal.any([request.signal, unwanted]) : unwanted;
		const asked = { ...request, signal, body: { ...request.body, ...page } };
		const { answer, isReordered } = await askSearch(service, asked, rules, async (form) => await service.json(form));
		told.isReordered ||= isReordered;
		return answer.data;
	};
	return { ask, told };
}

/**
 * Reads a list that a search returns page by page (contract 2.2, 2.3).
 * @param request its body is the search without pageNumber and pageSize
 * @param want how many records to read (Infinity for all), and the size of a page
 * @throws ServiceError
 */
export async function readSearch(
	service: Service,
	request: ServiceRequest,
	{ limit, pageSize = DEFAULT_PAGE_SIZE }: { limit: number; pageSize?: number | undefined },
	{ identity, isPast, ...shape }: ListShape,
	rules: Rules,
): Promise<PagesRead> {
	const { ask, told } = pagesOf(service, request, rules);
	return await readPages(ask, {
		...shape,
		...{ limit, pageSize, ahead: service.settings.concurrency * 2 },
		identity: typeof identity === 'function' ? identity : (record) => identityOf(record, identity),
		// Reading can stop early only if the list has the requested order.
		...(isPast ? { isPast: (record) => !told.isReordered && isPast(record) } : {}),
	});
}

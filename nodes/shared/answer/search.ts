import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { isRecord } from '../form/value';
import { rethrow, ServiceError } from '../transport/errors';
import type { ServiceRequest } from '../transport/request';
import type { Service } from '../transport/service';
import type { ListShape } from './collected';
import { newestFirst } from './created';
import { DEFAULT_PAGE_SIZE, readList, type Ask, type ListRead } from './paging';

/** How a search is sorted (contract 2.2). */
export interface Order {
	orderBy: string;
	ascending: boolean;
}

const CREATED: Order = { orderBy: 'CreateTime', ascending: false };
const NAME: Order = { orderBy: 'Name', ascending: true };
const EMAIL: Order = { orderBy: 'Email', ascending: true };
const USER_EMAIL: Order = { orderBy: 'userEmail', ascending: true };

/**
 * The sort orders that live deployments accept for each list, the most reliable first (deployment behaviour, "orderBy
 * known good").
 */
const KNOWN_GOOD: ReadonlyArray<[list: RegExp, orders: readonly Order[]]> = [
	[/-campaign-job-report\/search$/, [NAME]],
	[/-campaign-job-report\/|\/users\/search$/, [EMAIL]],
	[/\/certificates\/search$/, [USER_EMAIL]],
	[/\/(sending-report|reminder-mails)\/search$|\/notifications\//, [EMAIL, CREATED]],
	[/\/(trainings|target-groups)\//, [NAME]],
	[/\/search$/, [CREATED, NAME]],
];

/** The lists whose searches are known to require empty filter groups. */
const NEEDS_GROUPS = /\/(enrollments|clients)\/search$/;

/** The filter groups that some deployments require in a search without a filter (deployment behaviour, "Search bodies"). */
const emptyGroups = () => [
	{ Condition: 'AND', FilterItems: [], FilterGroups: [] },
	{ Condition: 'OR', FilterItems: [], FilterGroups: [] },
];

/** One form of a search: as given, or with another sort order, with empty filter groups, or for surveys. */
interface SearchForm {
	order?: Order;
	withGroups: boolean;
	/** Whether to add the training type of a survey. */
	asSurvey?: boolean;
}

/**
 * The service lists the people of a survey only if the search has its training type (deployment behaviour, "Training
 * reports").
 */
const OF_TRAININGS = /\/training-reports\/[^/]+\/users\/search$/;
const SURVEY = { trainingType: 0 };

const AS_GIVEN: SearchForm = { withGroups: false };
const MAX_OTHER_FORMS = 2;

/** The form that the service accepted for each list, for one run. */
const acceptedForms = new WeakMap<Service, Map<string, SearchForm>>();

/** What may be changed in a search that the service refuses. */
export interface Rules {
	/** Whether the operation chose the order. One that a person chose is never replaced; if it is refused, the run fails. */
	isOwnOrder: boolean;
	/** Shows a person that another order was used instead of the operation's own. */
	hint?: ((message: string) => void) | undefined;
}

/**
 * Sends a search or its export. If the service refuses its input, it is sent in at most two other forms: in an order that
 * is known to work instead of the operation's own, and with two empty filter groups instead of none. The form that is
 * accepted is used for the rest of the run.
 * @param request its body has orderBy, ascending and filter, or the first two in `pagination`
 * @param send sends the request in the form it gets, for a page of a list or for a file
 * @returns the result of `send`, and the order that was used instead of the operation's own, if there was one
 * @throws ServiceError the first one, if the service refuses all forms
 */
export async function askSearch<T>(
	service: Service,
	request: ServiceRequest,
	{ isOwnOrder, hint }: Rules,
	send: (request: ServiceRequest) => Promise<T>,
): Promise<{ answer: T; instead?: Order }> {
	const given = orderIn(request);
	const mayReorder = isOwnOrder && given !== undefined && !isAdded(request, /^(orderBy|ascending|pagination)$/i);
	// An export accepts the same form as its search.
	const list = request.contract.replace(/\/export$/, '');
	const maySurvey =
		OF_TRAININGS.test(list) && request.body?.trainingType === undefined && !isAdded(request, /^trainingType$/i);
	const asSurvey: SearchForm[] = maySurvey ? [{ withGroups: false, asSurvey: true }] : [];
	const others = [...asSurvey, ...otherFormsOf(list, mayReorder ? given : undefined, hasPlainFilter(request))].slice(
		0,
		MAX_OTHER_FORMS,
	);
	const forms = acceptedForms.get(service) ?? new Map<string, SearchForm>();
	acceptedForms.set(service, forms);
	// Only some enrollments are of a survey, so for these reports each enrollment is remembered on its own.
	const key = JSON.stringify([list, given, mayReorder, others.length, maySurvey ? request.path : undefined]);
	const known = forms.get(key);
	const tries = known ? [known] : [AS_GIVEN, ...others];
	let first: unknown;
	for (const form of tries) {
		try {
			const answer = await send(inForm(request, form));
			if (!forms.has(key)) {
				forms.set(key, form);
				if (given && form.order) hint?.(replaced(given, form.order));
			}
			return { answer, ...(form.order ? { instead: form.order } : {}) };
		} catch (error) {
			if (!isRefused(error)) return await rethrow(isMoreImportant(error) ? error : (first ?? error));
			first ??= error;
		}
	}
	return await rethrow(withAdvice(first, { isOwnOrder, isPlain: hasPlainFilter(request) }));
}

/** Adds what a person chose as a possible reason, because a service seldom says what it refused. */
function withAdvice(error: unknown, { isOwnOrder, isPlain }: { isOwnOrder: boolean; isPlain: boolean }) {
	if (!(error instanceof ServiceError)) return error;
	const advice = [
		error.details.advice,
		...(isOwnOrder ? [] : ["It may be the sort: try another field in 'Sort', or remove it."]),
		...(isPlain
			? []
			: [
					"It may be a filter: platforms differ in the fields and operators that they know. Try another one, or filter the output with n8n's Filter node.",
				]),
	];
	return new ServiceError({ ...error.details, advice: advice.join(' ') });
}

/**
 * The other forms of a search, the most likely first. There are at most two, so that a mistake in a person's input is
 * reported soon.
 * @param given the order, if the operation chose it
 * @param isPlain whether the filter has no groups
 */
function otherFormsOf(list: string, given: Order | undefined, isPlain: boolean): SearchForm[] {
	const [, orders = []] = KNOWN_GOOD.find(([each]) => each.test(list)) ?? [];
	const isGiven = (order: Order | undefined) => order?.orderBy === given?.orderBy;
	const order = given && orders.find((each) => !isGiven(each));
	if (!order) return isPlain ? [{ withGroups: true }] : [];
	if (!isPlain) return [{ order, withGroups: false }];
	// The most reliable order is probably not what the service refused.
	if (isGiven(orders[0])) return [{ withGroups: true }, { order, withGroups: false }];
	const needsGroups = NEEDS_GROUPS.test(list);
	return [
		{ order, withGroups: needsGroups },
		{ order, withGroups: !needsGroups },
	];
}

const orderShape = z.object({ orderBy: z.string(), ascending: z.boolean() });

function orderIn({ body }: ServiceRequest): Order | undefined {
	return [body, body?.pagination].map((place) => orderShape.safeParse(place)).find(({ success }) => success)?.data;
}

/** Whether the filter is as this package sends it if no groups are set. */
const hasPlainFilter = (request: ServiceRequest): boolean => {
	const filter = request.body?.filter;
	return (
		isRecord(filter) &&
		Array.isArray(filter.FilterGroups) &&
		filter.FilterGroups.length === 0 &&
		!isAdded(request, /^filter$/i)
	);
};

/** Whether a person has added a field with such a name in 'Additional Fields (JSON)'. */
const isAdded = ({ more = {} }: ServiceRequest, name: RegExp) => Object.keys(more).some((each) => name.test(each));

function inForm(request: ServiceRequest, { order, withGroups, asSurvey = false }: SearchForm): ServiceRequest {
	const { body = {} } = request;
	const { filter, pagination } = body;
	const changed: IDataObject = {
		...(asSurvey ? SURVEY : {}),
		...(order ? (isRecord(pagination) ? { pagination: { ...pagination, ...order } } : order) : {}),
		...(withGroups && isRecord(filter) ? { filter: { ...filter, FilterGroups: emptyGroups() } } : {}),
	};
	return Object.keys(changed).length > 0 ? { ...request, body: { ...body, ...changed } } : request;
}

const isRefused = (error: unknown) => error instanceof ServiceError && error.details.isInputRefused === true;

/**
 * Whether the error of a further form is reported instead of the first one, because it is not about the form of the
 * search.
 */
const isMoreImportant = (error: unknown) =>
	!(error instanceof ServiceError) ||
	error.details.transient ||
	['cancelled', 'credential-invalid'].includes(error.details.cause);

const replaced = (given: Order, { orderBy, ascending }: Order) =>
	`The service does not sort this list by '${given.orderBy}', so it was sorted by '${orderBy}', ${ascending ? 'ascending' : 'descending'}.`;

/**
 * The function that requests the pages of a search.
 * @returns `ask`, and what is learnt from the answers: whether another order was used instead of the operation's own,
 * and the time by the service's clock, in ms since 1970
 */
export function pagesOf(service: Service, request: ServiceRequest, rules: Rules) {
	const told: { isReordered: boolean; servedAt?: number | undefined } = { isReordered: false };
	const ask: Ask = async (page, unwanted) => {
		const signal = request.signal ? AbortSignal.any([request.signal, unwanted]) : unwanted;
		const asked = { ...request, signal, body: { ...request.body, ...page } };
		const { answer, instead } = await askSearch(service, asked, rules, async (asked) => await service.json(asked));
		told.isReordered ||= instead !== undefined;
		told.servedAt = answer.servedAt;
		return answer.data;
	};
	return { ask, told };
}

/**
 * Reads a list that a search returns page by page (contract 2.2, 2.3). If the service refuses the operation's own order,
 * the list comes in an order that is known to work; a whole list that was requested with the newest first is then sorted
 * here.
 * @param request its body is the search without pageNumber and pageSize
 * @param want how many records to read (Infinity for all), and the size of a page
 * @throws ServiceError
 */
export async function readSearch(
	service: Service,
	request: ServiceRequest,
	want: { limit: number; pageSize?: number | undefined },
	shape: ListShape,
	rules: Rules,
): Promise<ListRead> {
	const { limit, pageSize = DEFAULT_PAGE_SIZE } = want;
	const { isPast } = shape;
	const isSortedHere = limit === Infinity && isNewestFirst(orderIn(request));
	const hint = isSortedHere
		? (message: string) =>
				rules.hint?.(
					`${message} Because the whole list was read, the node then sorted it by create time, the newest first.`,
				)
		: rules.hint;
	const { ask, told } = pagesOf(service, request, { ...rules, hint });
	const read = await readList(
		ask,
		{
			limit,
			pageSize,
			ahead: service.settings.concurrency * 2,
			isFiltered: service.allowance.leavesOut(request.contract),
		},
		// Reading can stop early only if the list has the requested order.
		{ ...shape, ...(isPast ? { isPast: (record) => !told.isReordered && isPast(record) } : {}) },
	);
	return told.isReordered && isSortedHere ? { ...read, records: newestFirst(read.records) } : read;
}

/** Whether an order is the one that puts the newest record first. */
export const isNewestFirst = (order: Order | undefined) => order?.orderBy === CREATED.orderBy && !order.ascending;

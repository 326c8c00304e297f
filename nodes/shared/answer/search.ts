import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { isRecord } from '../form/value';
import { ServiceError } from '../transport/errors';
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

/** What lists can be sorted by on live deployments, the surest first (deployment behaviour, "orderBy known good"). */
const KNOWN_GOOD: ReadonlyArray<[list: RegExp, orders: readonly Order[]]> = [
	[/-campaign-job-report\/search$/, [NAME]],
	[/-campaign-job-report\/|\/users\/search$/, [EMAIL]],
	[/\/certificates\/search$/, [USER_EMAIL]],
	[/\/(sending-report|reminder-mails)\/search$|\/notifications\//, [EMAIL, CREATED]],
	[/\/(trainings|target-groups)\//, [NAME]],
	[/\/search$/, [CREATED, NAME]],
];

/** Lists whose searches are known to want them. */
const WANTS_GROUPS = /\/(enrollments|clients)\/search$/;

/** The filter groups that some deployments want where no filter is set (deployment behaviour, "Search bodies"). */
const emptyGroups = () => [
	{ Condition: 'AND', FilterItems: [], FilterGroups: [] },
	{ Condition: 'OR', FilterItems: [], FilterGroups: [] },
];

/** How a search is put: in which order, if not in the one it was given, and with which filter groups. */
interface Way {
	order?: Order;
	withGroups: boolean;
	/** Whether the people of a survey are asked for. */
	asSurvey?: boolean;
}

/** The people of a survey are only listed by its training type (deployment behaviour, "Training reports"). */
const OF_TRAININGS = /\/training-reports\/[^/]+\/users\/search$/;
const SURVEY = { trainingType: 0 };

const AS_GIVEN: Way = { withGroups: false };
const MOST_FURTHER = 2;

/** The way that each list was found to take, for as long as the run goes on. */
const learnt = new WeakMap<Service, Map<string, Way>>();

/** What may be changed of a search. */
export interface Rules {
	/** Whether the order is ours: one that a person chose is never replaced, and its error stays theirs. */
	isOwnOrder: boolean;
	/** Tells a person that another order took the place of ours. */
	hint?: ((message: string) => void) | undefined;
}

/**
 * Asks for a search or its export. One that is refused with a 400 is asked for again, with an order known good in place of
 * ours, and with two empty filter groups in place of none; what worked is remembered for the run.
 * @param request its body has orderBy, ascending and filter, or the first two in `pagination`
 * @param send sends the request that it is given; a page of a list or a file
 * @returns what `send` gave, and the order that took the place of ours, if one did
 * @throws ServiceError: the first one, if two further tries did not help
 */
export async function askSearch<T>(
	service: Service,
	request: ServiceRequest,
	{ isOwnOrder, hint }: Rules,
	send: (request: ServiceRequest) => Promise<T>,
): Promise<{ answer: T; instead?: Order }> {
	const given = orderIn(request);
	const mayReorder = isOwnOrder && given !== undefined && !isAdded(request, /^(orderBy|ascending|pagination)$/i);
	// An export takes what its search takes.
	const list = request.contract.replace(/\/export$/, '');
	const maySurvey =
		OF_TRAININGS.test(list) && request.body?.trainingType === undefined && !isAdded(request, /^trainingType$/i);
	const asSurvey: Way[] = maySurvey ? [{ withGroups: false, asSurvey: true }] : [];
	const others = [...asSurvey, ...waysBeside(list, mayReorder ? given : undefined, hasPlainFilter(request))].slice(
		0,
		MOST_FURTHER,
	);
	const ways = learnt.get(service) ?? new Map<string, Way>();
	learnt.set(service, ways);
	// What one enrollment is, another is not.
	const key = JSON.stringify([list, given, mayReorder, others.length, maySurvey ? request.path : undefined]);
	const known = ways.get(key);
	const tries = known ? [known] : [AS_GIVEN, ...others];
	let first: unknown;
	for (const way of tries) {
		try {
			const answer = await send(put(request, way));
			if (!ways.has(key)) {
				ways.set(key, way);
				if (given && way.order) hint?.(replaced(given, way.order));
			}
			return { answer, ...(way.order ? { instead: way.order } : {}) };
		} catch (error) {
			if (!isRefused(error)) return await Promise.reject(hidesNothing(error) ? error : (first ?? error));
			first ??= error;
		}
	}
	return await Promise.reject(isOwnOrder ? first : withSortAdvice(first));
}

/** A service that refuses a sort seldom says that it is the sort. */
const withSortAdvice = (error: unknown) =>
	error instanceof ServiceError
		? new ServiceError({
				...error.details,
				advice: `${error.details.advice} It may be the sort: try another field in 'Sort', or remove it.`,
			})
		: error;

/**
 * How else a search may be put, the likeliest first, and at most two, so that a mistake in what a person asked for is
 * told soon.
 * @param given the order, where it is ours
 * @param isPlain whether the filter has no groups
 */
function waysBeside(list: string, given: Order | undefined, isPlain: boolean): Way[] {
	const [, orders = []] = KNOWN_GOOD.find(([each]) => each.test(list)) ?? [];
	const isGiven = (order: Order | undefined) => order?.orderBy === given?.orderBy;
	const order = given && orders.find((each) => !isGiven(each));
	if (!order) return isPlain ? [{ withGroups: true }] : [];
	if (!isPlain) return [{ order, withGroups: false }];
	// An order that is the surest one is not what was refused.
	if (isGiven(orders[0])) return [{ withGroups: true }, { order, withGroups: false }];
	const wantsGroups = WANTS_GROUPS.test(list);
	return [
		{ order, withGroups: wantsGroups },
		{ order, withGroups: !wantsGroups },
	];
}

const orderShape = z.object({ orderBy: z.string(), ascending: z.boolean() });

function orderIn({ body }: ServiceRequest): Order | undefined {
	return [body, body?.pagination].map((place) => orderShape.safeParse(place)).find(({ success }) => success)?.data;
}

/** Whether the filter is as we send it where no groups are set. */
const hasPlainFilter = (request: ServiceRequest): boolean => {
	const filter = request.body?.filter;
	return (
		isRecord(filter) &&
		Array.isArray(filter.FilterGroups) &&
		filter.FilterGroups.length === 0 &&
		!isAdded(request, /^filter$/i)
	);
};

/** Whether a person has sent a field of their own making. */
const isAdded = ({ more = {} }: ServiceRequest, name: RegExp) => Object.keys(more).some((each) => name.test(each));

function put(request: ServiceRequest, { order, withGroups, asSurvey = false }: Way): ServiceRequest {
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

/** Whether an error of a further try tells more than the first: that the service or the run is in trouble. */
const hidesNothing = (error: unknown) =>
	!(error instanceof ServiceError) ||
	error.details.transient ||
	['cancelled', 'credential-invalid'].includes(error.details.cause);

const replaced = (given: Order, { orderBy, ascending }: Order) =>
	`The service does not sort this list by '${given.orderBy}', so it was sorted by '${orderBy}', ${ascending ? 'ascending' : 'descending'}.`;

/**
 * Asks for the pages of a search.
 * @returns `ask`, and what the answers tell besides: whether another order took the place of ours, and the service's own time
 */
export function pagesOf(service: Service, request: ServiceRequest, rules: Rules) {
	const told: { isReordered: boolean; servedAt?: number | undefined } = { isReordered: false };
	const ask: Ask = async (page, unwanted) => {
		const signal = request.signal ? AbortSignal.any([request.signal, unwanted]) : unwanted;
		const asked = { ...request, signal, body: { ...request.body, ...page } };
		const { answer, instead } = await askSearch(service, asked, rules, async (way) => await service.json(way));
		told.isReordered ||= instead !== undefined;
		told.servedAt = answer.servedAt;
		return answer.data;
	};
	return { ask, told };
}

/**
 * Reads a list that a search gives page by page (contract 2.2, 2.3).
 * @param request its body is the search without its page
 * @param want how many records, Infinity for all; and how many to a page
 * @returns the list, in the order asked for or, where that was ours and the service refused it, in the one known good; all of a list that was to have the newest first are sorted here then
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
				rules.hint?.(`${message} As it was read whole, its records were put in order here, the newest first.`)
		: rules.hint;
	const { ask, told } = pagesOf(service, request, { ...rules, hint });
	const read = await readList(
		ask,
		{ limit, pageSize, ahead: service.settings.concurrency * 2 },
		// A list in another order than the one asked for cannot be left early.
		{ ...shape, ...(isPast ? { isPast: (record) => !told.isReordered && isPast(record) } : {}) },
	);
	return told.isReordered && isSortedHere ? { ...read, records: newestFirst(read.records) } : read;
}

/** Whether an order is the one that puts the newest record first. */
export const isNewestFirst = (order: Order | undefined) => order?.orderBy === CREATED.orderBy && !order.ascending;

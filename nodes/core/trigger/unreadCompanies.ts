import { groupBy, orderBy, sortBy, uniq } from 'lodash';

import type { SettledResult } from '../http/mapConcurrently';
import { isCancellationError, isNotFound, RequestError, toError } from '../http/errors';
import { formatCount, formatList } from '../values';
import type { CompanyPoll, TriggerRules, WatchedCompany } from './defineTrigger';

/** A company whose list could not be read. */
export interface UnreadCompany {
	company: WatchedCompany;
	/** The error of the request. Undefined if the time limit was reached first. */
	error?: unknown;
}

/** Creates the error for reaching the time limit of a poll. */
export const createPollTimeoutError = (rules?: TriggerRules) =>
	new RequestError({
		reason: 'the platform did not respond within the time limit of a poll',
		advice: `The next poll tries again. If the error persists, change 'Concurrency', increase 'Page Size'${rules?.shouldWatchStatus ? ", enter fewer 'Watched Days'" : ''}, or use several triggers for fewer companies each.`,
		cause: 'temporarily-unavailable',
		isTransient: true,
	});

/** Creates the entry for a company whose request failed. A cancelled request means that the time limit was reached. */
export const createUnreadCompany = (company: WatchedCompany, error: unknown): UnreadCompany =>
	isCancellationError(error) ? { company } : { company, error };

/** Finds the companies that could not be read. @param reads the results in the order of the companies; undefined if there was no time left */
export const findUnreadCompanies = (
	companies: WatchedCompany[],
	reads: Array<SettledResult<unknown> | undefined>,
): UnreadCompany[] =>
	companies.flatMap((company, index): UnreadCompany[] => {
		const read = reads[index];
		if (read?.ok) return [];
		return [read ? createUnreadCompany(company, read.error) : { company }];
	});

/** The maximum number of companies that a message names for each reason. */
export const MAX_NAMED_COMPANIES = 5;
/** The maximum number of reasons that a message names. */
const MAX_NAMED_REASONS = 3;

/** The companies that could not be read for the same reason. */
interface UnreadGroup {
	error: unknown;
	reason: string;
	companies: WatchedCompany[];
}

/** Groups the companies by the reason of their error, the most frequent one first. Companies without an error are left out. */
function groupByReason(unreadCompanies: UnreadCompany[]): UnreadGroup[] {
	const failures = unreadCompanies.filter(({ error }) => error !== undefined);
	const groups = Object.entries(groupBy(failures, ({ error }) => toError(error).message));
	const unreadGroups = groups.map(([reason, failuresInGroup]) => ({
		error: failuresInGroup[0]?.error,
		reason,
		companies: failuresInGroup.map(({ company }) => company),
	}));
	return orderBy(unreadGroups, ({ companies }) => companies.length, 'desc');
}

/** Formats the names of some companies. Those with a company above them come first, because that company may have to wait for them. */
export function formatCompanyNames(companies: WatchedCompany[]): string {
	const sortedCompanies = sortBy(companies, ({ ancestorIds }) => ancestorIds.length === 0);
	return formatList(
		sortedCompanies.map(({ name, id }) => name || id),
		', ',
		MAX_NAMED_COMPANIES,
	);
}

/**
 * Names some of the companies and the reasons, for the end of a sentence: " (Customer 7, Customer 9: the platform refused access)".
 * Returns an empty text if there is no error. Then the companies are unread only because there was no time left.
 */
export function describeUnreadCompanies(unreadCompanies: UnreadCompany[]): string {
	const groups = groupByReason(unreadCompanies);
	if (groups.length === 0) return '';
	const texts = groups.map(({ reason, companies }) => `${formatCompanyNames(companies)}: ${reason}`);
	return ` (${formatList(texts, '; ', MAX_NAMED_REASONS)})`;
}

/** The error for a poll that could not read any company. Its details are those of the most frequent error. */
export class NoCompanyReadError extends RequestError {
	constructor(
		details: RequestError['details'],
		/** True if at least one company answered 404. */
		readonly hasNotFound: boolean,
	) {
		super(details);
		this.name = 'NoCompanyReadError';
	}
}

/**
 * Creates the error for companies that could not be read. It names some of them, unless the scope is a single company,
 * which the error's message names anyway. An error that isn't about a request is the same for every company, so it is
 * returned as it is.
 * @param companyCount the number of all companies of the poll
 */
export function createUnreadError(
	scope: CompanyPoll['scope'],
	unreadCompanies: UnreadCompany[],
	companyCount: number,
	rules?: TriggerRules,
): Error {
	const failures = unreadCompanies.map(({ company, error = createPollTimeoutError(rules) }) => ({ company, error }));
	const otherFailure = failures.find(({ error }) => !(error instanceof RequestError));
	if (otherFailure) return toError(otherFailure.error);
	const groups = groupByReason(failures);
	const allDetails = groups.flatMap(({ error }) => (error instanceof RequestError ? [error.details] : []));
	const details = allDetails[0] ?? createPollTimeoutError(rules).details;
	const hasNotFound = failures.some(({ error }) => isNotFound(error));
	if (scope.kind !== 'every') return new NoCompanyReadError(details, hasNotFound);
	const reasons = groups.map(
		({ reason, companies }) =>
			`${reason} for ${companies.length} of ${formatCount(companyCount, 'company')}: ${formatCompanyNames(companies)}`,
	);
	const advice = uniq(allDetails.slice(0, MAX_NAMED_REASONS).map((groupDetails) => groupDetails.advice)).join(' ');
	return new NoCompanyReadError(
		{ ...details, reason: formatList(reasons, '; ', MAX_NAMED_REASONS), advice },
		hasNotFound,
	);
}

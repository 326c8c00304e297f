import { groupBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { OutputItem } from '../response/responseHandler';
import { labelsOf } from '../fields/field';
import type { ScopedCompany } from '../companyScope/companyScope';
import type { Outcome } from '../http/concurrency';
import { describeError, type ErrorContext, ServiceError, type ServiceErrorDetails } from '../http/errors';
import type { Operation } from '../operation/defineOperation';
import { listOf, plural, type Choice } from '../values';

/** What came of an item for one company. */
export interface Result extends ScopedCompany {
	outcome: Outcome<OutputItem[]>;
}

/** Where an error happened, for its message. @param itemIndex counted from 0; undefined if there is only one item */
export const errorContextOf = (operation: Operation, itemIndex?: number, company?: Choice): ErrorContext => ({
	purpose: operation.purpose,
	labels: (path) => labelsOf(operation.form, path),
	itemIndex,
	company,
});

/**
 * The error of a composite that has carried out a part. Its own advice stands alone: that of the request that failed is to run the
 * node again, which would do the first part twice.
 * @param done what was carried out: "the enrollment was created"
 */
export const halfDone = (details: ServiceErrorDetails, done: string, advice: string): ServiceError =>
	new ServiceError({
		...details,
		reason: `${done}, but ${details.reason}`,
		advice: `${details.said ?? ''} ${advice}`.trim(),
	});

/** A failure as an item, for a node that continues on failure. */
export function failedItem(thrown: unknown, where: ErrorContext): { json: IDataObject } {
	const { message, description, httpCode } = describeError(thrown, where);
	const { company } = where;
	return {
		json: {
			error: {
				message,
				description,
				...(httpCode === undefined ? {} : { httpCode }),
				...(company ? { companyResourceId: company.id, companyName: company.name } : {}),
			},
			message,
		},
	};
}

const customerOf = ({ company }: ScopedCompany) => company?.name || company?.id || '';

/** How many companies of one reason the message of an error names; the description has more. */
const MOST_NAMED = 5;

/**
 * The failures of an item's companies as one error, if any failed: why, then how many and which; the most frequent reason
 * first. The description says what to do, and for which companies it worked.
 */
export function failureOf(
	results: readonly Result[],
	where: ErrorContext,
): { error: unknown; company?: Choice } | undefined {
	const failed = results.flatMap(({ outcome, ...each }) => (outcome.ok ? [] : [{ ...each, error: outcome.error }]));
	const [first] = failed;
	if (!first || results.length === 1) return first;
	const reasonOf = (error: unknown) =>
		error instanceof ServiceError
			? error.details.reason
			: describeError(error, { ...where, itemIndex: undefined }).message;
	const groups = Object.entries(groupBy(failed, ({ error }) => reasonOf(error))).sort(
		([, one], [, other]) => other.length - one.length,
	);
	const described = (most?: number) =>
		groups.map(([reason, group]) => {
			const companies = `${group.length} of ${plural(results.length, 'company')}`;
			return `${reason} for ${companies}: ${listOf(group.map(customerOf), ', ', most)}`;
		});
	const worked = results.filter(({ outcome }) => outcome.ok);
	const advice = new Set(failed.map(({ error, company }) => describeError(error, { ...where, company }).description));
	const parts = [
		listOf([...advice], '\n'),
		listOf(described(), '\n'),
		...(worked.length > 0
			? [
					`It worked for ${worked.length}: ${listOf(worked.map(customerOf))}. To keep their results, set 'On Error' in the node's settings to 'Continue' or 'Continue (using error output)'.`,
				]
			: []),
	];
	const foremost = groups[0]?.[1][0]?.error;
	const error = new ServiceError({
		...(foremost instanceof ServiceError ? foremost.details : {}),
		reason: listOf(described(MOST_NAMED), '; ', 3),
		advice: parts.join('\n\n'),
		mayHaveBeenApplied: true,
	});
	return { error };
}

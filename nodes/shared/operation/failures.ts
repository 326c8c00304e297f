import { groupBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Produced } from '../answer/answer';
import { labelsOf } from '../form/field';
import type { Target } from '../scope/scope';
import type { Outcome } from '../transport/concurrency';
import { counted } from '../transport/counted';
import { ServiceError } from '../transport/errors';
import { GuardRefusal } from '../transport/guard/refusal';
import { joinFirst } from '../transport/joinFirst';
import { describeError, type ErrorContext } from '../transport/nodeError';
import type { Operation } from './operation';

/** The result of an item for one company. */
export interface Share {
	target: Target;
	outcome: Outcome<Produced[]>;
}

/** Whether a person stopped the run: then the node does not continue, whatever its settings are. */
export const isStop = (thrown: unknown) => thrown instanceof ServiceError && thrown.details.cause === 'cancelled';

/** Where an error happened, for its message. @param itemIndex counted from 0; undefined if there is only one item */
export const errorContextOf = (
	operation: Operation,
	itemIndex: number | undefined,
	{ company }: Target = {},
): ErrorContext => ({
	purpose: operation.purpose,
	labels: (path) => labelsOf(operation.form, path),
	...(itemIndex === undefined ? {} : { itemIndex }),
	...(company ? { company } : {}),
});

/** A failure as an item, for a node that continues on failure. */
export function failedItem(thrown: unknown, where: ErrorContext): { json: IDataObject } {
	const { message, description, httpCode } = describeError(thrown, where);
	const company = thrown instanceof GuardRefusal ? undefined : where.company;
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

const nameOf = ({ company }: Target) => company?.name || company?.id || '';

/** How many companies, and how many reasons, the message of an error names; the description has more. */
const MOST_NAMED = 5;
const MOST_REASONS = 3;

interface Failed {
	target: Target;
	error: unknown;
}

/** Why something failed, without the company that it failed for. */
function reasonOf({ error }: Failed, contextFor: (target: Target) => ErrorContext): string {
	if (error instanceof ServiceError) return error.details.reason;
	const { itemIndex: _itemIndex, ...where } = contextFor({});
	return describeError(error, where).message;
}

/** "access was refused (403) for 7 of 40 companies: A, B, C, D, E, and 2 more" */
const told = (reason: string, failed: Failed[], all: number, most?: number) =>
	`${reason} for ${failed.length} of ${counted(all, 'company')}: ${joinFirst(
		failed.map(({ target }) => nameOf(target)),
		', ',
		most,
	)}`;

/**
 * The failures of an item's companies as one error: why, then how many and which companies failed; the most frequent reason
 * first. The description says what to do, and for which companies it worked.
 * @param contextFor the context of a company's error
 * @returns undefined if no company failed
 */
export function failureOf(
	shares: readonly Share[],
	contextFor: (target: Target) => ErrorContext,
): { error: unknown; target: Target; companies?: IDataObject } | undefined {
	const failed = shares.flatMap(({ target, outcome }) => (outcome.ok ? [] : [{ target, error: outcome.error }]));
	const [first] = failed;
	if (!first || shares.length === 1) return first;
	const worked = shares.flatMap(({ target, outcome }) => (outcome.ok ? [target] : []));
	const reasons = Object.entries(groupBy(failed, (each) => reasonOf(each, contextFor))).sort(
		([, one], [, other]) => other.length - one.length,
	);
	// Most companies fail for the same reason, so each advice is shown once.
	const advice = reasons.flatMap(([, group]) =>
		group.map(({ target, error }) => describeError(error, contextFor(target)).description),
	);
	const isShort = reasons.length <= MOST_REASONS && reasons.every(([, group]) => group.length <= MOST_NAMED);
	const parts = [
		joinFirst([...new Set(advice)], '\n'),
		...(isShort
			? []
			: [
					joinFirst(
						reasons.map(([reason, group]) => told(reason, group, shares.length)),
						'\n',
					),
				]),
		...(worked.length > 0
			? [
					`It worked for ${worked.length}: ${joinFirst(worked.map(nameOf))}. To keep their results, set 'On Error' in the node's settings to 'Continue' or 'Continue (using error output)'.`,
				]
			: []),
	];
	const [[, [{ error: foremost } = first] = []] = []] = reasons;
	const { cause, status } =
		foremost instanceof ServiceError ? foremost.details : { cause: 'refused' as const, status: undefined };
	const error = new ServiceError({
		reason: joinFirst(
			reasons.map(([reason, group]) => told(reason, group, shares.length, MOST_NAMED)),
			'; ',
			MOST_REASONS,
		),
		advice: parts.join('\n\n'),
		cause,
		mayHaveBeenApplied: true,
		transient: false,
		...(status === undefined ? {} : { status }),
	});
	const idsOf = (targets: Target[]) => targets.map(({ company }) => company?.id);
	return {
		error,
		target: {},
		companies: { failed: idsOf(failed.map(({ target }) => target)), succeeded: idsOf(worked) },
	};
}

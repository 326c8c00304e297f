import type { IDataObject } from 'n8n-workflow';

import type { Produced } from '../answer/answer';
import { labelsOf } from '../form/field';
import type { Target } from '../scope/scope';
import type { Outcome } from '../transport/concurrency';
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

/**
 * The failures of an item's companies as one error, which names the companies that failed and those that succeeded.
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
	const texts = failed.map(({ target, error }) => describeError(error, contextFor(target)));
	const messages = texts.map(({ message }) => message);
	// Most companies fail for the same reason, so each advice is shown once.
	const advice = [...new Set(texts.map(({ description }) => description))];
	const kept = `It worked for ${worked.length}: ${joinFirst(worked.map(nameOf))}. To keep their results, set 'On Error' in the node's settings to 'Continue' or 'Continue (using error output)'.`;
	const { cause, status } =
		first.error instanceof ServiceError ? first.error.details : { cause: 'refused' as const, status: undefined };
	const error = new ServiceError({
		reason: `it failed for ${failed.length} of ${shares.length} companies: ${joinFirst(failed.map(({ target }) => nameOf(target)))}`,
		advice: [joinFirst(messages, '\n'), joinFirst(advice, '\n'), ...(worked.length > 0 ? [kept] : [])].join('\n\n'),
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

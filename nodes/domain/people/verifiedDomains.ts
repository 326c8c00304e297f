import { z } from 'zod';

import { normalizeDomain, normalizeEmailAddress } from '../../core/fields/contact';
import { isNotFoundOrForbidden, RequestError, toError } from '../../core/http/errors';
import { createUnexpectedResponseError } from '../../core/http/responseErrors';
import { defineOperation, type OperationHelpers } from '../../core/operation/defineOperation';
import { recordResponse } from '../../core/response/recordResponse';

/** The request for a company's verified domains (deployment onboarding 2). No node offers it alone. */
export const getVerifiedDomainsOperation = defineOperation({
	value: 'getVerifiedDomains',
	name: 'Get Verified Domains',
	action: 'Get verified domains',
	description: 'List the domains that a customer has verified',
	endpoint: 'GET /api/allow-list/search/verified',
	scope: 'company',
	response: recordResponse(),
});

const domainsSchema = z.array(z.string());

/**
 * Reads the domains that the company has verified, in lower case.
 * @returns null if the platform has no such list, sends null instead of it, or doesn't let the credential read it
 * @throws RequestError for any other failure
 */
export async function readVerifiedDomains({ callOperation }: OperationHelpers): Promise<ReadonlySet<string> | null> {
	try {
		const { data } = await callOperation(getVerifiedDomainsOperation, {});
		const parsedDomains = domainsSchema.safeParse(data);
		if (!parsedDomains.success) throw createUnexpectedResponseError(data);
		return new Set(parsedDomains.data.map(normalizeDomain));
	} catch (error) {
		const hasNoData = error instanceof RequestError && error.details.hasNoData === true;
		if (hasNoData || isNotFoundOrForbidden(error)) return null;
		throw toError(error);
	}
}

/** Returns the domain of an email address in lower case: "example.com". @returns '' for a text that isn't an email address */
export function getEmailDomain(email: string): string {
	const [, domain = ''] = /@([^@]+)$/.exec(normalizeEmailAddress(email)) ?? [];
	return normalizeDomain(domain);
}

import { isEmpty as isEmptyRecord, pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { HttpClient } from '../http/client';
import { RequestError, toError } from '../http/errors';
import { RunCacheKey } from '../http/runCache';
import { formatTime, readLastMoment } from '../values';
import { flattenCompanies, requestOwnCompanies, toCompany } from './companies';

/**
 * The fields with the time in which a customer lets its reseller in, its access window (deployment onboarding 2). No document explains
 * the number in `privacyDurationId`.
 */
const ACCESS_WINDOW_FIELDS = ['privacyDurationId', 'privacyDurationStartTime', 'privacyDurationEndTime'];

/** The cache key for the companies of the credential. A run requests them once. */
const OWN_COMPANIES_KEY = new RunCacheKey<Promise<IDataObject[]>>();

async function readOwnCompanies(client: HttpClient): Promise<IDataObject[]> {
	const cache = client.cache.getMap(OWN_COMPANIES_KEY);
	let companies = cache.get('');
	if (!companies) {
		companies = requestOwnCompanies(client, 'read the access window');
		cache.set('', companies);
	}
	return await companies;
}

/**
 * Finds the access window of a company in the list of the credential's companies. The platform shows this list even if the customer
 * doesn't let the reseller in (deployment onboarding 2).
 * @param companyId undefined for the company that the credential belongs to
 * @returns undefined if the list doesn't have the window
 * @throws RequestError
 */
export async function findAccessWindow(
	client: HttpClient,
	companyId: string | undefined,
): Promise<IDataObject | undefined> {
	const companies = await readOwnCompanies(client);
	const isOnlyCompany = companies.length === 1;
	const company =
		companyId === undefined
			? companies.find(() => isOnlyCompany)
			: flattenCompanies(companies).find((record) => toCompany(record).id === companyId);
	const accessWindow = pick(company, ACCESS_WINDOW_FIELDS);
	return isEmptyRecord(accessWindow) ? undefined : accessWindow;
}

/**
 * Adds the end of the access window to the error of a request that failed because the customer doesn't let its reseller in. Any other
 * error is returned unchanged, and so is an error whose company has no known end.
 * @param companyId undefined if the request wasn't for a customer
 * @param timezone the IANA name of the workflow's time zone
 */
export async function addAccessWindowEnd(
	thrown: unknown,
	client: HttpClient,
	companyId: string | undefined,
	timezone: string,
): Promise<Error> {
	const isAccessClosed = thrown instanceof RequestError && thrown.details.isAccessClosed === true;
	if (!isAccessClosed || companyId === undefined) return toError(thrown);
	// If the window can't be read, the error is shown without it.
	const accessWindow = await findAccessWindow(client, companyId).catch(() => undefined);
	const end = readLastMoment(accessWindow?.privacyDurationEndTime, timezone).toMillis();
	const endText = formatTime(end, timezone);
	if (endText === undefined) return thrown;
	const verb = end < Date.now() ? 'ended' : 'ends';
	return new RequestError({
		...thrown.details,
		advice: `${thrown.details.advice} The access window ${verb} on ${endText}.`,
	});
}

import type { IDataObject } from 'n8n-workflow';

import type { HttpClient } from '../http/client';
import { isNotFoundOrForbidden } from '../http/errors';
import { RunCacheKey } from '../http/runCache';
import { readId, toItemJson } from '../values';
import { requestOwnCompanies, toCompany } from './companies';

/** The cache key for the time zones that a run has read, by the company's ID. The credential's own company has the key ''. */
const TIME_ZONES_KEY = new RunCacheKey<Promise<string | undefined>>();

/**
 * Reads the ID of a company's time zone from its record (deployment onboarding 1). It is requested once per company and run, also if the
 * platform has no such company or refuses access.
 * @param companyId undefined for the company that the credential belongs to
 * @returns undefined if the record has no time zone
 * @throws RequestError
 */
export async function readCompanyTimeZone(
	client: HttpClient,
	companyId: string | undefined,
	signal?: AbortSignal,
): Promise<string | undefined> {
	const timeZones = client.cache.getMap(TIME_ZONES_KEY);
	const key = companyId ?? '';
	let timeZone = timeZones.get(key);
	if (timeZone === undefined) {
		timeZone = requestTimeZone(client, companyId, signal);
		timeZones.set(key, timeZone);
		timeZone.catch((error: unknown) => {
			if (!isNotFoundOrForbidden(error)) timeZones.delete(key);
		});
	}
	return await timeZone;
}

async function requestTimeZone(
	client: HttpClient,
	companyId: string | undefined,
	signal: AbortSignal | undefined,
): Promise<string | undefined> {
	if (companyId !== undefined) return readTimeZoneId(await requestCompany(client, companyId, signal));
	const ownCompany = await requestOwnCompany(client, signal);
	if (ownCompany === undefined) return undefined;
	const { id } = toCompany(ownCompany);
	const timeZone = readTimeZoneId(ownCompany);
	// On live platforms, this record has no time zone (deployment shapes, "Companies"). The record that the ID leads to has one.
	return timeZone !== undefined || id === '' ? timeZone : readTimeZoneId(await requestCompany(client, id, signal));
}

const readTimeZoneId = (company: IDataObject) => readId(company, ['timeZoneId']);

const PURPOSE = "read the customer's time zone";

async function requestCompany(client: HttpClient, resourceId: string, signal?: AbortSignal): Promise<IDataObject> {
	const endpoint = 'GET /api/companies/{resourceId}';
	const { data } = await client.requestJson({ endpoint, purpose: PURPOSE, path: { resourceId }, signal });
	return toItemJson(data);
}

/**
 * Requests the company that the credential belongs to.
 * @returns undefined if the list has several companies, so that it isn't certain which of them is meant
 */
async function requestOwnCompany(client: HttpClient, signal?: AbortSignal): Promise<IDataObject | undefined> {
	const companies = await requestOwnCompanies(client, PURPOSE, signal);
	return companies.length === 1 ? companies[0] : undefined;
}

import type { IDataObject } from 'n8n-workflow';

import type { ListResult } from '../pagination/listResult';
import { toCompany } from '../companies/companies';
import type { HttpClient } from '../http/client';
import { requestName } from '../response/requestName';
import type { Choice } from '../values';

/** The company names that a run has read. */
export interface CompanyNameCache {
	/** The list of companies, if the run has read it. */
	companyList?: Promise<ListResult>;
	/** The names that were read one by one, by the company's ID. */
	namesById: Map<string, Promise<string>>;
}

/**
 * Finds the name of a company: in the list of companies that the run has read, in the user's choice, in an input item about the company,
 * or with one request per company and run.
 * @param client undefined if no request may be sent for the name
 * @returns '' if the name isn't found
 * @throws RequestError if the run was stopped
 */
export async function readCompanyName(
	{ id, name }: Choice,
	input: IDataObject | undefined,
	cache: CompanyNameCache,
	client?: HttpClient,
): Promise<string> {
	const list = await cache.companyList?.catch(() => undefined);
	const companies = (list?.records ?? []).map(toCompany);
	const listedName = companies.find((company) => company.id === id)?.name;
	// The name that is saved with an ID may belong to another company.
	const isNameOfAnotherCompany = name !== '' && companies.some((company) => company.id !== id && company.name === name);
	const savedName = isNameOfAnotherCompany ? '' : name;
	const inputName = input?.companyResourceId === id && typeof input.companyName === 'string' ? input.companyName : '';
	const knownName = listedName || savedName || inputName;
	if (knownName) return knownName;

	let requestedName = cache.namesById.get(id);
	if (!requestedName && client) {
		requestedName = requestCompanyName(id, client);
		cache.namesById.set(id, requestedName);
	}
	return (await requestedName) ?? '';
}

/** Reads a company's name with a request. A failure is ignored. @throws RequestError if the run was stopped */
async function requestCompanyName(resourceId: string, client: HttpClient): Promise<string> {
	const request = {
		endpoint: 'GET /api/companies/{resourceId}',
		purpose: 'read the name of the company',
		path: { resourceId },
	} as const;
	return await requestName(client, request, (record) => toCompany(record).name);
}

import type { IDataObject } from 'n8n-workflow';

import type { ListResult } from '../pagination/listResult';
import { toCompany } from '../companies/companies';
import type { HttpClient } from '../http/client';
import { requestName } from '../response/requestName';
import type { Choice } from '../values';

/** The company names that are already known in a run. All items of the run share them. */
export interface CompanyNameCache {
	/** The list of companies. Undefined if the run has not requested it. */
	companyList?: Promise<ListResult>;
	/** The names that were requested one by one, by the company's ID. */
	requestedNamesById: Map<string, Promise<string>>;
}

/**
 * Finds the name of a company. It looks in the list of companies (if the run has read it), in the name that n8n saved with the selected
 * company, and in the input item if that is about the company. Otherwise it requests the name, once per company and run.
 * @param company the company's ID, and the saved name or ''
 * @param input the JSON of the input item
 * @param client sends the request; undefined if no request may be sent for the name
 * @returns '' if the name isn't found
 * @throws RequestError if the run was stopped
 */
export async function readCompanyName(
	company: Choice,
	input: IDataObject | undefined,
	cache: CompanyNameCache,
	client?: HttpClient,
): Promise<string> {
	const { id, name } = company;
	const list = await cache.companyList?.catch(() => undefined);
	const companies = (list?.records ?? []).map(toCompany);
	const listedName = companies.find((listedCompany) => listedCompany.id === id)?.name;
	// The name that n8n saved with the ID may be another company's, for example if the ID now comes from an expression.
	const isNameOfAnotherCompany =
		name !== '' && companies.some((listedCompany) => listedCompany.id !== id && listedCompany.name === name);
	const savedName = isNameOfAnotherCompany ? '' : name;
	const inputName = input?.companyResourceId === id && typeof input.companyName === 'string' ? input.companyName : '';
	const knownName = listedName || savedName || inputName;
	if (knownName) return knownName;

	let requestedName = cache.requestedNamesById.get(id);
	if (!requestedName && client) {
		requestedName = requestCompanyName(id, client);
		cache.requestedNamesById.set(id, requestedName);
	}
	return (await requestedName) ?? '';
}

/** Requests a company's name. Returns '' if the request fails. @throws RequestError if the run was stopped */
async function requestCompanyName(resourceId: string, client: HttpClient): Promise<string> {
	const request = {
		endpoint: 'GET /api/companies/{resourceId}',
		purpose: 'read the name of the company',
		path: { resourceId },
	} as const;
	return await requestName(client, request, (record) => toCompany(record).name);
}

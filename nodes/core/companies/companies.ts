import { uniqBy } from 'lodash';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import type { ListResult } from '../pagination/listResult';
import { parseWholeList } from '../pagination/parsePage';
import { readList } from '../pagination/readList';
import { InvalidInputError } from '../http/errors';
import { buildSearchFilter } from '../api/searchFilter';
import type { HttpClient } from '../http/client';
import {
	findByName,
	readId,
	isRecord,
	formatList,
	formatCount,
	readLastMoment,
	toItemJson,
	type Choice,
} from '../values';

/** The fields of a company's record that may contain its ID. The first one with a value is used (deployment facts, "Naming"). */
export const COMPANY_ID_FIELDS = ['companyResourceId', 'resourceId'] as const;
/** The fields of a company's record that may contain its name. The first one with a value is used. */
export const COMPANY_NAME_FIELDS = ['companyName', 'name'] as const;

/** Reads a company's ID and name from its record. A missing ID or name is returned as ''. */
export function toCompany(record: IDataObject): Choice {
	return { id: readId(record, COMPANY_ID_FIELDS) ?? '', name: readId(record, COMPANY_NAME_FIELDS) ?? '' };
}

/**
 * Lists a company, followed by its child companies at any depth (contract 2.4). In the returned records, each child has the ID of its
 * parent as `parentCompanyResourceId`, and no record has the field `children`.
 */
export function flattenChildren({ children, ...company }: IDataObject): IDataObject[] {
	const parentCompanyResourceId = toCompany(company).id;
	const childRecords: unknown[] = Array.isArray(children) ? children : [];
	return [
		company,
		...childRecords
			.filter(isRecord)
			.flatMap((child) => flattenChildren(toItemJson({ ...child, parentCompanyResourceId }))),
	];
}

const isChildCompany = (company: IDataObject) => 'parentCompanyResourceId' in company;

/**
 * Lists companies and their child companies at any depth, each company once. A platform may list a child twice: inside its parent and
 * as a separate record (deployment behaviour, "Companies"). Then only the record with the parent's ID is kept.
 */
export function flattenCompanies(records: IDataObject[]): IDataObject[] {
	const companies = records.flatMap(flattenChildren);
	const childIds = new Set(companies.filter(isChildCompany).map((company) => toCompany(company).id));
	return uniqBy(
		companies.filter((company) => isChildCompany(company) || !childIds.has(toCompany(company).id)),
		(company) => toCompany(company).id || company,
	);
}

/**
 * Reads all companies that the credential manages (contract 4.3), newest first. Child companies are included, and each company is listed
 * once.
 * @param signal stops the reading when it is aborted
 * @param filter the search filter; without it, all companies are read
 * @throws RequestError, for example with the status 403 if the credential doesn't belong to a Reseller
 */
export async function listCompanies(
	client: HttpClient,
	signal?: AbortSignal,
	filter = buildSearchFilter(),
): Promise<ListResult> {
	const request = {
		endpoint: 'POST /api/companies/search',
		purpose: 'list the companies',
		body: { filter },
		signal,
	} as const;
	const list = await readList(client, request, { identity: COMPANY_ID_FIELDS });
	return { ...list, records: flattenCompanies(list.records) };
}

/**
 * Requests the companies of the credential. Depending on the platform and the role, this is one company, or all customers of a reseller with
 * their child companies in `children` (deployment facts, "Responses").
 * @throws RequestError
 */
export async function requestOwnCompanies(
	client: HttpClient,
	purpose: string,
	signal?: AbortSignal,
): Promise<IDataObject[]> {
	const { data } = await client.requestJson({ endpoint: 'GET /api/companies/my', purpose, signal });
	return isRecord(data) ? [toItemJson(data)] : parseWholeList(data);
}

/** Finds the company with a name (see `findByName`). @throws InvalidInputError unless exactly one company has the name */
export function findCompanyByName(name: string, records: IDataObject[]): Choice {
	const matches = findByName(records.map(toCompany), name, (company) => company.name);
	const [firstMatch] = matches;
	if (!firstMatch)
		throw new InvalidInputError(
			`is '${name}', but no company that the credential manages has this name`,
			[],
			`Enter the company's full name as the platform shows it, or select it 'From List'. The credential manages ${formatCount(records.length, 'company')}.`,
		);
	if (matches.length > 1) {
		const matchList = formatList(matches.map((company) => `${company.name} (${company.id})`));
		throw new InvalidInputError(
			`is '${name}', but ${matches.length} companies have this name`,
			[],
			`Select one of them 'From List', or enter its ID 'By ID': ${matchList}.`,
		);
	}
	return firstMatch;
}

/** Reads when a company's license ends (contract 2.4; see `readLastMoment`). @returns an invalid date if the record has no end date */
export const readLicenseEnd = ({ licenseEndDate }: IDataObject, timezone: string) =>
	readLastMoment(licenseEndDate, timezone);

/**
 * Returns true if a company's license has expired: its last day is over, or the record marks it as expired. On its last day, a license
 * still counts as valid.
 * @param now in ms since 1970
 * @param timezone the IANA name of the workflow's time zone, which decides when a day ends
 */
export function isLicenseExpired(company: IDataObject, now: number, timezone: string): boolean {
	const today = DateTime.fromMillis(now, { zone: timezone });
	const licenseEnd = readLicenseEnd(company, timezone);
	return licenseEnd < today.startOf('day') || (company.licenceExpired === true && !licenseEnd.hasSame(today, 'day'));
}

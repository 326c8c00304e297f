import { uniqBy } from 'lodash';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { readList, type ListRead } from '../pagination/readList';
import { InvalidInput } from '../http/errors';
import { searchFilter } from '../http/requestVariants';
import type { Service } from '../http/client';
import { havingName, identityOf, isRecord, listOf, plural, readLastMoment, toJson, type Choice } from '../values';

/** The fields that may have the ID of a company, in a company's own record (deployment facts, "Naming"). */
export const COMPANY_ID = ['companyResourceId', 'resourceId'] as const;
export const COMPANY_NAME = ['companyName', 'name'] as const;

/** The ID and name of a company's record; empty where the record has none. */
export function companyOf(record: IDataObject): Choice {
	return { id: identityOf(record, COMPANY_ID) ?? '', name: identityOf(record, COMPANY_NAME) ?? '' };
}

/**
 * A company, followed by its child companies of every depth as one flat list (contract 2.4). Each child gets the ID of its
 * parent, `parentCompanyResourceId`, and no record has `children` any more.
 */
export function withChildren({ children, ...own }: IDataObject): IDataObject[] {
	const parentCompanyResourceId = companyOf(own).id;
	const below: unknown[] = Array.isArray(children) ? children : [];
	return [
		own,
		...below.filter(isRecord).flatMap((child) => withChildren(toJson({ ...child, parentCompanyResourceId }))),
	];
}

/**
 * Companies and their child companies of every depth, each once: of a child that is listed inside its parent and on its own
 * (deployment behaviour, "Companies"), the record with the ID of its parent is kept.
 */
export function uniqueCompanies(records: IDataObject[]): IDataObject[] {
	const all = records.flatMap(withChildren);
	const children = new Set(all.filter((each) => 'parentCompanyResourceId' in each).map((each) => companyOf(each).id));
	return uniqBy(
		all.filter((each) => 'parentCompanyResourceId' in each || !children.has(companyOf(each).id)),
		(each) => companyOf(each).id || each,
	);
}

/**
 * Reads all companies that the credential manages (contract 4.3), child companies included, each once, the newest first.
 * @param signal ends the reading when it is aborted
 * @param filter of the search; all are read without
 * @throws ServiceError, with status 403 for a credential that is not a Reseller's
 */
export async function listCompanies(
	service: Service,
	signal?: AbortSignal,
	filter = searchFilter(),
): Promise<ListRead> {
	const request = {
		endpoint: 'POST /api/companies/search',
		purpose: 'list the companies',
		body: { filter },
		signal,
	} as const;
	const read = await readList(service, request, { identity: COMPANY_ID });
	return { ...read, records: uniqueCompanies(read.records) };
}

/** The company of a name among all that the credential manages (see `havingName`). @throws InvalidInput unless exactly one has it */
export function companyNamed(name: string, records: IDataObject[]): Choice {
	const found = havingName(records.map(companyOf), name, (company) => company.name);
	const [company, ...others] = found;
	if (company && others.length === 0) return company;
	if (company)
		throw new InvalidInput(
			`is '${name}', the name of ${plural(found.length, 'company')}`,
			[],
			`Choose one of them 'From List', or enter its ID 'By ID': ${listOf(found.map((each) => `${each.name} (${each.id})`))}.`,
		);
	throw new InvalidInput(
		`is '${name}', but the credential manages no company of that name (${plural(records.length, 'company')} in all)`,
		[],
		"Enter the company's whole name as the platform shows it, or choose it 'From List'.",
	);
}

/** Reads when a company's license ends (contract 2.4; see `readLastMoment`). @returns an invalid date if the record doesn't show it */
export const licenseEnd = ({ licenseEndDate: end }: IDataObject, timezone: string) => readLastMoment(end, timezone);

/**
 * Whether a company's license has expired: because its last day is over, or by its flag, unless its last day is today.
 * @param now in ms since 1970
 * @param timezone the workflow's time zone, in which days are counted
 */
export function isExpired(company: IDataObject, now: number, timezone: string): boolean {
	const today = DateTime.fromMillis(now, { zone: timezone });
	const end = licenseEnd(company, timezone);
	return end < today.startOf('day') || (company.licenceExpired === true && !end.hasSame(today, 'day'));
}

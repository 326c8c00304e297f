import type { IDataObject } from 'n8n-workflow';

import { identityOf, remarkOn, type ListRead } from '../answer/paging';
import { isRecord, numberOf } from '../form/value';
import { COMPANY_ID } from '../transport/guard/companies';
import { FIELDS, type Limits } from '../transport/guard/limits';
import { joinFirst } from '../transport/joinFirst';
import type { Company } from '../transport/request';
import type { Service } from '../transport/service';
import { readWholeListing, type Listing } from './listing';

const COMPANY_NAMES = {
	id: COMPANY_ID,
	name: ['companyName', 'name'],
} as const;

/** The ID and name of a company's record; empty where the record has none. */
export function companyOf(record: IDataObject): Company {
	return { id: identityOf(record, COMPANY_ID) ?? '', name: identityOf(record, COMPANY_NAMES.name) ?? '' };
}

/**
 * A company, followed by its child companies of every depth as one flat list (contract 2.4). Each child gets the ID of its
 * parent, and no record has `children` any more.
 */
export function withChildren(record: IDataObject): IDataObject[] {
	const all: IDataObject[] = [];
	const waiting: IDataObject[] = [record];
	for (let next = waiting.shift(); next; next = waiting.shift()) {
		const { children, ...own } = next;
		all.push(own);
		const parentCompanyResourceId = companyOf(own).id;
		const below = Array.isArray(children) ? children.filter(isRecord) : [];
		waiting.unshift(...below.map((child) => ({ ...child, parentCompanyResourceId }) as IDataObject));
	}
	return all;
}

/**
 * Companies and their child companies of every depth, each once. A service may list a child both inside its parent and on
 * its own (deployment behaviour, "Companies"); then only the record that has the ID of its parent is kept.
 */
export function uniqueCompanies(records: IDataObject[]): IDataObject[] {
	const all = records.flatMap(withChildren);
	const below = new Set(all.filter((each) => 'parentCompanyResourceId' in each).map((each) => companyOf(each).id));
	const seen = new Set<string>();
	return all.filter((each) => {
		const { id } = companyOf(each);
		if (id === '') return true;
		const isDuplicate = seen.has(id) || (below.has(id) && !('parentCompanyResourceId' in each));
		if (!isDuplicate) seen.add(id);
		return !isDuplicate;
	});
}

/** The mark before the name of a child company, which follows its parent in a list. */
export const CHILD_MARK = '↳ ';

/** The companies that a credential manages (contract 4.3), child companies after their parents. */
export const COMPANY_LISTING: Listing = {
	contract: 'POST /api/companies/search',
	...COMPANY_NAMES,
	expand: withChildren,
	entry: (record) => {
		const name = identityOf(record, COMPANY_NAMES.name);
		const isChild = name !== undefined && 'parentCompanyResourceId' in record;
		return { id: identityOf(record, COMPANY_ID), name, ...(isChild ? { mark: CHILD_MARK } : {}) };
	},
};

/**
 * Reads all companies that the credential manages, including child companies, each once, in the service's order of names.
 * @param signal ends the reading when it is aborted
 * @throws ServiceError, with status 403 for a credential that is not a Reseller's
 */
export async function listCompanies(service: Service, signal?: AbortSignal): Promise<ListRead> {
	return await readWholeListing(COMPANY_LISTING, noFields, service, '', signal);
}

/**
 * The companies to which the credential is limited and which the service does not list, such as one with a typing mistake.
 * @param list all companies that the credential manages
 * @returns null if the list is not complete, so that it does not tell
 */
export function unlistedOf({ companies = new Set<string>() }: Limits, list: ListRead): string[] | null {
	const known = new Set(list.records.map((record) => companyOf(record).id));
	return remarkOn(list) === undefined ? [...companies].filter((id) => !known.has(id)) : null;
}

/** Tells a person of such companies. @returns undefined if there are none */
export const remarkOnUnlisted = (ids: readonly string[] | null): string | undefined =>
	ids && ids.length > 0
		? `The service does not list these of the credential's '${FIELDS.companyIds}': ${joinFirst(ids)}. Correct or remove them in the credential.`
		: undefined;

/** A list that depends on no other field. */
const noFields = { id: (field: string) => field, text: (field: string) => field, company: async () => undefined };

/** Whether a company's license has expired, by its flag or its end date. @param now in ms since 1970 */
export function isExpired(company: IDataObject, now: number): boolean {
	if (company.licenceExpired === true) return true;
	const end = typeof company.licenseEndDate === 'string' ? Date.parse(company.licenseEndDate) : NaN;
	return end < now;
}

/**
 * Whether a company's numbers show that it is not over its limit, although a service says so that does not filter by it.
 * Without both numbers, the service is believed.
 */
export const isWithinLimit = (company: IDataObject): boolean =>
	company.isNumberOfUsersLimited === false ||
	numberOf(company.targetUserCount ?? NaN) <= numberOf(company.numberOfUsers ?? NaN);

/** Whether a company has more users than its license allows (contract 2.4: numberOfUsers is text). */
export function isOverLimit({ isNumberOfUsersLimited, numberOfUsers, targetUserCount }: IDataObject): boolean {
	return isNumberOfUsersLimited !== false && numberOf(targetUserCount) > numberOf(numberOfUsers);
}

import type { IDataObject } from 'n8n-workflow';

import { identityOf, type ListRead } from '../answer/paging';
import type { Label } from '../form/label';
import { isRecord, numberOf } from '../form/value';
import type { Field } from '../form/field';
import { COMPANY_ID } from '../transport/guard/companies';
import type { Company } from '../transport/request';
import type { Service } from '../transport/service';
import { firstAvailable, wholeList, type Source } from './sources';
import { readWholeListing, type Listing } from './listing';
import { parsePicked, picker, searchPicker, searchMultiPicker, type Picked } from './picker';

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
const CHILD_MARK = '↳ ';

/** The companies that a credential manages (contract 4.3), child companies after their parents. */
const LISTING: Listing = {
	contract: 'POST /api/companies/search',
	...COMPANY_NAMES,
	expand: withChildren,
	entry: (record) => {
		const name = identityOf(record, COMPANY_NAMES.name);
		const isChild = name !== undefined && 'parentCompanyResourceId' in record;
		return { id: identityOf(record, COMPANY_ID), name: isChild ? CHILD_MARK + name : name };
	},
};

/**
 * Reads all companies that the credential manages, including child companies, each once, in the service's order of names.
 * @param signal ends the reading when it is aborted
 * @throws ServiceError, with status 403 for a credential that is not a Reseller's
 */
export async function listCompanies(service: Service, signal?: AbortSignal): Promise<ListRead> {
	return await readWholeListing(LISTING, noFields, service, '', signal);
}

/** A list that depends on no other field. */
const noFields = { id: (field: string) => field, text: (field: string) => field, company: () => undefined };

/** Whether a company's license has expired, by its flag or its end date. @param now in ms since 1970 */
export function isExpired(company: IDataObject, now: number): boolean {
	if (company.licenceExpired === true) return true;
	const end = typeof company.licenseEndDate === 'string' ? Date.parse(company.licenseEndDate) : NaN;
	return end < now;
}

/** Whether a company has more users than its license allows (contract 2.4: numberOfUsers is text). */
export function isOverLimit({ isNumberOfUsersLimited, numberOfUsers, targetUserCount }: IDataObject): boolean {
	return isNumberOfUsersLimited !== false && numberOf(targetUserCount) > numberOf(numberOfUsers);
}

/** The field that chooses a customer company; child companies follow their parents. */
export function companyPicker(): Field<Picked> {
	const field = searchPicker({
		displayName: 'Company',
		description: 'The customer company; the mark ↳ stands before child companies',
		method: 'searchCompanies',
		thing: 'company',
		whenRefused:
			"Only a Reseller's credential can list companies. With a Company Admin's, choose 'Credential's Own' in 'Company Scope', or enter the company's ID.",
		listing: LISTING,
	});
	// n8n stores the name as it was listed, with the mark.
	const withoutMark = ({ id, name }: Picked): Picked => ({
		id,
		name: name.startsWith(CHILD_MARK) ? name.slice(CHILD_MARK.length) : name,
	});
	return { ...field, parse: (raw) => withoutMark(parsePicked(raw)) };
}

/** The field that chooses several of the companies that the credential manages. */
export const companiesPicker = (label: Label) =>
	searchMultiPicker({ ...label, method: 'loadCompanies', thing: 'company', listing: LISTING });

/**
 * The field that chooses one of the platform's values, such as an industry: from the platform's list or, because the
 * contract has no such list, from the values of existing companies.
 * @param names the fields of a company's record with the value's ID and name (contract 2.4)
 * @param platformSource the platform's own list, if a deployment has it
 */
export function companyValuePicker(
	label: Label & { method: string; thing: string; plural: string },
	names: { id: string; name: string },
	platformSource: Source,
): Field<Picked> {
	const valuesOfCompanies = wholeList(async (filled) => {
		const { records } = await listCompanies(await filled.open());
		const values = new Map<string, string>();
		for (const record of records) {
			const id = identityOf(record, [names.id]);
			const name = identityOf(record, [names.name]);
			if (id !== undefined && name !== undefined) values.set(id, name);
		}
		return [...values].map(([id, name]) => ({ id, name })).sort((one, other) => one.name.localeCompare(other.name));
	});
	return picker({
		...label,
		whenRefused: "Only a Reseller's credential can list these. Enter the ID instead.",
		search: firstAvailable(
			[platformSource, valuesOfCompanies],
			`This platform does not list its ${label.plural}, and no company has one yet: choose 'By ID' and enter it`,
		),
	});
}

import type { IDataObject } from 'n8n-workflow';

import { identityOf, type ListRead } from '../answer/paging';
import type { Label } from '../form/label';
import { isRecord, numberOf } from '../form/value';
import type { Field } from '../form/field';
import type { Company } from '../transport/request';
import type { Service } from '../transport/service';
import { firstAvailable, whole, type Source } from './sources';
import { readWholeListing, type Listing } from './listing';
import { parsePicked, picker, searchPicker, severalPicker, type Picked } from './picker';

/** The names under which a company's identifier was seen. */
export const COMPANY_ID = ['companyResourceId', 'resourceId', 'id'] as const;
const COMPANY_NAMES = {
	id: COMPANY_ID,
	name: ['companyName', 'name'],
} as const;

export function companyOf(record: IDataObject): Company {
	return { id: identityOf(record, COMPANY_ID) ?? '', name: identityOf(record, COMPANY_NAMES.name) ?? '' };
}

/**
 * A company and, flat behind it, its child companies at every depth (contract 2.4). Each gets the ID of its parent
 * and loses `children`, which follow as records of their own.
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
 * Companies and their child companies at every depth, each once: a service may list a child inside its parent and on its
 * own as well (deployment behaviour, "Companies"). Then the one with the ID of its parent stays.
 */
export function eachCompany(records: IDataObject[]): IDataObject[] {
	const all = records.flatMap(withChildren);
	const below = new Set(all.filter((each) => 'parentCompanyResourceId' in each).map((each) => companyOf(each).id));
	const seen = new Set<string>();
	return all.filter((each) => {
		const { id } = companyOf(each);
		if (id === '') return true;
		const isDouble = seen.has(id) || (below.has(id) && !('parentCompanyResourceId' in each));
		if (!isDouble) seen.add(id);
		return !isDouble;
	});
}

/** Stands before a child company in a list, where its parent is above it. */
const BELOW = '↳ ';

/** The companies a credential manages (contract 4.3), child companies behind their parents. */
const LISTING: Listing = {
	contract: 'POST /api/companies/search',
	...COMPANY_NAMES,
	expand: withChildren,
	entry: (record) => {
		const name = identityOf(record, COMPANY_NAMES.name);
		const isChild = name !== undefined && 'parentCompanyResourceId' in record;
		return { id: identityOf(record, COMPANY_ID), name: isChild ? BELOW + name : name };
	},
};

/**
 * Every company the credential manages, child companies included, each once, in the service's order of names.
 * @throws ServiceError; 403 for a credential that is no Reseller's
 */
export async function listCompanies(service: Service): Promise<ListRead> {
	return await readWholeListing(LISTING, noFields, service);
}

/** A list that depends on no other field. */
const noFields = { id: (field: string) => field, text: (field: string) => field, company: () => undefined };

/** Whether a company's licence has run out, by its flag or its end date, whichever a deployment sends. */
export function isExpired(company: IDataObject, now: number): boolean {
	if (company.licenceExpired === true) return true;
	const end = typeof company.licenseEndDate === 'string' ? Date.parse(company.licenseEndDate) : NaN;
	return end < now;
}

/** Whether a company has more users than its licence allows (contract 2.4: numberOfUsers is text). */
export function isOverLimit({ isNumberOfUsersLimited, numberOfUsers, targetUserCount }: IDataObject): boolean {
	return isNumberOfUsersLimited !== false && numberOf(targetUserCount) > numberOf(numberOfUsers);
}

/** Chooses a customer company; child companies stand behind their parents. */
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
	// n8n keeps the name as it was listed.
	const plain = ({ id, name }: Picked): Picked => ({
		id,
		name: name.startsWith(BELOW) ? name.slice(BELOW.length) : name,
	});
	return { ...field, parse: (raw) => plain(parsePicked(raw)) };
}

/** Chooses several companies; all that the credential manages are listed. */
export const companiesPicker = (label: Label) =>
	severalPicker({ ...label, method: 'loadCompanies', thing: 'company', listing: LISTING });

/**
 * Chooses one of the values that the platform knows, such as an industry: from its own list, else from what existing
 * companies have, because the contract has no list of those.
 * @param names where a company's record holds the value's ID and name (contract 2.4)
 * @param own the platform's own list, where a deployment has it
 */
export function companyValuePicker(
	label: Label & { method: string; thing: string; plural: string },
	names: { id: string; name: string },
	own: Source,
): Field<Picked> {
	const ofCompanies = whole(async (filled) => {
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
			[own, ofCompanies],
			`This platform does not list its ${label.plural}, and no company has one yet: choose 'By ID' and enter it`,
		),
	});
}

import type { IDataObject } from 'n8n-workflow';

import type { Sortable } from '../shared/form/search';
import { COMPANY_ID, companyOf } from '../shared/pickers/companies';

/** What 'Simplified' keeps of a company (contract 2.4 has 20 fields); the table shows the first three or four at once. */
const simplified = [
	'companyName',
	'licenseTypeName',
	'licenseEndDate',
	'licenceExpired',
	'numberOfUsers',
	// Without it, a limit of 0 looks as if the company were over it.
	'isNumberOfUsersLimited',
	'targetUserCount',
	'monthlyActiveUserCount',
	'createTime',
	'companyResourceId',
	'parentCompanyResourceId',
];

export const COMPANY = { id: COMPANY_ID, simplified };

/** What people take for the number of users there are, because of its name (deployment behaviour, "Companies"). */
export const LICENSE_NOTE =
	"In the output, numberOfUsers is the license's limit: how many users it allows; if isNumberOfUsersLimited is false, there is no limit. targetUserCount is how many there are.";

/** What companies can be sorted by (contract 2.2). */
export const COMPANY_SORT: Sortable = {
	'Create Time': 'CreateTime',
	Name: 'Name',
	'Renewal Date': 'RenewalDate',
};

/** A company's record with its limit of users as a number; the list sends it as text (contract 2.4). */
export function withLimit(json: IDataObject): IDataObject {
	const { numberOfUsers: limit } = json;
	return typeof limit === 'string' && /^\d+$/.test(limit) ? { ...json, numberOfUsers: Number(limit) } : json;
}

/**
 * A company's record with its ID and name under the names that the list of companies has; those it lacks become its first fields.
 * @param sent the name, where the service does not repeat it
 */
export function asListed(json: IDataObject, sent?: unknown): IDataObject {
	const { id, name } = companyOf(json);
	const companyName = name === '' && typeof sent === 'string' ? sent : name;
	return {
		...('companyName' in json || companyName === '' ? {} : { companyName }),
		...('companyResourceId' in json || id === '' ? {} : { companyResourceId: id }),
		...withLimit(json),
	};
}

import type { IDataObject } from 'n8n-workflow';
import type { Filterable } from '../shared/form/fieldFilters';
import type { Sortable } from '../shared/form/search';

import { companyOf } from '../shared/pickers/companies';
import { COMPANY_ID } from '../shared/transport/guard/companies';

/** What 'Simplified' keeps of a company (contract 2.4 has 20 fields); the table shows the first three or four at once. */
const ESSENTIALS = [
	'companyName',
	'licenseTypeName',
	'licenseEndDate',
	'licenceExpired',
	'numberOfUsers',
	'targetUserCount',
	'monthlyActiveUserCount',
	'createTime',
	'companyResourceId',
	'parentCompanyResourceId',
] as const;

/** Without it, a limit of 0 looks as if the company were over it. */
const ALSO = ['isNumberOfUsersLimited'] as const;

/** What people take for the number of users there are, because of its name (deployment behaviour, "Companies"). */
export const LICENSE_NOTE =
	"In the output, numberOfUsers is the license's limit: how many users it allows; if isNumberOfUsersLimited is false, there is no limit. targetUserCount is how many there are.";
const LISTED = [
	'deletedTargetUserCount',
	'inactiveTargetUserCount',
	'industryName',
	'industryResourceId',
	'isNumberOfUsersLimited',
	'licenseTypeResourceId',
	'privacyDurationId',
	'resellerName',
	'tags',
] as const;

/** The fields of a company in a list (contract 2.4). */
export const LISTED_COMPANY = { essentials: ESSENTIALS, also: ALSO, others: LISTED };

/** The fields of one company (contract 2.4). */
export const COMPANY = {
	id: COMPANY_ID,
	essentials: ESSENTIALS,
	also: ALSO,
	others: [
		...LISTED,
		...['address', 'childCompanyCount', 'countryResourceId', 'dateFormat', 'description', 'statusId'],
		...['timeFormat', 'timeZoneId', 'websiteUrl'],
	],
};
/** What companies may be filtered by (contract 2.4). */
export const COMPANY_FILTERABLE: Filterable = [
	'CompanyName',
	'CreateTime',
	'IndustryName',
	'IsNumberOfUsersLimited',
	'LicenceExpired',
	'LicenseEndDate',
	'LicenseTypeName',
	'MonthlyActiveUserCount',
	'NumberOfUsers',
	'ResellerName',
	'Tags',
	'TargetUserCount',
];

/** What companies can be sorted by (contract 2.2). */
export const COMPANY_SORT: Sortable = {
	'Create Time': 'CreateTime',
	Name: 'Name',
	'Renewal Date': 'RenewalDate',
};

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
		...json,
	};
}

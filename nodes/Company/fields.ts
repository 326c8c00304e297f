import type { Filterable } from '../shared/form/fieldFilters';
import type { Sortable } from '../shared/form/search';

/** What 'Simplify' keeps of a company (contract 2.4 has 20 fields); the table shows the first three or four at once. */
export const COMPANY_ESSENTIALS = [
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

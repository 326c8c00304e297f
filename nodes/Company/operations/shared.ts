import type { Sortable } from '../../shared/fields/search';

/** What 'Simplify' keeps of a company (contract 2.4 has 20 fields). */
export const COMPANY_ESSENTIALS = [
	'companyResourceId',
	'companyName',
	'parentCompanyResourceId',
	'createTime',
	'licenseTypeName',
	'licenseEndDate',
	'licenceExpired',
	'numberOfUsers',
	'targetUserCount',
	'monthlyActiveUserCount',
] as const;

/** What companies can be sorted by (contract 2.2). */
export const COMPANY_SORT: Sortable = {
	'Create Time': 'CreateTime',
	Name: 'Name',
	'Renewal Date': 'RenewalDate',
};

import { COMPANY_ID } from '../shared/pickers/company';
import type { Sortable } from '../shared/form/search';

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
export const LISTED_COMPANY = { essentials: ESSENTIALS, others: LISTED };

/** The fields of one company (contract 2.4). */
export const COMPANY = {
	id: COMPANY_ID,
	essentials: ESSENTIALS,
	others: [
		...LISTED,
		...['address', 'childCompanyCount', 'countryResourceId', 'dateFormat', 'description', 'statusId'],
		...['timeFormat', 'timeZoneId', 'websiteUrl'],
	],
};

/** What companies can be sorted by (contract 2.2). */
export const COMPANY_SORT: Sortable = {
	'Create Time': 'CreateTime',
	Name: 'Name',
	'Renewal Date': 'RenewalDate',
};

import type { IDataObject } from 'n8n-workflow';

import type { FilterableFields } from '../core/filters/conditions';

/** The fields by which platforms can filter companies, as far as known (deployment activity 10). */
export const FILTERABLE_COMPANY_FIELDS: FilterableFields = {
	CompanyName: { name: 'Company Name', type: 'text', recordField: 'companyName' },
	CreateTime: { name: 'Create Time', type: 'date', recordField: 'createTime' },
	IndustryResourceId: { name: 'Industry ID', type: 'choice', recordField: 'industryResourceId' },
	LicenceExpired: { name: 'License Expired', type: 'yesNo', recordField: 'licenceExpired' },
	LicenseEndDate: { name: 'License End', type: 'date', recordField: 'licenseEndDate' },
	LicenseTypeResourceId: { name: 'License Type ID', type: 'choice', recordField: 'licenseTypeResourceId' },
	ResellerName: { name: 'Reseller Name', type: 'text', recordField: 'resellerName' },
	TargetUserCount: { name: 'Target Users', type: 'number', recordField: 'targetUserCount' },
};

/**
 * Converts a company's `numberOfUsers` to a number, because the platform's list of companies contains it as text
 * (contract 2.4).
 */
export function parseUserLimit(company: IDataObject): IDataObject {
	const { numberOfUsers } = company;
	if (typeof numberOfUsers !== 'string' || !/^\d+$/.test(numberOfUsers)) return company;
	return { ...company, numberOfUsers: Number(numberOfUsers) };
}

/** Helpers that the tests of the Company node share. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import type { Company } from '../stand-in/seed';
import { createNodeFixture, getJson, parseText, type FixtureRunOptions } from '../n8n-core/nodeFixture';

/** Returns companies as the node outputs them: each parent company, followed by its child companies, which have the parent's ID. */
export const flattenCompanies = (companies: readonly Company[], parentId?: string): IDataObject[] =>
	companies.flatMap(({ children, ...company }) => {
		const record: IDataObject = { ...company, numberOfUsers: Number(company.numberOfUsers) };
		if (parentId !== undefined) record.parentCompanyResourceId = parentId;
		return [record, ...flattenCompanies(children, company.companyResourceId)];
	});

/** Returns companies as the node outputs them if child companies stay in a list inside their parent. */
export const nestCompanies = (companies: readonly Company[]): IDataObject[] =>
	companies.map(({ numberOfUsers, ...company }) => ({ ...company, numberOfUsers: Number(numberOfUsers) }));

/** Returns a copy of the list, sorted by the time of creation, newest first. */
export const sortNewestFirst = (companies: readonly Company[]) =>
	[...companies].sort((a, b) => b.createTime.localeCompare(a.createTime));

export const listCompanyIds = (records: readonly IDataObject[]) =>
	records.map(({ companyResourceId }) => companyResourceId);

/** Returns a copy of the list of company records, sorted by ID. */
export const sortById = (records: readonly IDataObject[]) =>
	[...records].sort((a, b) => parseText(a.companyResourceId).localeCompare(parseText(b.companyResourceId)));

/** The fields of a company in the simplified output, in the order in which the node outputs them. */
export const SIMPLIFIED_FIELDS = [
	'companyName',
	'licenseTypeName',
	'licenseEndDate',
	'licenceExpired',
	'numberOfUsers',
	'isNumberOfUsersLimited',
	'targetUserCount',
	'monthlyActiveUserCount',
	'createTime',
	'companyResourceId',
	'parentCompanyResourceId',
];

/** Creates a fixture with 500 companies, and functions that run the Company node against it. */
export function createCompanyFixture() {
	const fixture = createNodeFixture({ companyCount: 500 });
	const run = (operation: string, parameters: IDataObject = {}, options?: FixtureRunOptions) =>
		fixture.run(SecurityAwarenessCompany, { operation, ...parameters }, options);
	/** Gets all companies with all fields. */
	const getAllCompanies = async (parameters: IDataObject = {}) =>
		getJson((await run('getMany', { returnAll: true, output: 'raw', ...parameters })).items);
	return { fixture, run, getAllCompanies };
}

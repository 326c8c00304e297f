/** What the tests of the Company node share. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import type { Company } from '../stand-in/seed';
import { createNodeFixture, getJson, parseText, type FixtureRunOptions } from '../n8n-core/nodeFixture';

/** Companies as the node gives them: parents, then what is below them, each with its parent's ID. */
export const flattenCompanies = (companies: readonly Company[], parent?: string): IDataObject[] =>
	companies.flatMap(({ children, ...own }) => [
		{
			...own,
			numberOfUsers: Number(own.numberOfUsers),
			...(parent === undefined ? {} : { parentCompanyResourceId: parent }),
		},
		...flattenCompanies(children, own.companyResourceId),
	]);

/** The same with those below inside their parents, as they are on the wire. */
export const nestCompanies = (companies: readonly Company[]): IDataObject[] =>
	companies.map(({ numberOfUsers, ...own }) => ({ ...own, numberOfUsers: Number(numberOfUsers) }));

const by =
	<T>(key: (entry: T) => string, sign: 1 | -1 = 1) =>
	(one: T, other: T) =>
		sign * key(one).localeCompare(key(other));
export const sortNewestFirst = (companies: readonly Company[]) =>
	[...companies].sort(by(({ createTime }) => createTime, -1));
export const listCompanyIds = (records: readonly IDataObject[]) => records.map(({ companyResourceId }) => companyResourceId);
export const sortById = (records: readonly IDataObject[]) =>
	[...records].sort(by(({ companyResourceId }) => parseText(companyResourceId)));

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

/** A service, and runs of the Company node against it. */
export function createCompanyFixture() {
	const fixture = createNodeFixture({ companyCount: 500 });
	const run = async (operation: string, parameters: IDataObject = {}, more?: FixtureRunOptions) =>
		fixture.run(SecurityAwarenessCompany, { operation, ...parameters }, more);
	const all = async (parameters: IDataObject = {}) =>
		getJson((await run('getMany', { returnAll: true, output: 'raw', ...parameters })).items);
	return { fixture, run, all };
}

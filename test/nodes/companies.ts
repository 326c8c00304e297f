/** What the tests of the Company node share. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import type { Company } from '../stand-in/seed';
import { createNodeFixture, getJson, parseText, type FixtureRunOptions } from '../n8n-core/nodeFixture';

/** Companies as the node gives them: parents, then what is below them, each with its parent's ID. */
export const flat = (companies: readonly Company[], parent?: string): IDataObject[] =>
	companies.flatMap(({ children, ...own }) => [
		{
			...own,
			numberOfUsers: Number(own.numberOfUsers),
			...(parent === undefined ? {} : { parentCompanyResourceId: parent }),
		},
		...flat(children, own.companyResourceId),
	]);

/** The same with those below inside their parents, as they are on the wire. */
export const nested = (companies: readonly Company[]): IDataObject[] =>
	companies.map(({ numberOfUsers, ...own }) => ({ ...own, numberOfUsers: Number(numberOfUsers) }));

const by =
	<T>(key: (entry: T) => string, sign: 1 | -1 = 1) =>
	(one: T, other: T) =>
		sign * key(one).localeCompare(key(other));
export const newestFirst = (companies: readonly Company[]) =>
	[...companies].sort(by(({ createTime }) => createTime, -1));
export const idsOf = (records: readonly IDataObject[]) => records.map(({ companyResourceId }) => companyResourceId);
export const sorted = (records: readonly IDataObject[]) =>
	[...records].sort(by(({ companyResourceId }) => parseText(companyResourceId)));

export const SIMPLE = [
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
export function companyRuns() {
	const b = createNodeFixture({ companyCount: 500 });
	const run = async (operation: string, parameters: IDataObject = {}, more?: FixtureRunOptions) =>
		b.run(SecurityAwarenessCompany, { operation, ...parameters }, more);
	const all = async (parameters: IDataObject = {}) =>
		getJson((await run('getMany', { returnAll: true, output: 'raw', ...parameters })).items);
	return { b, run, all };
}

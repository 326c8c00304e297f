/** Functions that run a few operations, for tests of `runOperations`. A few are enough, because all operations run in the same way. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import {
	createNodeFixture,
	toItems,
	requireValue,
	createIndexRecords,
	type FixtureRunOptions,
} from '../n8n-core/nodeFixture';

export const TARGET_GROUP_SEARCH = 'POST /api/target-groups/search/current-company';
export const LEADERBOARD_EXPORT = 'POST /api/leaderboard/get-all/export';
export const CREATE_COMPANY_GROUP = 'POST /api/company-groups';

/** The parameters for an operation that runs for the company whose ID is in the input item's field `id`. */
export const COMPANY_FROM_ITEM = { companyScope: 'one', company: { mode: 'id', value: '={{ $json.id }}' } };

/** Starts a stand-in for one test file. @returns the fixture, and functions that run operations against the stand-in */
export function createEngineRuns(companyCount: number) {
	const fixture = createNodeFixture({ companyCount });
	const getCompanies = () => fixture.standIn.world.companies;
	const getCompanyId = (index: number) => requireValue(getCompanies()[index]).companyResourceId;

	const getTargetGroups = async (parameters: IDataObject, runOptions?: FixtureRunOptions) =>
		fixture.run(SecurityAwarenessTargetGroup, { operation: 'getMany', returnAll: true, ...parameters }, runOptions);

	/** Creates input items, each with the ID of another company, in the order of the stand-in's companies. */
	const createCompanyItems = (count: number) =>
		toItems(...createIndexRecords(count).map((json, index) => ({ ...json, id: getCompanyId(index) })));

	const createGroups = async (names: string[], runOptions: FixtureRunOptions = {}) =>
		fixture.run(
			SecurityAwarenessCompanyGroup,
			{ operation: 'create', name: '={{ $json.name }}', membersFrom: 'none' },
			{ items: toItems(...names.map((name) => ({ name }))), ...runOptions },
		);

	/** Returns the names of the company groups that the test has created. The stand-in starts with 30 other groups. */
	const getCreatedGroupNames = () => fixture.standIn.world.companyGroups.slice(30).map(({ name }) => name);

	return {
		fixture,
		getCompanies,
		getCompanyId,
		getTargetGroups,
		createCompanyItems,
		createGroups,
		getCreatedGroupNames,
	};
}

/** Runs of a few operations, for tests of what the engine does with any. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { createNodeFixture, toItems, requireValue, createIndexRecords, type FixtureRunOptions } from '../n8n-core/nodeFixture';

export const GROUPS = 'POST /api/target-groups/search/current-company';
export const BOARD = 'POST /api/leaderboard/get-all/export';
export const CREATE = 'POST /api/company-groups';

/** Target groups of the company that each item names. */
export const each = { companyScope: 'one', company: { mode: 'id', value: '={{ $json.id }}' } };

/** A service for the tests of one file, and runs against it. @param companyCount how many companies it has */
export function engineRuns(companyCount: number) {
	const b = createNodeFixture({ companyCount: companyCount });
	const companies = () => b.standIn.state.companies;
	const companyId = (index: number) => requireValue(companies()[index]).companyResourceId;
	const targetGroups = async (parameters: IDataObject, more?: FixtureRunOptions) =>
		b.run(SecurityAwarenessTargetGroup, { operation: 'getMany', returnAll: true, ...parameters }, more);
	const companyItems = (count: number) =>
		toItems(...createIndexRecords(count).map((json, index) => ({ ...json, id: companyId(index) })));
	const createGroups = async (names: string[], more: FixtureRunOptions = {}) =>
		b.run(
			SecurityAwarenessCompanyGroup,
			{ operation: 'create', name: '={{ $json.name }}', participantsFrom: 'none' },
			{ items: toItems(...names.map((name) => ({ name }))), ...more },
		);
	const made = () => b.standIn.state.companyGroups.slice(30).map(({ name }) => name);
	return { b, companies, companyId, targetGroups, companyItems, createGroups, made };
}

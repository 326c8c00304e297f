/** Operations with parameters that work, for test/engine/badInput to spoil one of them. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { the, type NodeClass } from '../n8n-core/nodeFixture';
import type { State } from '../stand-in';
import { NEW_COMPANY } from '../cases/newCompany';

export interface Operation {
	node: NodeClass;
	/** Parameters that work. */
	good: (state: State) => IDataObject;
}

const companyId = ({ companies }: State) => the(companies[0]).companyResourceId;
const groupId = ({ groups }: State) => the(groups[0]).resourceId;

export const getCompany: Operation = {
	node: SecurityAwarenessCompany,
	good: (state) => ({ operation: 'get', company: { mode: 'id', value: companyId(state) } }),
};
export const getCompanies: Operation = {
	node: SecurityAwarenessCompany,
	good: () => ({
		operation: 'getMany',
		limit: 3,
		show: 'all',
		filters: { condition: 'AND', filterGroups: '[]' },
		sort: { fields: { by: 'Name', direction: 'ascending' } },
		options: { pageSize: 10, timeout: 9 },
	}),
};
export const getRecent: Operation = {
	node: SecurityAwarenessCompany,
	good: () => ({ operation: 'getMany', show: 'recent', createdWithinDays: 3 }),
};
export const exportPage: Operation = {
	node: SecurityAwarenessCompany,
	good: () => ({
		operation: 'export',
		format: 'csv',
		allPages: false,
		pageNumber: 1,
		pageSize: 3,
		binaryPropertyName: 'data',
	}),
};
export const createCompany: Operation = {
	node: SecurityAwarenessCompany,
	good: () => ({
		...NEW_COMPANY,
		...{ numberOfUsers: 1, dateFormat: 'd', timeFormat: 't' },
		additionalFields: {
			logo: 'data',
			moreFields: '{}',
			licenseStartDate: '2026-01-01',
			licenseEndDate: '2026-02-01',
			websiteUrl: '',
		},
	}),
};
export const createGroup: Operation = {
	node: SecurityAwarenessCompanyGroup,
	good: (state) => ({
		operation: 'create',
		name: 'New',
		participantsFrom: 'id',
		participantIds: companyId(state),
		additionalFields: { moreFields: '{}' },
	}),
};
export const replaceParticipants: Operation = {
	node: SecurityAwarenessCompanyGroup,
	good: (state) => ({
		operation: 'replaceParticipants',
		companyGroup: { mode: 'id', value: groupId(state) },
		participantsFrom: 'list',
		participantList: [companyId(state)],
	}),
};
export const targetGroups: Operation = {
	node: SecurityAwarenessTargetGroup,
	good: (state) => ({ operation: 'getMany', companyScope: 'one', company: { mode: 'id', value: companyId(state) } }),
};
export const leaderboard: Operation = {
	node: SecurityAwarenessLeaderboard,
	good: () => ({ operation: 'export', companyScope: 'own', reportOptions: { startDate: '2026-01-01' } }),
};

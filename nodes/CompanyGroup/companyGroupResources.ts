import type { NodeResource } from '../core/operation/nodeResource';
import {
	addCompanyGroupMembersOperation,
	removeCompanyGroupMembersOperation,
	replaceCompanyGroupMembersOperation,
} from './companyGroupMemberOperations';
import {
	createCompanyGroupOperation,
	deleteCompanyGroupOperation,
	exportCompanyGroupsOperation,
	getAllCompanyGroupsOperation,
	getManyCompanyGroupsOperation,
	updateCompanyGroupOperation,
} from './companyGroupOperations';
import { getCompanyGroupMembersOperation, getCompanyGroupOperation } from './readCompanyGroup';

/** The n8n resources of the Company Group node. The node opens on the first one. */
export const companyGroupResources: NodeResource[] = [
	{
		value: 'companyGroup',
		name: 'Company Group',
		defaultOperation: 'getMany',
		operations: [
			createCompanyGroupOperation,
			deleteCompanyGroupOperation,
			exportCompanyGroupsOperation,
			getAllCompanyGroupsOperation,
			getCompanyGroupOperation,
			getManyCompanyGroupsOperation,
			updateCompanyGroupOperation,
		],
	},
	{
		value: 'member',
		name: 'Member',
		defaultOperation: 'getMany',
		operations: [
			addCompanyGroupMembersOperation,
			getCompanyGroupMembersOperation,
			removeCompanyGroupMembersOperation,
			replaceCompanyGroupMembersOperation,
		],
	},
];

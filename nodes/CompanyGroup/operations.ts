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

/** The operations of the Company Group node. The node's properties list their forms in this order. */
export const allCompanyGroupOperations = [
	createCompanyGroupOperation,
	deleteCompanyGroupOperation,
	exportCompanyGroupsOperation,
	getAllCompanyGroupsOperation,
	getManyCompanyGroupsOperation,
	updateCompanyGroupOperation,
	addCompanyGroupMembersOperation,
	getCompanyGroupOperation,
	getCompanyGroupMembersOperation,
	removeCompanyGroupMembersOperation,
	replaceCompanyGroupMembersOperation,
];

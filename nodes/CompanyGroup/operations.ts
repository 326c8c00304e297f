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

/** The operations of the Company Group node, in the order of its form fields. */
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

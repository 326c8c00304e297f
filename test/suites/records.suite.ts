/** Tests of customers, people and other records. */
import { runTogether } from './runTogether';

runTogether(
	'nodes/company',
	'nodes/companyByName',
	'nodes/companyChanges',
	'nodes/companyGroup',
	'nodes/companyRemoval',
	'nodes/companySearch',
	'nodes/month',
	'nodes/renewal',
	'nodes/targetUser',
	'nodes/targetUserRows',
	'nodes/targetGroup',
	'nodes/targetGroupMembers',
	'nodes/maskedPeople',
	'nodes/writtenNames',
	'nodes/systemUser',
	'nodes/apiClient',
	'nodes/enrollmentUpdate',
	'nodes/reportedEmail',
	'nodes/targetUserImport',
	'nodes/targetUserImportRows',
	'nodes/deployed',
	'nodes/deployedRequests',
	'nodes/platformValues',
	'nodes/composites',
);

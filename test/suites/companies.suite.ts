/** Tests of companies and company groups. */
import { runTogether } from './runTogether';

runTogether(
	'nodes/accessWindow',
	'nodes/allowedDomain',
	'nodes/company',
	'nodes/companyByName',
	'nodes/companyChanges',
	'nodes/companyGroup',
	'nodes/companyRemoval',
	'nodes/companySearch',
	'nodes/month',
	'nodes/renewal',
);

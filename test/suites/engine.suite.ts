/** Tests of runs of operations, and of writes. */
import { runTogether } from './runTogether';

runTogether(
	'run/engine',
	'run/longWaits',
	'run/itemOrder',
	'run/everyCompany',
	'run/duplicateCompanies',
	'run/companyColumns',
	'run/selectedOperation',
	'run/customApiCall',
	'run/alternativePaths',
	'run/beforeFirstWrite',
	'run/missingRecords',
	'run/regressions',
	'run/hints',
	'http/writes',
);

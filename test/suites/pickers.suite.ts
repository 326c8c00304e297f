/** Tests of the lists of records. */
import { runTogether } from './runTogether';

runTogether(
	'pickers/pickers',
	'pickers/companies',
	'pickers/enteredIds',
	'pickers/names',
	'pickers/platforms',
	'pickers/statuses',
	'pickers/writeChecks',
);

/** Tests of the fields of forms and the lists to select from. */
import { runTogether } from './runTogether';

runTogether(
	'fields/arbitraryValues',
	'fields/contact',
	'fields/dependentFields',
	'fields/emptyEntries',
	'fields/emptyExpressions',
	'fields/missingValue',
	'fields/pastStart',
	'fields/relativeDates',
	'fields/replacedFields',
	'fields/search',
	'fields/values',
	'fields/wholeDays',
	'pickers/pickers',
	'pickers/companies',
	'pickers/enteredIds',
	'pickers/entryText',
	'pickers/names',
	'pickers/platforms',
	'pickers/statuses',
	'pickers/valueLists',
	'pickers/writeChecks',
	'pickers/byName',
	'pickers/namesAtCustomers',
	'pickers/otherCustomers',
);

/** Tests of fields. */
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
	'fields/search',
	'fields/values',
	'fields/wholeDays',
);

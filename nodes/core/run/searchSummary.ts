import type { INodePropertyOptions } from 'n8n-workflow';

import { describeTimeRange, timeRangeFields, readTimeRange } from '../fields/period';
import type { Field, FieldMap } from '../fields/field';
import type { FormValues } from '../fields/formValues';
import { isEmpty, isRecord } from '../values';
import type { Operation } from '../operation/defineOperation';

/** The period and the filters of an item's search, as phrases for a hint. */
export interface SearchSummary {
	/** The period: " from 1 July 2026 to 30 September 2026"; empty if the form has no period. */
	period: string;
	/**
	 * The labels of the filters: " (filtered by 'Search Text', 'Tags')"; empty without filters. Entered values are left out, because they may be
	 * secret or personal.
	 */
	filters: string;
}

/** The names of the form's blocks whose fields may narrow a search. */
const FILTER_BLOCKS = ['filters', 'onlyCompanies', 'options'];

/** The names of form fields that don't narrow a search, or that the hint already describes in other words. */
// prettier-ignore
const IGNORED_FIELDS = [
	'companyScope', 'company', 'returnAll', 'limit', 'output', 'outputFields', 'simplify', 'sort', 'period', 'periodStart',
	'periodEnd', 'condition', 'concurrency', 'timeout', 'pageSize', 'groupByUser',
];

/**
 * Returns true if the value of a form field narrows the search. An empty value and a switch that is off don't narrow it. Neither does the
 * default value of a field that is always shown.
 * @param isAddedToBlock true if the field is in a block, so that the form shows it only because the user added it
 */
function isNarrowing({ property }: Field<unknown>, value: unknown, isAddedToBlock: boolean): boolean {
	if (isEmpty(value) || value === false || (Array.isArray(value) && value.length === 0)) return false;
	if (isAddedToBlock || value === true) return true;
	return !property.required && value !== property.default && !isRecord(value);
}

/** Formats the label of a form field, followed by the name of the selected option if the field has options. */
function formatLabel({ property }: Field<unknown>, value: unknown): string {
	const { displayName, options = [] } = property;
	const selectedOption = options.find(
		(option): option is INodePropertyOptions => 'value' in option && option.value === value,
	);
	return selectedOption ? `'${displayName}' (${selectedOption.name})` : `'${displayName}'`;
}

/** Lists the labels of the form fields that narrow the search. */
function listNarrowingLabels(fields: FieldMap, values: Record<string, unknown>, isAddedToBlock = false): string[] {
	return Object.entries(fields).flatMap(([name, field]) => {
		const value = values[name];
		if (IGNORED_FIELDS.includes(name)) return [];
		if (FILTER_BLOCKS.includes(name))
			return listNarrowingLabels(field.innerFields ?? {}, isRecord(value) ? value : {}, true);
		return isNarrowing(field, value, isAddedToBlock) ? [formatLabel(field, value)] : [];
	});
}

/** Summarizes an item's search from the values of its form. */
export function summarizeSearch({ fields }: Operation, form: FormValues, timezone: string): SearchSummary {
	const labels = listNarrowingLabels(fields, form.get(fields));
	const hasPeriod = 'period' in fields;
	return {
		period: hasPeriod ? describeTimeRange(readTimeRange(form.get(timeRangeFields), timezone), timezone) : '',
		filters: labels.length > 0 ? ` (filtered by ${labels.join(', ')})` : '',
	};
}

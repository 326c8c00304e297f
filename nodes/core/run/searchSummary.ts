import type { INodePropertyOptions } from 'n8n-workflow';

import { shownPeriod, windowFields, windowOf } from '../fields/period';
import type { Field, FieldMap } from '../fields/field';
import type { FormValues } from '../fields/formValues';
import { isEmpty, isRecord } from '../values';
import type { Operation } from '../operation/defineOperation';

/** What an item looked for, in words. */
export interface Sought {
	/** " from 1 July 2026 to 30 September 2026"; empty where the form has no period. */
	period: string;
	/** " (with 'Search Text', 'Tags')": the labels alone, because a value may be a secret or somebody else's text. */
	filters: string;
}

/** Blocks of fields that each may leave something out. */
const BLOCKS = ['filters', 'onlyCompanies', 'options'];
/** What leaves nothing out, or is said otherwise. */
const OTHERS = [
	'companyScope',
	'company',
	'returnAll',
	'limit',
	'output',
	'outputFields',
	'simplify',
	'sort',
	'period',
	'periodStart',
	'periodEnd',
	'condition',
	'concurrency',
	'timeout',
	'pageSize',
	'groupByUser',
];

/** Whether a value leaves something out: not one that is empty, off, or a choice that is as it was. */
function narrows({ property }: Field<unknown>, value: unknown, isAdded: boolean): boolean {
	if (isEmpty(value) || value === false || (Array.isArray(value) && value.length === 0)) return false;
	return isAdded || value === true || (!property.required && value !== property.default && !isRecord(value));
}

/** A field's label, with what was chosen where that is a word of our own. */
function labelWith({ property: { displayName, options = [] } }: Field<unknown>, value: unknown): string {
	const chosen = options.find((each): each is INodePropertyOptions => 'value' in each && each.value === value);
	return chosen ? `'${displayName}' (${chosen.name})` : `'${displayName}'`;
}

function labelsIn(fields: FieldMap, values: Record<string, unknown>, isAdded = false): string[] {
	return Object.entries(fields).flatMap(([name, field]) => {
		const value = values[name];
		if (OTHERS.includes(name)) return [];
		if (BLOCKS.includes(name)) return labelsIn(field.inner ?? {}, isRecord(value) ? value : {}, true);
		return narrows(field, value, isAdded) ? [labelWith(field, value)] : [];
	});
}

/** Tells what an item of an operation looks for, by its form. */
export function soughtOf({ form: fields }: Operation, form: FormValues, timezone: string): Sought {
	const labels = labelsIn(fields, form.of(fields));
	return {
		period: 'period' in fields ? shownPeriod(windowOf(form.of(windowFields), timezone), timezone) : '',
		filters: labels.length > 0 ? ` (with ${labels.join(', ')})` : '',
	};
}

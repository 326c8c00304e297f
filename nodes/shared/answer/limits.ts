import { wholeNumber } from '../form/number';
import { showWhen, since, type FieldMap } from '../form/field';
import type { FormValues } from '../form/formValues';
import { toggle } from '../form/toggle';

/** The fields for how much of a list is returned. */
export const limits = {
	returnAll: toggle({
		displayName: 'Return All',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	}),
	limit: showWhen(
		{ returnAll: [false] },
		wholeNumber({
			displayName: 'Limit',
			default: 50,
			min: 1,
			description: 'Max number of results to return',
		}),
	),
};

/** For every company, the limit is that of each one. */
const ofEach: typeof limits.limit = {
	...limits.limit,
	property: { ...limits.limit.property, hint: 'With Every Company: per customer' },
};

const total = {
	totalLimit: since(
		1.1,
		showWhen(
			{ companyScope: ['every'], returnAll: [false] },
			wholeNumber({
				displayName: 'Total Limit',
				default: 0,
				min: 0,
				description: 'Max number of results of all customers together; 0 for no limit',
			}),
		),
	),
};

/** The fields of an answer for every company: where they have a limit, it is of each, and there is one of all together. */
export function withTotalLimit(fields: FieldMap): FieldMap {
	const all: FieldMap = {};
	for (const [name, field] of Object.entries(fields)) {
		if (name === 'limit') Object.assign(all, { limit: ofEach, ...total });
		else all[name] = field;
	}
	return all;
}

/** How many records an item may have of all companies together; Infinity without such a limit. */
export function totalLimitOf(form: FormValues, fields: FieldMap): number {
	if (!('totalLimit' in fields)) return Infinity;
	return form.of(total).totalLimit || Infinity;
}

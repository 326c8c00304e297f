import { collection } from '../form/collection';
import { wholeNumber } from '../form/number';
import type { FieldMap } from '../form/field';
import { scopeFields, type ScopeKind } from '../scope/scope';
import { DEFAULT_SETTINGS } from '../transport/service';

const timeout = wholeNumber({
	displayName: 'Timeout',
	default: DEFAULT_SETTINGS.timeoutMs / 1000,
	min: 1,
	max: 3600,
	description: 'Seconds to wait for an answer',
});
const concurrency = wholeNumber({
	displayName: 'Concurrency',
	default: DEFAULT_SETTINGS.concurrency,
	min: 1,
	max: 20,
	description: 'Most requests at once',
});

/** The settings of a run. Writes have no 'Concurrency', because they are sent one after the other, in order. */
export const settingFields = { timeout, concurrency };

/** The parts of an operation's form. */
interface FormParts {
	scope: ScopeKind;
	fields: FieldMap;
	/** Its own options, in addition to the settings of the run. */
	options: FieldMap;
	reads: boolean;
}

function optionsOf({ options, reads }: FormParts) {
	const { moreFields, ...own } = options;
	const fields = { ...own, ...(reads ? { concurrency } : {}), timeout, ...(moreFields ? { moreFields } : {}) };
	return collection({ displayName: 'Options', button: 'Add Option', fields });
}

/** All fields of an operation in the order in which they are shown: scope, own fields, extras, sort, options. */
export function formOf(parts: FormParts): FieldMap {
	const { additionalFields, fieldFilters, fieldFilterCondition, filters, sort, ...fields } = parts.fields;
	return {
		...scopeFields(parts.scope),
		...fields,
		...(fieldFilters ? { fieldFilters } : {}),
		...(fieldFilterCondition ? { fieldFilterCondition } : {}),
		...(filters ? { filters } : {}),
		...(additionalFields ? { additionalFields } : {}),
		...(sort ? { sort } : {}),
		options: optionsOf(parts),
	};
}

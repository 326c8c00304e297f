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
	description: 'How many seconds to wait for an answer, or for the next piece of a file',
});
const concurrency = wholeNumber({
	displayName: 'Concurrency',
	default: DEFAULT_SETTINGS.concurrency,
	min: 1,
	max: 20,
	description: 'How many requests may be under way at once, over all items, companies and pages',
});

/** The settings of a run. Writes have no concurrency: they go one after the other, in order. */
export const settingFields = { timeout, concurrency };

/** What the form of an operation is made of. */
interface FormParts {
	scope: ScopeKind;
	fields: FieldMap;
	/** Its own options, beside the settings of the run. */
	options: FieldMap;
	reads: boolean;
}

function optionsOf({ options, reads }: FormParts) {
	const { moreFields, ...own } = options;
	const fields = { ...own, ...(reads ? { concurrency } : {}), timeout, ...(moreFields ? { moreFields } : {}) };
	return collection({ displayName: 'Options', button: 'Add Option', fields });
}

/** All fields of an operation in the order a person sees them: scope, what, extras, options, and how it is sorted. */
export function formOf(parts: FormParts): FieldMap {
	const { additionalFields, filters, sort, ...fields } = parts.fields;
	return {
		...scopeFields(parts.scope),
		...fields,
		...(filters ? { filters } : {}),
		...(additionalFields ? { additionalFields } : {}),
		options: optionsOf(parts),
		...(sort ? { sort } : {}),
	};
}

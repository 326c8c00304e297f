import { asFormFields, collection, mergedFields, moreFields, queryParameters } from '../form/collection';
import type { FieldMap } from '../form/field';
import { wholeNumber } from '../form/fields';
import type { FormValues } from '../form/formValues';
import { scopeFields, type ScopeKind } from '../scope/scope';
import type { ServiceRequest } from '../transport/request';
import { DEFAULT_SETTINGS } from '../transport/service';
import { endpointOf, type EndpointKey } from '../transport/endpoint';

/** A block 'Options' with an operation's own options; `mergedFields` joins it with the others. */
export const optionsOf = <F extends FieldMap>(fields: F) => ({
	options: collection({ displayName: 'Options', button: 'Add Option', fields }),
});

type Parts = Pick<ServiceRequest, 'query' | 'form'>;

/** The fields for values that no document names (deployment facts, introduction), and what puts these into a request. */
interface More {
	fields: FieldMap;
	/** @throws InvalidInput for values that a multipart form cannot have */
	addTo: <P extends Parts>(parts: P, form: FormValues) => P & Pick<ServiceRequest, 'more'>;
}

const NOTHING_MORE: More = { fields: {}, addTo: (parts) => parts };

const queryFields = optionsOf({ queryParameters: queryParameters() });
const MORE_IN_QUERY: More = {
	fields: queryFields,
	addTo: (parts, form) => ({
		...parts,
		query: { ...parts.query, ...form.of(queryFields).options.queryParameters },
	}),
};

const searchFields = optionsOf({ moreFields: moreFields() });
const MORE_IN_SEARCH: More = {
	fields: searchFields,
	addTo: (parts, form) => ({ ...parts, more: form.of(searchFields).options.moreFields ?? {} }),
};

const bodyFields = {
	additionalFields: collection({ displayName: 'Additional Fields', fields: { moreFields: moreFields() } }),
};
const MORE_IN_BODY: More = {
	fields: bodyFields,
	addTo: (parts, form) => {
		const { moreFields: more = {} } = form.of(bodyFields).additionalFields;
		const path = ['additionalFields', 'moreFields'];
		return { ...parts, more, ...(parts.form ? { form: { ...parts.form, ...asFormFields(more, path) } } : {}) };
	},
};

/**
 * Where a request can take such values: a GET in its query, any other in its body. A search or an export has no 'Additional
 * Fields': there they are among its options.
 * @param fields the operation's own; those that it shares with a composite have the field already
 */
export function moreOf(key: EndpointKey, fields: FieldMap): More {
	const { method, hasBody, reads, bare } = endpointOf(key);
	if (method === 'GET') return MORE_IN_QUERY;
	if (!hasBody || bare !== undefined || 'moreFields' in (fields.additionalFields?.inner ?? {})) return NOTHING_MORE;
	return reads ? MORE_IN_SEARCH : MORE_IN_BODY;
}

/** The settings of a run. Writes have no 'Concurrency', because they are sent one after the other, in order. */
export const settingFields = {
	timeout: wholeNumber({
		displayName: 'Timeout',
		default: DEFAULT_SETTINGS.timeoutMs / 1000,
		min: 1,
		max: 3600,
		description: 'Seconds to wait for an answer',
	}),
	concurrency: wholeNumber({
		displayName: 'Concurrency',
		default: DEFAULT_SETTINGS.concurrency,
		min: 1,
		max: 20,
		description: 'Most requests at once',
	}),
};

/** All fields of an operation in the order in which they are shown: scope, its own, and the blocks. */
export function allFields(scope: ScopeKind, reads: boolean, ...maps: FieldMap[]): FieldMap {
	const { timeout, concurrency } = settingFields;
	const settings = optionsOf(reads ? { concurrency, timeout } : { timeout });
	const { filters, additionalFields, sort, options, ...own } = mergedFields(scopeFields(scope), ...maps, settings);
	return {
		...own,
		...(filters ? { filters } : {}),
		...(additionalFields ? { additionalFields } : {}),
		...(sort ? { sort } : {}),
		...(options ? { options } : {}),
	};
}

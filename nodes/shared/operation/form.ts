import { asFormFields, collection, mergedFields, moreFields, queryParameters } from '../form/collection';
import type { FieldMap } from '../form/field';
import { wholeNumber } from '../form/fields';
import type { FormValues } from '../form/formValues';
import { scopeFields, type ScopeKind } from '../scope/scope';
import type { ContractKey, ServiceRequest } from '../transport/request';
import { DEFAULT_SETTINGS } from '../transport/service';

const inAdditionalFields = <F extends FieldMap>(fields: F) => ({
	additionalFields: collection({ displayName: 'Additional Fields', fields }),
});

/** A block 'Options' with an operation's own options; `mergedFields` joins it with the others. */
export const optionsOf = <F extends FieldMap>(fields: F) => ({
	options: collection({ displayName: 'Options', button: 'Add Option', fields }),
});

const MORE_IN_QUERY = optionsOf({ queryParameters: queryParameters() });
const MORE_IN_SEARCH = optionsOf({ moreFields: moreFields() });
const MORE_IN_BODY = inAdditionalFields({ moreFields: moreFields() });

/**
 * The field for values that no document names (deployment facts, introduction): query parameters of a GET, fields of a body
 * otherwise; of one that reads, which has no 'Additional Fields', among its options.
 */
export function moreOf({
	contract,
	noBody = contract.startsWith('DELETE '),
	fields,
	reads,
}: {
	contract: ContractKey;
	noBody?: boolean;
	fields: FieldMap;
	reads: boolean;
}): FieldMap {
	if (contract.startsWith('GET ')) return MORE_IN_QUERY;
	// Operations that share their fields with composites already have it.
	if (noBody || 'moreFields' in (fields.additionalFields?.inner ?? {})) return {};
	return reads ? MORE_IN_SEARCH : MORE_IN_BODY;
}

/** What of a request the values are added to. */
type Parts = Pick<ServiceRequest, 'query' | 'form'>;

/** The parts of a request with those values. @throws InvalidInput for values that a multipart form cannot have */
export function withMore<P extends Parts>(
	parts: P,
	more: FieldMap,
	form: FormValues,
): P & Pick<ServiceRequest, 'more'> {
	if (more === MORE_IN_QUERY) {
		const { queryParameters: added } = form.of(MORE_IN_QUERY).options;
		return { ...parts, query: { ...parts.query, ...added } };
	}
	if (more === MORE_IN_SEARCH) return { ...parts, more: form.of(MORE_IN_SEARCH).options.moreFields ?? {} };
	if (more !== MORE_IN_BODY) return parts;
	const { moreFields: added = {} } = form.of(MORE_IN_BODY).additionalFields;
	const path = ['additionalFields', 'moreFields'];
	return { ...parts, more: added, ...(parts.form ? { form: { ...parts.form, ...asFormFields(added, path) } } : {}) };
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
export function formOf({ scope, reads, fields }: { scope: ScopeKind; reads: boolean; fields: FieldMap }): FieldMap {
	const { timeout, concurrency } = settingFields;
	const settings = optionsOf(reads ? { concurrency, timeout } : { timeout });
	const { filters, additionalFields, sort, options, ...own } = mergedFields(scopeFields(scope), fields, settings);
	return {
		...own,
		...(filters ? { filters } : {}),
		...(additionalFields ? { additionalFields } : {}),
		...(sort ? { sort } : {}),
		...(options ? { options } : {}),
	};
}

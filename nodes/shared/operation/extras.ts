import { collection } from '../form/collection';
import type { FieldMap } from '../form/field';
import { asFormFields, moreFields } from '../form/more';
import { queryParameters } from '../form/query';
import type { FormValues } from '../form/formValues';
import type { ContractKey, ServiceRequest } from '../transport/request';
import type { AnyRequestParts } from './operation';

/** Fields by which a person sends what neither the contract nor this package names. */
export interface Extras {
	/** Fields for 'Additional Fields'. */
	additionalFields: FieldMap;
	/** Fields for 'Options'. */
	options: FieldMap;
	/** Adds what they hold to the request. @throws InvalidInput for what a form cannot hold */
	addTo(parts: AnyRequestParts, form: FormValues): AnyRequestParts & Pick<ServiceRequest, 'more'>;
}

const QUERY = { queryParameters: queryParameters() };
const BODY = { moreFields: moreFields() };
const inFields = <F extends FieldMap>(fields: F) => ({
	additionalFields: collection({ displayName: 'Additional Fields', fields }),
});
const inOptions = { options: collection({ displayName: 'Options', fields: BODY }) };

const NONE: Extras = { additionalFields: {}, options: {}, addTo: (parts) => parts };

const ofQuery: Extras = {
	additionalFields: QUERY,
	options: {},
	addTo: (parts, form) => {
		const { queryParameters: added = {} } = form.of(inFields(QUERY)).additionalFields;
		return { ...parts, query: { ...parts.query, ...added } };
	},
};

const ofBody: Extras = {
	additionalFields: BODY,
	options: {},
	addTo: (parts, form) =>
		withMore(parts, form.of(inFields(BODY)).additionalFields.moreFields, ['additionalFields', 'moreFields']),
};

/** A search and an export have no additional fields: what they send besides the filter is an option. */
const ofSearch: Extras = {
	additionalFields: {},
	options: BODY,
	addTo: (parts, form) => withMore(parts, form.of(inOptions).options.moreFields, ['options', 'moreFields']),
};

function withMore(parts: AnyRequestParts, more: ServiceRequest['more'] = {}, path: string[]) {
	return { ...parts, more, ...(parts.form ? { form: { ...parts.form, ...asFormFields(more, path) } } : {}) };
}

interface Extended {
	contract: ContractKey;
	noBody?: boolean;
	fields: FieldMap;
	answer: { reads: boolean };
}

/** What a person may add to an operation's request. */
export function extrasOf({ contract, noBody = contract.startsWith('DELETE '), fields, answer }: Extended): Extras {
	if (contract.startsWith('GET ')) return ofQuery;
	// Operations that composites share their fields with bring it along themselves.
	if (noBody || 'moreFields' in (fields.additionalFields?.inner ?? {})) return NONE;
	return answer.reads ? ofSearch : ofBody;
}

/** The operation's own fields, with extras among its 'Additional Fields'. */
export function withExtras(fields: FieldMap, { additionalFields }: Extras): FieldMap {
	if (Object.keys(additionalFields).length === 0) return fields;
	return { ...fields, ...inFields({ ...fields.additionalFields?.inner, ...additionalFields }) };
}

import { collection } from '../form/collection';
import type { FieldMap } from '../form/field';
import { asFormFields, moreFields } from '../form/more';
import { queryParameters } from '../form/query';
import type { FormValues } from '../form/formValues';
import type { ContractKey, ServiceRequest } from '../transport/request';
import type { AnyRequestParts } from './operation';

/** The fields for values that neither the contract nor this package defines. */
export interface Extras {
	/** Fields for 'Additional Fields'. */
	additionalFields: FieldMap;
	/** Fields for 'Options'. */
	options: FieldMap;
	/** Adds their values to the request. @throws InvalidInput for values that a multipart form cannot have */
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

/** A search or an export has no 'Additional Fields': its further values are options. */
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

/** The fields for further values of an operation's request. */
export function extrasOf({ contract, noBody = contract.startsWith('DELETE '), fields, answer }: Extended): Extras {
	if (contract.startsWith('GET ')) return ofQuery;
	// Operations that share their fields with composites already have this field.
	if (noBody || 'moreFields' in (fields.additionalFields?.inner ?? {})) return NONE;
	return answer.reads ? ofSearch : ofBody;
}

/** The operation's own fields, with extras among its 'Additional Fields'. */
export function withExtras(fields: FieldMap, { additionalFields }: Extras): FieldMap {
	if (Object.keys(additionalFields).length === 0) return fields;
	return { ...fields, ...inFields({ ...fields.additionalFields?.inner, ...additionalFields }) };
}

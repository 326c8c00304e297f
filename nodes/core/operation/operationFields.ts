import { mapValues } from 'lodash';

import { asFormFields, collection, mergedFields, additionalFieldsJson, queryParameters } from '../fields/collection';
import { mustHaveValue, showWhen, type FieldMap } from '../fields/field';
import { wholeNumber } from '../fields/fieldTypes';
import type { FormValues } from '../fields/formValues';
import { scopeFields, type ScopeKind } from '../companyScope/companyScope';
import type { ServiceRequest } from '../http/request';
import { DEFAULT_SETTINGS } from '../http/client';
import { endpointOf, type EndpointKey } from '../api/endpoint';

/** A block 'Options' with an operation's own options; `mergedFields` joins it with the others. */
export const optionsOf = <F extends FieldMap>(fields: F) => ({
	options: collection({ displayName: 'Options', button: 'Add Option', fields }),
});

type Parts = Pick<ServiceRequest, 'query' | 'form'>;

/** The fields for values that no document names (deployment facts, introduction), and what puts these into a request. */
interface AdditionalFields {
	fields: FieldMap;
	/** @throws InvalidInput for values that a multipart form cannot have */
	addTo: <P extends Parts>(parts: P, form: FormValues) => P & Pick<ServiceRequest, 'additionalFields'>;
}

const NOTHING_ADDED: AdditionalFields = { fields: {}, addTo: (parts) => parts };

const queryFields = optionsOf({ queryParameters: queryParameters() });
const ADDED_TO_QUERY: AdditionalFields = {
	fields: queryFields,
	addTo: (parts, form) => ({
		...parts,
		query: { ...parts.query, ...form.of(queryFields).options.queryParameters },
	}),
};

const searchFields = optionsOf({ additionalFieldsJson: additionalFieldsJson() });
const ADDED_TO_SEARCH: AdditionalFields = {
	fields: searchFields,
	addTo: (parts, form) => ({ ...parts, additionalFields: form.of(searchFields).options.additionalFieldsJson ?? {} }),
};

/** @param displayName of the block, which an operation's own fields may have, too */
function addedToBody(displayName: string): AdditionalFields {
	const fields = {
		additionalFields: collection({ displayName, fields: { additionalFieldsJson: additionalFieldsJson() } }),
	};
	const path = ['additionalFields', 'additionalFieldsJson'];
	return {
		fields,
		addTo: (parts, form) => {
			const { additionalFieldsJson: additionalFields = {} } = form.of(fields).additionalFields;
			return {
				...parts,
				additionalFields,
				form: parts.form && { ...parts.form, ...asFormFields(additionalFields, path) },
			};
		},
	};
}
const ADDED_TO_BODY = addedToBody('Additional Fields');
const ADDED_TO_CHANGE = addedToBody('Update Fields');

/** Whether it replaces a record: an update. */
export const isUpdate = (key: EndpointKey) => /^PUT .*\{resourceId\}$/.test(key);

/**
 * Where a request can take such values: a GET in its query, any other in its body. A search or an export has no 'Additional
 * Fields': there they are among its options.
 * @param fields the operation's own; those that it shares with a composite have the field already
 */
export function additionalFieldsOf(key: EndpointKey, fields: FieldMap): AdditionalFields {
	const { method, hasBody, reads, bare } = endpointOf(key);
	if (method === 'GET') return ADDED_TO_QUERY;
	const has = 'additionalFieldsJson' in (fields.additionalFields?.inner ?? {});
	if (!hasBody || bare !== undefined || has) return NOTHING_ADDED;
	if (reads) return ADDED_TO_SEARCH;
	return isUpdate(key) ? ADDED_TO_CHANGE : ADDED_TO_BODY;
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

/** The fields that narrow the lists of these fields, and of those inside them. */
const narrowing = (fields: FieldMap): FieldMap[] =>
	Object.values(fields).flatMap(({ narrowedBy, show, inner = {} }) => {
		if (!narrowedBy) return narrowing(inner);
		const { name, isOption, field } = narrowedBy;
		return [isOption ? optionsOf({ [name]: field }) : { [name]: show ? showWhen(show, field) : field }];
	});

/** The types of fields that are never empty in n8n's editor. Only an expression can leave them without a value. */
const NEVER_EMPTY = ['options', 'boolean', 'number'];

/**
 * Makes the choices, switches and numbers of a write required, so that an expression without a result is an error. Otherwise the
 * default would be sent, although the user didn't choose it.
 */
const requireChoices = (fields: FieldMap): FieldMap =>
	mapValues(fields, (field) => (NEVER_EMPTY.includes(field.property.type) ? mustHaveValue(field) : field));

/** All fields of an operation in the order in which they are shown: scope, its own, and the blocks. */
export function allFields(scope: ScopeKind, reads: boolean, ...maps: FieldMap[]): FieldMap {
	const { timeout, concurrency } = settingFields;
	const settings = optionsOf(reads ? { concurrency, timeout } : { timeout });
	const { filters, additionalFields, sort, options, ...own } = mergedFields(
		...[scopeFields(scope), ...maps, ...maps.flatMap(narrowing), settings],
	);
	return {
		...(reads ? own : requireChoices(own)),
		...(filters ? { filters } : {}),
		...(additionalFields ? { additionalFields } : {}),
		...(options ? { options } : {}),
		...(sort ? { sort } : {}),
	};
}

import { mapValues } from 'lodash';

import {
	toMultipartFields,
	collectionField,
	mergeFields,
	additionalFieldsJsonField,
	queryParametersField,
} from '../fields/collection';
import { rejectEmptyExpression, showWhen, type FieldMap } from '../fields/field';
import { wholeNumberField } from '../fields/fieldTypes';
import type { FormValues } from '../fields/formValues';
import { scopeFields, type ScopeKind } from '../companyScope/companyScope';
import type { ApiRequest } from '../http/request';
import { DEFAULT_CLIENT_SETTINGS } from '../http/client';
import { getEndpoint, type EndpointKey } from '../api/endpoint';

/** Creates a block 'Options' with some fields. `mergeFields` joins it with the other blocks of that name. */
export const createOptionsBlock = <F extends FieldMap>(fields: F) => ({
	options: collectionField({ displayName: 'Options', button: 'Add Option', fields }),
});

/** The form fields in which a user enters request fields that no document describes (deployment facts, "How to use this file"). */
interface AdditionalFields {
	fields: FieldMap;
	/** Adds the entered values to a request. @throws InvalidInputError for a value that can't be sent in a multipart body */
	addTo: (request: ApiRequest, form: FormValues) => void;
}

const NO_ADDITIONAL_FIELDS: AdditionalFields = { fields: {}, addTo: () => undefined };

const queryFields = createOptionsBlock({ queryParameters: queryParametersField() });
/** The additional query parameters of a GET request, as one of its options. */
const ADDITIONAL_QUERY_PARAMETERS: AdditionalFields = {
	fields: queryFields,
	addTo: (request, form) => {
		request.query = { ...request.query, ...form.get(queryFields).options.queryParameters };
	},
};

const searchFields = createOptionsBlock({ additionalFieldsJson: additionalFieldsJsonField() });
/** The additional fields of a search or an export, as one of its options. */
const ADDITIONAL_SEARCH_FIELDS: AdditionalFields = {
	fields: searchFields,
	addTo: (request, form) => {
		request.additionalFields = form.get(searchFields).options.additionalFieldsJson ?? {};
	},
};

/**
 * Creates the additional fields of a write, in a block of their own.
 * @param displayName the label of the block. An operation with its own block of additional fields uses the same label.
 */
function createAdditionalFieldsBlock(displayName: string): AdditionalFields {
	const fields = {
		additionalFields: collectionField({ displayName, fields: { additionalFieldsJson: additionalFieldsJsonField() } }),
	};
	const path = ['additionalFields', 'additionalFieldsJson'];
	return {
		fields,
		addTo: (request, form) => {
			const { additionalFieldsJson: additionalFields = {} } = form.get(fields).additionalFields;
			request.additionalFields = additionalFields;
			if (request.multipart) request.multipart = { ...request.multipart, ...toMultipartFields(additionalFields, path) };
		},
	};
}
const ADDITIONAL_BODY_FIELDS = createAdditionalFieldsBlock('Additional Fields');
const ADDITIONAL_UPDATE_FIELDS = createAdditionalFieldsBlock('Update Fields');

/** Returns true if requests to the endpoint replace a stored record. */
export const isUpdateEndpoint = (key: EndpointKey) => /^PUT .*\{resourceId\}$/.test(key);

/**
 * Returns the additional fields that an endpoint can take: as query parameters of a GET request, and in the body of any other request.
 * @param fields the operation's own fields. If they already include additional fields, none are returned.
 */
export function getAdditionalFields(key: EndpointKey, fields: FieldMap): AdditionalFields {
	const { method, hasBody, isReadOnly, bodyField } = getEndpoint(key);
	if (method === 'GET') return ADDITIONAL_QUERY_PARAMETERS;
	const hasOwnAdditionalFields = 'additionalFieldsJson' in (fields.additionalFields?.innerFields ?? {});
	if (!hasBody || bodyField !== undefined || hasOwnAdditionalFields) return NO_ADDITIONAL_FIELDS;
	if (isReadOnly) return ADDITIONAL_SEARCH_FIELDS;
	return isUpdateEndpoint(key) ? ADDITIONAL_UPDATE_FIELDS : ADDITIONAL_BODY_FIELDS;
}

/** The fields for the settings of a run. Writes have no 'Concurrency', because they are sent one after the other. */
export const settingFields = {
	timeout: wholeNumberField({
		displayName: 'Timeout',
		default: DEFAULT_CLIENT_SETTINGS.timeoutMs / 1000,
		min: 1,
		max: 3600,
		description: 'Seconds to wait for an answer',
	}),
	concurrency: wholeNumberField({
		displayName: 'Concurrency',
		default: DEFAULT_CLIENT_SETTINGS.concurrency,
		min: 1,
		max: 20,
		description: 'Most requests at once',
	}),
};

/** Collects the text fields that search the dropdown lists of other fields, also of the fields inside blocks. */
const collectListSearchFields = (fields: FieldMap): FieldMap[] =>
	Object.values(fields).flatMap(({ listSearchField, show, innerFields = {} }) => {
		if (!listSearchField) return collectListSearchFields(innerFields);
		const { name, isOption, field } = listSearchField;
		if (isOption) return [createOptionsBlock({ [name]: field })];
		return [{ [name]: show ? showWhen(show, field) : field }];
	});

/** The types of fields that are never empty in n8n's editor. Only an expression can leave them without a value. */
const NEVER_EMPTY_TYPES = ['options', 'boolean', 'number'];

/**
 * Rejects an expression without a result in the choices, switches and numbers of a write. Otherwise the default would be sent, although
 * the user didn't choose it.
 */
const rejectEmptyExpressions = (fields: FieldMap): FieldMap =>
	mapValues(fields, (field) =>
		NEVER_EMPTY_TYPES.includes(field.property.type) ? rejectEmptyExpression(field) : field,
	);

/** Combines all fields of an operation in display order: the company scope, the operation's own fields, and the blocks of fields. */
export function buildFormFields(scope: ScopeKind, isReadOnly: boolean, ...maps: FieldMap[]): FieldMap {
	const { timeout, concurrency } = settingFields;
	const settings = createOptionsBlock(isReadOnly ? { concurrency, timeout } : { timeout });
	const listSearchFields = maps.flatMap(collectListSearchFields);
	const allFields = mergeFields(scopeFields(scope), ...maps, ...listSearchFields, settings);
	const { filters, additionalFields, sort, options, ...ownFields } = allFields;
	const formFields: FieldMap = isReadOnly ? ownFields : rejectEmptyExpressions(ownFields);
	for (const [name, block] of Object.entries({ filters, additionalFields, options, sort }))
		if (block) formFields[name] = block;
	return formFields;
}

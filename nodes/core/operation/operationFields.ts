import { mapValues, pick } from 'lodash';

import {
	toMultipartFields,
	collectionField,
	mergeFields,
	additionalFieldsJsonField,
	queryParametersField,
} from '../fields/collection';
import { addJsonFields, omitJsonNames, rejectReplacedFields, rejectReplacedSearchFields } from '../fields/jsonFields';
import { rejectEmptyExpression, showWhen, type Field, type FieldMap } from '../fields/field';
import { wholeNumberField } from '../fields/fieldTypes';
import type { FormValues } from '../fields/formValues';
import { scopeFields, type ScopeKind } from '../companyScope/companyScope';
import type { ApiRequest } from '../http/request';
import { DEFAULT_CLIENT_SETTINGS } from '../http/client';
import { getEndpoint, type EndpointKey } from '../api/endpoint';
import { isRecord } from '../values';

/** Creates the form's block 'Options' with these fields. `mergeFields` merges all blocks 'Options' of a form into one. */
export const createOptionsBlock = <Fields extends FieldMap>(fields: Fields) => ({
	options: collectionField({ displayName: 'Options', buttonText: 'Add Option', fields }),
});

/** The form inputs in which a user enters request parameters that no document describes (deployment facts, "How to use this file"). */
interface AdditionalFields {
	fields: FieldMap;
	/** Adds the entered values to a request. @throws InvalidInputError for a value that can't be sent in a multipart body */
	addToRequest: (request: ApiRequest, form: FormValues) => void;
}

const NO_ADDITIONAL_FIELDS: AdditionalFields = { fields: {}, addToRequest: () => undefined };

const queryParametersBlock = createOptionsBlock({ queryParameters: queryParametersField() });
/** The input for additional query parameters of a GET request. It is one of the form's options. */
const ADDITIONAL_QUERY_PARAMETERS: AdditionalFields = {
	fields: queryParametersBlock,
	addToRequest: (request, form) => {
		const { query = {} } = request;
		const { queryParameters = {} } = form.get(queryParametersBlock).options;
		rejectReplacedFields(queryParameters, query, { path: ['options', 'queryParameters'] });
		request.query = { ...omitJsonNames(query, queryParameters), ...queryParameters };
	},
};

const additionalSearchFieldsBlock = createOptionsBlock({ additionalFieldsJson: additionalFieldsJsonField() });
/** The input for additional body fields of a search or an export. It is one of the form's options. */
const ADDITIONAL_SEARCH_FIELDS: AdditionalFields = {
	fields: additionalSearchFieldsBlock,
	addToRequest: (request, form) => {
		const { additionalFieldsJson = {} } = form.get(additionalSearchFieldsBlock).options;
		rejectReplacedSearchFields(additionalFieldsJson, request.body);
		request.additionalFields = additionalFieldsJson;
	},
};

/**
 * Creates the input for additional body fields of a write, in the form's block 'additionalFields'.
 * @param displayName the label of the block. If the operation itself defines this block, both have the same label and are merged.
 */
function createAdditionalFieldsBlock(displayName: string, isUpdate: boolean): AdditionalFields {
	const fields = {
		additionalFields: collectionField({ displayName, fields: { additionalFieldsJson: additionalFieldsJsonField() } }),
	};
	const path = ['additionalFields', 'additionalFieldsJson'];
	return {
		fields,
		addToRequest: (request, form) => {
			const { additionalFieldsJson = {} } = form.get(fields).additionalFields;
			const { body, multipart } = request;
			if (multipart) {
				rejectReplacedFields(additionalFieldsJson, multipart, { path, isUpdate });
				const addedFields = toMultipartFields(additionalFieldsJson, path);
				request.multipart = { ...omitJsonNames(multipart, addedFields), ...addedFields };
			} else if (body) {
				request.body = addJsonFields(body, additionalFieldsJson, { path, isUpdate });
			}
		},
	};
}
const ADDITIONAL_BODY_FIELDS = createAdditionalFieldsBlock('Additional Fields', false);
const ADDITIONAL_UPDATE_FIELDS = createAdditionalFieldsBlock('Update Fields', true);

/** Returns true if a request to the endpoint replaces a stored record. */
export const isUpdateEndpoint = (endpointKey: EndpointKey) => /^PUT .*\{resourceId\}$/.test(endpointKey);

/**
 * Returns the inputs for additional parameters of an endpoint: query parameters of a GET request, or body fields of any other request.
 * @param fields the fields that the operation defines. If they include such an input, no other one is returned.
 */
export function getAdditionalFields(endpointKey: EndpointKey, fields: FieldMap): AdditionalFields {
	const { method, hasBody, isReadOnly, bodyField } = getEndpoint(endpointKey);
	if (method === 'GET') return ADDITIONAL_QUERY_PARAMETERS;
	const hasOwnAdditionalFields = 'additionalFieldsJson' in (fields.additionalFields?.innerFields ?? {});
	if (!hasBody || bodyField !== undefined || hasOwnAdditionalFields) return NO_ADDITIONAL_FIELDS;
	if (isReadOnly) return ADDITIONAL_SEARCH_FIELDS;
	return isUpdateEndpoint(endpointKey) ? ADDITIONAL_UPDATE_FIELDS : ADDITIONAL_BODY_FIELDS;
}

/** The request fields that name a company. The form's 'Company Scope' decides for which company an operation runs. */
const COMPANY_FIELDS = { companyResourceId: true, companyId: true };

/**
 * Checks that the fields that a user enters as JSON name no other company or record than the form does.
 * @param requestPath the values in the path of the operation's request
 * @throws InvalidInputError
 */
export function rejectOtherTargets(
	scope: ScopeKind,
	fields: FieldMap,
	form: FormValues,
	requestPath: Record<string, string> = {},
): void {
	const targetFields = scope === 'credential' ? requestPath : { ...COMPANY_FIELDS, ...requestPath };
	for (const [blockName, block] of Object.entries(pick(fields, ['additionalFields', 'options']))) {
		const values: unknown = form.get({ [blockName]: block })[blockName];
		for (const inputName of ['additionalFieldsJson', 'queryParameters']) {
			const jsonFields = isRecord(values) ? values[inputName] : undefined;
			if (isRecord(jsonFields)) rejectReplacedFields(jsonFields, targetFields, { path: [blockName, inputName] });
		}
	}
}

/** The form fields for the settings of a run. Writes have no 'Concurrency', because they are sent one after the other. */
export const runSettingFields = {
	timeout: wholeNumberField({
		displayName: 'Timeout',
		default: DEFAULT_CLIENT_SETTINGS.timeoutMs / 1000,
		min: 1,
		max: 3600,
		description: 'How many seconds to wait for a response from the platform',
	}),
	concurrency: wholeNumberField({
		displayName: 'Concurrency',
		default: DEFAULT_CLIENT_SETTINGS.concurrency,
		min: 1,
		max: 20,
		description: 'The maximum number of requests to send at the same time',
	}),
};

/** Creates the text field that searches the dropdown list of this field. The result is empty if the field has no such text field. */
function createListSearchField({ listSearchField, displayConditions }: Field<unknown>): FieldMap {
	if (!listSearchField) return {};
	const { name, isInOptions, field } = listSearchField;
	if (isInOptions) return createOptionsBlock({ [name]: field });
	return { [name]: displayConditions ? showWhen(displayConditions, field) : field };
}

/** Adds the text field that searches a dropdown list directly above each field with such a list. */
const addListSearchFields = (fields: FieldMap): FieldMap[] =>
	Object.entries(fields).flatMap(([name, field]) => [createListSearchField(field), { [name]: field }]);

/** Creates the text fields that search the dropdown lists of the fields inside blocks. */
const createInnerListSearchFields = (fields: FieldMap): FieldMap[] =>
	Object.values(fields).flatMap(({ innerFields = {} }) => [
		...Object.values(innerFields).map(createListSearchField),
		...createInnerListSearchFields(innerFields),
	]);

/** The types of fields that are never empty in n8n's editor. They have no value only if an expression returns nothing. */
const NEVER_EMPTY_TYPES = ['options', 'boolean', 'number'];

/**
 * Makes the fields of a write reject an expression that returns nothing, if their type is one of `NEVER_EMPTY_TYPES`. Otherwise the
 * default would be sent, although the user didn't choose it.
 */
const rejectEmptyChoices = (fields: FieldMap): FieldMap =>
	mapValues(fields, (field) =>
		NEVER_EMPTY_TYPES.includes(field.property.type) ? rejectEmptyExpression(field) : field,
	);

/** Combines all fields of an operation's form in display order: the company scope, the single fields, and the blocks of fields. */
export function buildFormFields(scope: ScopeKind, isReadOnly: boolean, ...fieldMaps: FieldMap[]): FieldMap {
	const { timeout, concurrency } = runSettingFields;
	const settingsBlock = createOptionsBlock(isReadOnly ? { concurrency, timeout } : { timeout });
	const ownFieldMaps = fieldMaps.flatMap(addListSearchFields);
	const innerListSearchFields = fieldMaps.flatMap(createInnerListSearchFields);
	const allFields = mergeFields(scopeFields(scope), ...ownFieldMaps, ...innerListSearchFields, settingsBlock);
	const { filters, additionalFields, sort, options, ...ownFields } = allFields;
	const formFields: FieldMap = isReadOnly ? ownFields : rejectEmptyChoices(ownFields);
	for (const [name, block] of Object.entries({ filters, additionalFields, options, sort }))
		if (block) formFields[name] = block;
	return formFields;
}

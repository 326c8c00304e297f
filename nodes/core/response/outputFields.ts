import type { IDataObject } from 'n8n-workflow';
import { partition, pick, startCase } from 'lodash';

import { rejectEmptyExpression, showWhen, type Field, type FieldValues } from '../fields/field';
import { choiceField, parseTextList, toggleField } from '../fields/fieldTypes';
import { openMultiChoiceField } from '../fields/openChoiceField';
import { InvalidInputError } from '../http/errors';
import type { FieldSelection, ResultItem } from './responseHandler';

/** The record fields that the user can select for the output, by the names that the contract and live deployments use. */
export interface OutputFields {
	/** The fields that the output has with 'Simplified': about ten, in reading order. IDs are moved to the end. */
	simplified: readonly string[];
	/** All other fields that the user can select. A dot leads to a field inside another field: "coverImage.imageUrl". */
	additional?: readonly string[];
	/** The fields that may have the record's own ID, the most common one first. */
	id?: readonly string[];
}

/**
 * The smallest number of simplified fields that a record is expected to have. If it has fewer, the platform probably uses other
 * names, so the whole record is returned.
 */
const MIN_KNOWN_FIELDS = 5;

/** The form field 'Simplify', with the description that n8n's lint rules require. */
export const simplifyField = toggleField({
	displayName: 'Simplify',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

const outputField = choiceField({
	displayName: 'Output',
	description: 'Which fields of each record to return',
	default: 'simplified',
	options: [
		{ name: 'Raw', value: 'raw', description: 'All fields that the platform sends' },
		{ name: 'Selected Fields', value: 'selected', description: "Only the fields that you select in 'Fields'" },
		{ name: 'Simplified', value: 'simplified', description: 'The most important fields' },
	],
});

/** Formats the name of a record field as a label: "logoUrl" becomes "Logo URL", and "licenceExpired" becomes "License Expired". */
const formatRecordFieldLabel = (name: string): string =>
	startCase(name)
		.replace(/^Id P(?=SSO|\s) ?/, 'IdP ')
		.replace(/\bLicence\b/, 'License')
		.replace(
			/\b(Id|Ip|Ldap|Scim|Smtp|Url)(s?)\b/g,
			(_match, word: string, ending: string) => word.toUpperCase() + ending,
		);

/** Creates the form field 'Fields', in which the user selects the record fields to return. */
function selectedFieldsField({ simplified, additional = [], id = [] }: OutputFields): Field<string[]> {
	const options = [...new Set([...id, ...simplified, ...additional])]
		.map((value) => ({ name: formatRecordFieldLabel(value), value }))
		.sort((option, otherOption) => option.name.localeCompare(otherOption.name));
	const fieldsWithoutIds = simplified.filter((name) => !id.includes(name));
	return openMultiChoiceField({
		displayName: 'Fields',
		description: 'Select the fields of each record to return',
		hint: "To return a field that isn't listed, use an expression with its name, such as coverImage.imageUrl",
		options,
		// The form field isn't marked as required, because n8n would then reject an empty list with its own message. The record's ID is
		// selected by default, because other nodes use it to find the record (n8n's guideline).
		default: id.length === 0 ? [] : [...fieldsWithoutIds.slice(0, 3), ...id.slice(0, 1)],
		parse: (raw) => {
			const names = [...new Set(parseTextList(raw))];
			if (names.length > 0) return names;
			const advice = "Select fields from the list, enter their names as an expression, or select another 'Output'.";
			throw new InvalidInputError('must name at least one field', [], advice);
		},
	});
}

/**
 * Creates the form fields 'Output' and 'Fields', as n8n's guideline for tools of AI agents describes.
 * @returns the form fields, and `createItemMapper`, which takes the values of the form fields and creates a function that turns a
 * record into an item
 */
export function createOutputChoice(outputFields: OutputFields) {
	const fields = {
		output: outputField,
		outputFields: showWhen({ output: ['selected'] }, rejectEmptyExpression(selectedFieldsField(outputFields))),
	};
	return {
		fields,
		createItemMapper: ({ output, outputFields: selectedNames = [] }: FieldValues<typeof fields>) => {
			const selectionByOutput: Record<typeof output, FieldSelection | undefined> = {
				raw: undefined,
				selected: { names: selectedNames },
				simplified: { names: outputFields.simplified, minFieldCount: MIN_KNOWN_FIELDS },
			};
			return (json: IDataObject): ResultItem => ({ json, selection: selectionByOutput[output] });
		},
	};
}

/** Matches the name of a record field with one or more IDs: "resourceId", "entityID", "roleResourceIdList". */
const ID_FIELD_NAME = /(^id|I[dD])(s|List|Array)?$/;

/** Sorts the fields of a record for readers: the company's name first, and all IDs last. */
export function sortFieldsForReading<T>(record: Record<string, T>): Record<string, T> {
	const [ids, otherFields] = partition(Object.entries(record), ([name]) => ID_FIELD_NAME.test(name));
	const companyName = otherFields.filter(([name]) => name === 'companyName');
	return Object.fromEntries([...companyName, ...otherFields, ...ids]);
}

/**
 * Reduces a record to the selected fields. If it has too few of them, returns the whole record. Fields that a user selected keep the
 * user's order. In all other cases, the fields are sorted for reading.
 */
export function selectFields(record: IDataObject, selection: FieldSelection | undefined): IDataObject {
	if (!selection) return sortFieldsForReading(record);
	const { names, minFieldCount } = selection;
	if (minFieldCount === undefined) return pick(record, names);
	const hasTooFewFields = names.filter((name) => name in record).length < minFieldCount;
	return sortFieldsForReading(hasTooFewFields ? record : pick(record, names));
}

import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { partition, pick, startCase } from 'lodash';

import { rejectEmptyExpression, showWhen, type Field, type FieldValues } from '../fields/field';
import { choiceField, parseTextList, toggleField } from '../fields/fieldTypes';
import { InvalidInputError } from '../http/errors';
import type { FieldSelection, ResultItem } from './responseHandler';
import { hideSecrets, canHaveSecret } from './secretText';
import { isRecord } from '../values';

/** The fields of a record that 'Output' offers, with the names that the contract and live deployments use. */
export interface OutputFields {
	/** The fields that 'Simplified' keeps, about ten, in reading order. IDs are moved to the end. */
	simplified: readonly string[];
	/** All other fields. A dot leads to a field inside another field: "coverImage.imageUrl". */
	additional?: readonly string[];
	/** The fields that may have the record's own ID, the most common one first. */
	id?: readonly string[];
}

/** If fewer of the simplified fields are present, the platform uses other names, so the whole record is returned. */
const MIN_KNOWN_FIELDS = 5;

/** The field 'Simplify', with the text that n8n's lint rules require. */
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
		{ name: 'Raw', value: 'raw', description: 'All fields' },
		{ name: 'Selected Fields', value: 'selected', description: 'Only the fields that you choose' },
		{ name: 'Simplified', value: 'simplified', description: 'The most important fields' },
	],
});

/** Creates the field 'Fields', which selects the fields of the output. */
function selectedFieldsField({ simplified, additional = [], id = [] }: OutputFields): Field<string[]> {
	const options = [...new Set([...id, ...simplified, ...additional])]
		.map((value) => ({ name: startCase(value).replace(/\bId(s?)\b/g, 'ID$1'), value }))
		.sort((first, second) => first.name.localeCompare(second.name));
	const readableFields = simplified.filter((name) => !id.includes(name));
	const property = {
		displayName: 'Fields',
		description: "Which fields to return; an expression may name others, such as 'name, coverImage.imageUrl'",
		type: 'multiOptions',
		options,
		// The field isn't marked as required, because n8n would then reject an empty list with its own message. The record's ID is selected
		// by default, because other nodes use it to find the record (n8n's guideline).
		default: id.length === 0 ? [] : [...readableFields.slice(0, 3), ...id.slice(0, 1)],
	} satisfies Omit<INodeProperties, 'name'>;
	return {
		property,
		parse: (raw) => {
			const names = [...new Set(parseTextList(raw))];
			if (names.length > 0) return names;
			const advice = "Choose fields from the list, give their names in an expression, or choose another 'Output'.";
			throw new InvalidInputError('must name at least one field', [], advice);
		},
	};
}

/**
 * Creates the fields 'Output' and 'Fields', as n8n's guideline for tools of AI agents describes.
 * @returns the fields, and `createItemMapper`. From the values of the fields, it creates a function that turns a record into an item.
 */
export function createOutputChoice(outputFields: OutputFields) {
	const fields = {
		output: outputField,
		outputFields: showWhen({ output: ['selected'] }, rejectEmptyExpression(selectedFieldsField(outputFields))),
	};
	return {
		fields,
		createItemMapper: ({ output, outputFields: selectedNames = [] }: FieldValues<typeof fields>) => {
			const selections: Record<typeof output, FieldSelection | undefined> = {
				raw: undefined,
				selected: { names: selectedNames },
				simplified: { names: outputFields.simplified, minPresent: MIN_KNOWN_FIELDS },
			};
			return (json: IDataObject): ResultItem => ({ json, selection: selections[output] });
		},
	};
}

/** Matches the name of a field with one or more IDs: "resourceId", "entityID", "roleResourceIdList". */
const ID_NAME = /(^id|I[dD])(s|List|Array)?$/;

/** Sorts the fields of a record for readers: the company's name first, and all IDs last. */
export function sortFieldsForReading<T>(record: Record<string, T>): Record<string, T> {
	const [ids, otherFields] = partition(Object.entries(record), ([name]) => ID_NAME.test(name));
	const companyName = otherFields.filter(([name]) => name === 'companyName');
	return Object.fromEntries([...companyName, ...otherFields, ...ids]);
}

/**
 * Reduces a record to the selected fields. The whole record is returned if too few of the fields are present. Fields that a user selected
 * keep the user's order; all others are sorted for reading.
 */
export function selectFields(record: IDataObject, selection: FieldSelection | undefined): IDataObject {
	if (!selection) return sortFieldsForReading(record);
	const { names, minPresent } = selection;
	if (minPresent === undefined) return pick(record, names);
	const hasTooFew = names.filter((name) => name in record).length < minPresent;
	return sortFieldsForReading(hasTooFew ? record : pick(record, names));
}

/**
 * Matches the platform's names of secrets: password, clientSecret, token, scimToken (contract 2.11, 2.13; deployment shapes, "Roles and
 * API clients"; deployment activity 5, 9).
 */
const SECRET_NAME = /(password|secret|token)$/i;
/** Matches the name of a field that says whose password it is. */
const USER_NAME = /^user_?name$/i;

/** Returns true for a field with a secret. A boolean or number only says whether there is a secret, or how many. */
const isSecret = (name: string, value: unknown) =>
	SECRET_NAME.test(name) && !['boolean', 'number'].includes(typeof value);

/** Returns true if a value contains a secret, in a field with such a name or inside a text. */
function hasSecret(value: unknown): boolean {
	if (typeof value === 'string') return canHaveSecret(value);
	if (Array.isArray(value)) return value.some(hasSecret);
	return isRecord(value) && Object.keys(value).some((name) => isSecret(name, value[name]) || hasSecret(value[name]));
}

type JsonValue = IDataObject[string];

/** Removes the secrets from a value of any type. */
function redactValue(value: JsonValue): JsonValue {
	if (typeof value === 'string') return canHaveSecret(value) ? hideSecrets(value) : value;
	if (Array.isArray(value)) return value.map((entry: JsonValue) => redactValue(entry));
	// The cast is safe, because an object inside an item's json is valid json, too.
	return isRecord(value) ? removeSecrets(value as IDataObject) : value;
}

/**
 * Removes secrets at any depth, and the user names that belong to passwords. Secrets inside texts are replaced by •••.
 * @returns the same object if it has no secret, because copying every record takes a tenth of the time that a long list needs
 */
export function removeSecrets(record: IDataObject): IDataObject {
	if (!hasSecret(record)) return record;
	const entries = Object.entries(record);
	const hasPassword = entries.some(([name, value]) => isSecret(name, value) && /password$/i.test(name));
	const harmlessEntries = entries.filter(
		([name, value]) => !isSecret(name, value) && !(hasPassword && USER_NAME.test(name)),
	);
	return Object.fromEntries(harmlessEntries.map(([name, value]) => [name, redactValue(value)]));
}

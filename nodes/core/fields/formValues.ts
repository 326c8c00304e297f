import { isNil, isPlainObject, mapValues, omit, pick } from 'lodash';
import type { INode } from 'n8n-workflow';

import { toError, InvalidInputError } from '../http/errors';
import { rejectMissingValue } from '../http/missingValue';
import {
	hasNoValue,
	isFieldShown,
	type PickerContext,
	type Field,
	type FieldMap,
	type ItemContext,
	type ReadCompanies,
	type FieldValues,
} from './field';
import { isEmailAddress } from './contact';
import { readLocatorValue, createNotANumberError } from './fieldTypes';
import { isEmpty, isNonFiniteNumber, isRecord } from '../values';

/** Adds a field's name to the beginning of the path in an InvalidInputError. Other errors have no path and are returned unchanged. */
export const addFieldNameToError = (fieldName: string, error: unknown): Error =>
	error instanceof InvalidInputError ? error.prependPath(fieldName) : toError(error);

const createNoValueError = () =>
	new InvalidInputError(
		'must have a value, but has none',
		[],
		'If the field has an expression, the input item may not have the data that the expression refers to. Enter a value, or remove the field.',
	);

/**
 * Returns the raw value to parse. A field without a value gets its default, as if the user hadn't added it. A required field without a
 * value gets no default: its missing value is rejected later, when the field is parsed.
 * @param raw undefined if the user didn't add the field
 * @param isInner true if the field is part of a row or a group, in which every field must have a value
 * @throws InvalidInputError if a missing value would make the operation affect more records, or if the value is NaN or infinite
 */
function chooseRawValue(field: Field<unknown>, raw: unknown, isInner: boolean): unknown {
	const { property, shouldRejectEmptyExpression } = field;
	if ([raw, readLocatorValue(raw)].flat().some(isNonFiniteNumber)) throw createNotANumberError();
	if (raw === undefined) return property.default;
	if (!hasNoValue(field, raw)) return raw;
	if (property.required) return raw ?? undefined;
	if (shouldRejectEmptyExpression || isInner) throw createNoValueError();
	return property.default;
}

/** Matches the labels of form fields in which the user enters the name of a person, a record or a department. */
const NAME_LABEL = /\b(Name|Department)$/;

/** Lists all texts in a field's value. The value can be a text, a list, or JSON in which texts are nested at any depth. */
function listTexts(value: unknown, isJson: boolean): string[] {
	if (typeof value === 'string') return [value];
	if (Array.isArray(value)) return value.flatMap((entry) => listTexts(entry, isJson));
	return isJson && isRecord(value) ? Object.values(value).flatMap((innerValue) => listTexts(innerValue, isJson)) : [];
}

/**
 * Rejects a text such as 'undefined', which an expression returns if the data that it refers to is missing. No value may be equal to
 * such a text. The name of a person, a record or a department must not contain it as a word either, but a description, a message or an
 * email address may. Fields that don't allow expressions aren't checked.
 * @throws InvalidInputError
 */
function rejectMissingValueWords({ property }: Field<unknown>, value: unknown): void {
	if (property.noDataExpression) return;
	const isName = NAME_LABEL.test(property.displayName);
	for (const text of listTexts(value, property.type === 'json')) {
		rejectMissingValue(text, isName && !isEmailAddress(text));
	}
}

/**
 * Parses a field's value. If the operation changes data, its texts are checked by `rejectMissingValueWords` before and after parsing,
 * because parsing may split one text into several, as in a list or in JSON.
 * @throws InvalidInputError
 */
async function parseField(field: Field<unknown>, raw: unknown, item: ItemContext): Promise<unknown> {
	if (item.isWrite) rejectMissingValueWords(field, readLocatorValue(raw));
	const value = await field.parse(raw, item);
	// Inner fields are checked one by one when they are parsed.
	if (item.isWrite && !field.innerFields) rejectMissingValueWords(field, value);
	return value;
}

/**
 * Removes the record name from a resource locator, unless the user selected both the ID and the name from the list. If the ID comes from
 * an expression, the name may belong to another record. If the saved name begins with "=", n8n evaluates it, so the result is not the
 * record's name (n8n 16). Locators inside collections, groups and rows are treated in the same way.
 * @param value the parameter after n8n evaluated it
 * @param savedValue the parameter as it is saved in the workflow, before n8n evaluates it
 */
function removeUnreliableNames(value: unknown, savedValue: unknown): unknown {
	if (Array.isArray(value) && Array.isArray(savedValue)) {
		const savedRows: unknown[] = savedValue;
		return value.map((row: unknown, index) => removeUnreliableNames(row, savedRows[index]));
	}
	if (!isRecord(value)) return value;
	if (!('cachedResultName' in value))
		return isRecord(savedValue)
			? mapValues(value, (innerValue, name) => removeUnreliableNames(innerValue, savedValue[name]))
			: value;
	const isSelectedFromList =
		isRecord(savedValue) &&
		savedValue.mode === 'list' &&
		[savedValue.value, savedValue.cachedResultName].every((text) => typeof text === 'string' && !text.startsWith('='));
	return isSelectedFromList ? value : omit(value, 'cachedResultName');
}

/**
 * Creates the function that returns a node's evaluated parameters to `FormValues.read`.
 * @param evaluateParameter returns the value of a parameter after n8n evaluated it
 */
export function createParameterReader(
	{ parameters }: INode,
	evaluateParameter: (name: string) => unknown,
): (name: string) => unknown {
	return (name) => {
		// `parameters` lacks hidden fields. If an expression returns nothing, the value is null.
		if (!(name in parameters)) return undefined;
		return removeUnreliableNames(evaluateParameter(name) ?? null, parameters[name]);
	};
}

/**
 * Returns a copy of a form's values in which `convert` was applied to every value, also inside collections and groups.
 * @throws InvalidInputError, RequestError
 */
async function mapFieldValues(
	fields: FieldMap,
	values: Readonly<Record<string, unknown>>,
	convert: (field: Field<unknown>, value: unknown) => Promise<unknown>,
): Promise<Record<string, unknown>> {
	const mappedValues = { ...values };
	for (const [name, field] of Object.entries(fields)) {
		const value = values[name];
		if (value === undefined) continue;
		const isBlock = field.innerFields && isPlainObject(value) && isRecord(value);
		try {
			mappedValues[name] = isBlock
				? await mapFieldValues(field.innerFields ?? {}, value, convert)
				: await convert(field, value);
		} catch (error) {
			throw addFieldNameToError(name, error);
		}
	}
	return mappedValues;
}

/** Returns true if the value of a field, or of one of its inner fields, may be a record name that must be replaced with an ID. */
const hasNamesToResolve = ({ resolveNames, innerFields = {} }: Field<unknown>): boolean =>
	resolveNames !== undefined || Object.values(innerFields).some(hasNamesToResolve);

/**
 * Calls `Field.resolveNames` for a field, or for its inner fields.
 * @param value the field's parsed value. A field without one, for example a hidden field, has no names to look up.
 * @param raw the field's raw value
 * @returns the new raw value, or `raw` itself if nothing changes
 * @throws InvalidInputError, RequestError
 */
async function resolveRawValue(
	field: Field<unknown>,
	value: unknown,
	raw: unknown,
	context: PickerContext,
): Promise<unknown> {
	if (isNil(value) || isNil(raw) || !hasNamesToResolve(field)) return raw;
	if (field.resolveNames) return await field.resolveNames(raw, context);
	const { innerFields = {}, innerGroups } = field;
	const rawGroups = innerGroups ? innerGroups.read(raw) : [raw];
	const resolvedGroups = await Promise.all(
		[value].flat().map(async (group: unknown, index) => {
			const rawGroup = rawGroups[index];
			return isRecord(group) && isRecord(rawGroup)
				? await resolveRawGroup(innerFields, group, rawGroup, context)
				: rawGroup;
		}),
	);
	if (resolvedGroups.every((group, index) => group === rawGroups[index])) return raw;
	return innerGroups ? innerGroups.build(resolvedGroups) : resolvedGroups[0];
}

/** Calls `resolveRawValue` for the fields of a collection, a group or a row. @returns `rawGroup` itself if nothing changes */
async function resolveRawGroup(
	fields: FieldMap,
	values: Readonly<Record<string, unknown>>,
	rawGroup: Record<string, unknown>,
	context: PickerContext,
): Promise<Record<string, unknown>> {
	const resolvedGroup = { ...rawGroup };
	for (const [name, field] of Object.entries(fields)) {
		if (!(name in rawGroup)) continue;
		try {
			resolvedGroup[name] = await resolveRawValue(field, values[name], rawGroup[name], context);
		} catch (error) {
			throw addFieldNameToError(name, error);
		}
	}
	return Object.keys(rawGroup).every((name) => resolvedGroup[name] === rawGroup[name]) ? rawGroup : resolvedGroup;
}

/**
 * Calls `Field.resolveNames` for the given fields and their inner fields. A field whose raw value changes is parsed again, as a whole,
 * because the parsed values of its inner fields may depend on each other: a date is read in the selected time zone.
 * @param values the parsed values of the fields
 * @param rawValues the raw values of the fields; changed values are replaced in this object
 * @returns a copy of `values` with the new parsed values
 * @throws InvalidInputError, RequestError
 */
async function resolveNamesInFields(
	fields: FieldMap,
	values: Readonly<Record<string, unknown>>,
	rawValues: Record<string, unknown>,
	context: PickerContext,
	item: ItemContext,
): Promise<Record<string, unknown>> {
	const resolvedValues = { ...values };
	for (const [name, field] of Object.entries(fields)) {
		const raw = rawValues[name];
		try {
			const resolvedRawValue = await resolveRawValue(field, values[name], raw, context);
			if (resolvedRawValue === raw) continue;
			// `context.parameters` is this object. Lists that depend on this field read the new value from it.
			rawValues[name] = resolvedRawValue;
			resolvedValues[name] = await field.parse(resolvedRawValue, item);
		} catch (error) {
			throw addFieldNameToError(name, error);
		}
	}
	return resolvedValues;
}

/** The parsed values of a form. If a value could not be parsed, the error is kept and only thrown when the value is used. */
export class FormValues {
	private constructor(
		private readonly fields: FieldMap,
		private readonly values: Readonly<Record<string, unknown>>,
		private readonly rawValues: Readonly<Record<string, unknown>>,
		private readonly item: ItemContext,
		private readonly errorsByFieldName: ReadonlyMap<string, Error> = new Map(),
	) {}

	/**
	 * Reads and parses every field of a form once, in the form's order.
	 * @param readRawValue returns the raw value of the field with a name: undefined if the user didn't add the field, null if it has no value
	 * @param isInner true if the fields are part of a row or a group, in which every field must have a value
	 */
	static async read(
		fields: FieldMap,
		readRawValue: (name: string) => unknown,
		item: ItemContext,
		isInner = false,
	): Promise<FormValues> {
		const values: Record<string, unknown> = {};
		const rawValues: Record<string, unknown> = {};
		const errorsByFieldName = new Map<string, Error>();
		for (const [name, field] of Object.entries(fields)) {
			try {
				const isShown = isFieldShown(field, values);
				if (!isShown && field.createErrorIfUnused && !isEmpty(readRawValue(name))) throw field.createErrorIfUnused();
				const raw = isShown ? readRawValue(name) : undefined;
				rawValues[name] = raw;
				const isHidden = raw === undefined && field.displayConditions !== undefined;
				values[name] = isHidden ? undefined : await parseField(field, chooseRawValue(field, raw, isInner), item);
			} catch (error) {
				errorsByFieldName.set(name, addFieldNameToError(name, error));
			}
		}
		return new FormValues(fields, values, rawValues, item, errorsByFieldName);
	}

	/** Returns this object if all fields could be parsed. @throws InvalidInputError for the first field that could not */
	assertValid(): this {
		for (const fieldError of this.errorsByFieldName.values()) throw fieldError;
		return this;
	}

	/**
	 * Returns a copy of the form in which the values that depend on the list of companies are complete (see `Field.resolveCompanies`).
	 * @throws InvalidInputError, RequestError
	 */
	async resolveCompanies(readCompanies: ReadCompanies): Promise<FormValues> {
		const resolveValue = async (field: Field<unknown>, value: unknown) =>
			field.resolveCompanies ? await field.resolveCompanies(value, readCompanies) : value;
		const values = await mapFieldValues(this.fields, this.values, resolveValue);
		return new FormValues(this.fields, values, this.rawValues, this.item);
	}

	/**
	 * Looks up record names and selected entries in the lists of the company that the operation runs for (see `Field.resolveNames`).
	 * @returns a copy of the form with that company's record IDs
	 * @throws InvalidInputError, RequestError
	 */
	async resolveNames(context: Omit<PickerContext, 'parameters'>): Promise<FormValues> {
		const { fields, item } = this;
		const rawValues = { ...this.rawValues };
		const values = await resolveNamesInFields(
			fields,
			this.values,
			rawValues,
			{ ...context, parameters: rawValues },
			item,
		);
		return new FormValues(fields, values, rawValues, item);
	}

	/**
	 * Returns the values of some of the form's fields. If the form has merged a collection in `fields` with another one, only the values
	 * of the inner fields of the collection in `fields` are returned.
	 * @throws InvalidInputError for a value that could not be parsed; RangeError for a field that the form doesn't have
	 */
	get<F extends FieldMap>(fields: F): FieldValues<F> {
		const values: Record<string, unknown> = {};
		for (const [name, field] of Object.entries(fields)) {
			const fieldError = this.errorsByFieldName.get(name);
			if (fieldError) throw fieldError;
			if (!(name in this.values)) throw new RangeError(`The form has no field '${name}'`);
			const value = this.values[name];
			const shouldReduce = field.innerFields && field !== this.fields[name] && isPlainObject(value);
			values[name] = shouldReduce ? pick(value, Object.keys(field.innerFields ?? {})) : value;
		}
		// Each value is the result of its own field's `parse`, which TypeScript cannot infer in a loop.
		return values as FieldValues<F>;
	}
}

/**
 * Reads and parses the fields inside another field.
 * @param readRawValue see `FormValues.read`
 * @throws InvalidInputError for the first value that could not be parsed
 */
export async function readInnerFields<F extends FieldMap>(
	fields: F,
	readRawValue: (name: string) => unknown,
	item: ItemContext,
): Promise<FieldValues<F>> {
	const form = await FormValues.read(fields, readRawValue, item, true);
	return form.assertValid().get(fields);
}

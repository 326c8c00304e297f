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
import { isNotFinite, isRecord } from '../values';

/** Adds a field's name to the beginning of an error's path, if the error is about the input. @returns the error */
export const addFieldToError = (fieldName: string, error: unknown): Error =>
	error instanceof InvalidInputError ? error.prependPath(fieldName) : toError(error);

const createNoValueError = () =>
	new InvalidInputError(
		'must have a value, but has none',
		[],
		'If it has an expression, the input item may lack what the expression names. Give it a value, or remove the field.',
	);

/**
 * Chooses the raw value to parse. A field without a value gets its default, as if the user hadn't added it. A required field without a
 * value is rejected when it is parsed.
 * @param raw undefined for a field that the form doesn't have
 * @param isInner true if the field is part of a row or a group, in which no field may lack a value
 * @throws InvalidInputError if a missing value would make the operation affect more records, or if the value is NaN or infinite
 */
function chooseRawValue(field: Field<unknown>, raw: unknown, isInner: boolean): unknown {
	const { property, rejectsEmptyExpression } = field;
	if ([raw, readLocatorValue(raw)].flat().some(isNotFinite)) throw createNotANumberError();
	if (raw === undefined) return property.default;
	if (!hasNoValue(field, raw)) return raw;
	if (property.required) return raw ?? undefined;
	if (rejectsEmptyExpression || isInner) throw createNoValueError();
	return property.default;
}

/** Matches the labels of fields that hold a name. */
const NAME_LABEL = /\b(Name|Department)$/;

/** Lists the texts in a field's value: the text itself, the texts in a list, and the texts in JSON at any depth. */
function listTexts(value: unknown, isJson: boolean): string[] {
	if (typeof value === 'string') return [value];
	if (Array.isArray(value)) return value.flatMap((part) => listTexts(part, isJson));
	return isJson && isRecord(value) ? Object.values(value).flatMap((part) => listTexts(part, isJson)) : [];
}

/**
 * Rejects texts such as 'undefined', which an expression writes if its value is missing. The whole value must never be such a text. A
 * name must not contain one as a word either, but a description, a message or an email address may. A field that allows no expression
 * isn't checked.
 * @throws InvalidInputError
 */
function checkTexts({ property }: Field<unknown>, value: unknown): void {
	if (property.noDataExpression) return;
	const isName = NAME_LABEL.test(property.displayName);
	for (const text of listTexts(value, property.type === 'json')) {
		rejectMissingValue(text, isName && !isEmailAddress(text));
	}
}

/**
 * Parses a field's value. If the operation changes data, the texts are checked both before and after parsing, because a list or JSON may
 * be one text before.
 * @throws InvalidInputError
 */
async function parseField(field: Field<unknown>, raw: unknown, item: ItemContext): Promise<unknown> {
	if (item.isWrite) checkTexts(field, readLocatorValue(raw));
	const value = await field.parse(raw, item);
	// Inner fields are checked one by one when they are parsed.
	if (item.isWrite && !field.innerFields) checkTexts(field, value);
	return value;
}

/**
 * Removes the saved name of a resource locator, unless the user selected both name and ID from the list. Locators inside blocks and lists
 * are treated in the same way. If an expression gives the ID, the saved name may belong to another record. If the saved name begins with
 * "=", n8n evaluates it, so the result is not the name that was saved (n8n 16).
 * @param saved the parameter as it is saved in the workflow, before n8n evaluates it
 */
function removeUnreliableNames(value: unknown, saved: unknown): unknown {
	if (Array.isArray(value) && Array.isArray(saved)) {
		const savedRows: unknown[] = saved;
		return value.map((row: unknown, index) => removeUnreliableNames(row, savedRows[index]));
	}
	if (!isRecord(value)) return value;
	if (!('cachedResultName' in value))
		return isRecord(saved) ? mapValues(value, (part, name) => removeUnreliableNames(part, saved[name])) : value;
	const isSelectedFromList =
		isRecord(saved) &&
		saved.mode === 'list' &&
		[saved.value, saved.cachedResultName].every((text) => typeof text === 'string' && !text.startsWith('='));
	return isSelectedFromList ? value : omit(value, 'cachedResultName');
}

/**
 * Creates the function that reads a node's parameters for `FormValues.read`.
 * @param evaluateParameter returns a parameter as n8n evaluates it
 */
export function createParameterReader(
	{ parameters }: INode,
	evaluateParameter: (name: string) => unknown,
): (name: string) => unknown {
	return (name) => {
		// A hidden field has no value. If an expression returns nothing, the value is null.
		if (!(name in parameters)) return undefined;
		return removeUnreliableNames(evaluateParameter(name) ?? null, parameters[name]);
	};
}

/**
 * Replaces every value of a form, including the values in blocks, with the result of `complete`.
 * @throws InvalidInputError, RequestError
 */
async function completeValues(
	fields: FieldMap,
	values: Readonly<Record<string, unknown>>,
	complete: (field: Field<unknown>, value: unknown) => Promise<unknown>,
): Promise<Record<string, unknown>> {
	const completed = { ...values };
	for (const [name, field] of Object.entries(fields)) {
		const value = values[name];
		if (value === undefined) continue;
		const isBlock = field.innerFields && isPlainObject(value) && isRecord(value);
		try {
			completed[name] = isBlock
				? await completeValues(field.innerFields ?? {}, value, complete)
				: await complete(field, value);
		} catch (error) {
			throw addFieldToError(name, error);
		}
	}
	return completed;
}

/** Returns true if the value of a field or of one of its inner fields may be a name that must be resolved. */
const hasNamesToResolve = ({ resolveNames, innerFields = {} }: Field<unknown>): boolean =>
	resolveNames !== undefined || Object.values(innerFields).some(hasNamesToResolve);

/**
 * Calls `resolveNames` of fields and of their inner fields.
 * @param rawValues the raw values; those that change are updated in place
 * @returns the parsed values; those whose raw values changed are parsed again
 * @throws InvalidInputError, RequestError
 */
async function resolveNamesInFields(
	fields: FieldMap,
	values: Readonly<Record<string, unknown>>,
	rawValues: Record<string, unknown>,
	context: PickerContext,
	item: ItemContext,
): Promise<Record<string, unknown>> {
	const resolved = { ...values };
	for (const [name, field] of Object.entries(fields)) {
		const value = values[name];
		const raw = rawValues[name];
		if (isNil(value) || isNil(raw) || !hasNamesToResolve(field)) continue;
		try {
			if (field.resolveNames) {
				const resolvedRaw = await field.resolveNames(raw, context);
				if (resolvedRaw === raw) continue;
				// Lists that depend on this field need its new value.
				rawValues[name] = resolvedRaw;
				resolved[name] = await field.parse(resolvedRaw, item);
				continue;
			}
			const rawParts = field.getRawParts ? field.getRawParts(raw) : [raw];
			const parts = await Promise.all(
				[value].flat().map(async (part: unknown, index) => {
					const rawPart = rawParts[index];
					if (!isRecord(part) || !isRecord(rawPart)) return part;
					return await resolveNamesInFields(field.innerFields ?? {}, part, { ...rawPart }, context, item);
				}),
			);
			resolved[name] = Array.isArray(value) ? parts : parts[0];
		} catch (error) {
			throw addFieldToError(name, error);
		}
	}
	return resolved;
}

/** The values of a form, which are read and parsed once. If a value could not be parsed, using it throws the error. */
export class FormValues {
	private constructor(
		private readonly fields: FieldMap,
		private readonly values: Readonly<Record<string, unknown>>,
		/** The raw values from n8n. */
		private readonly parameters: Readonly<Record<string, unknown>>,
		private readonly item: ItemContext,
		private readonly failures: ReadonlyMap<string, Error> = new Map(),
	) {}

	/**
	 * Reads and parses every field of a form once, in the form's order.
	 * @param readRawValue returns a field's raw value by its name: undefined if the field is not there, null if it has no value
	 * @param isInner true if the fields are part of a row or a group, in which no field may lack a value
	 */
	static async read(
		fields: FieldMap,
		readRawValue: (name: string) => unknown,
		item: ItemContext,
		isInner = false,
	): Promise<FormValues> {
		const values: Record<string, unknown> = {};
		const parameters: Record<string, unknown> = {};
		const failures = new Map<string, Error>();
		for (const [name, field] of Object.entries(fields)) {
			try {
				const raw = isFieldShown(field, values) ? readRawValue(name) : undefined;
				parameters[name] = raw;
				const isHidden = raw === undefined && field.show !== undefined;
				values[name] = isHidden ? undefined : await parseField(field, chooseRawValue(field, raw, isInner), item);
			} catch (error) {
				failures.set(name, addFieldToError(name, error));
			}
		}
		return new FormValues(fields, values, parameters, item, failures);
	}

	/** Returns the form itself. @throws InvalidInputError for the first field that could not be parsed */
	assertValid(): this {
		for (const failure of this.failures.values()) throw failure;
		return this;
	}

	/**
	 * Returns the form with the values that depend on the list of companies (`Field.resolveCompanies`).
	 * @throws InvalidInputError, RequestError
	 */
	async resolveCompanies(readCompanies: ReadCompanies): Promise<FormValues> {
		const complete = async (field: Field<unknown>, value: unknown) =>
			field.resolveCompanies ? await field.resolveCompanies(value, readCompanies) : value;
		const values = await completeValues(this.fields, this.values, complete);
		return new FormValues(this.fields, values, this.parameters, this.item);
	}

	/**
	 * Looks up names and selected entries at one company (`Field.resolveNames`).
	 * @returns the form with that company's IDs
	 * @throws InvalidInputError, RequestError
	 */
	async resolveNames(context: Omit<PickerContext, 'parameters'>): Promise<FormValues> {
		const { fields, item } = this;
		const parameters = { ...this.parameters };
		const values = await resolveNamesInFields(fields, this.values, parameters, { ...context, parameters }, item);
		return new FormValues(fields, values, parameters, item);
	}

	/**
	 * Returns the values of some of the form's fields. The value of a collection is reduced to the inner fields that the collection in
	 * `fields` has.
	 * @throws InvalidInputError for a value that could not be parsed; RangeError for a field that the form doesn't have
	 */
	get<F extends FieldMap>(fields: F): FieldValues<F> {
		const values: Record<string, unknown> = {};
		for (const [name, field] of Object.entries(fields)) {
			const failure = this.failures.get(name);
			if (failure) throw failure;
			if (!(name in this.values)) throw new RangeError(`The form has no field '${name}'`);
			const value = this.values[name];
			const isReduced = field.innerFields && field !== this.fields[name] && isPlainObject(value);
			values[name] = isReduced ? pick(value, Object.keys(field.innerFields ?? {})) : value;
		}
		// Each value is the result of its own field's `parse`, which TypeScript cannot infer in a loop.
		return values as FieldValues<F>;
	}
}

/**
 * Reads and parses the fields inside another field.
 * @param readRawValue as in `FormValues.read`
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

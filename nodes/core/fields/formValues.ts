import { isNil, isPlainObject, mapValues, omit, pick } from 'lodash';
import type { INode } from 'n8n-workflow';

import { asError, InvalidInput } from '../http/errors';
import { rejectNoValue } from '../http/noValue';
import {
	isNothing,
	isShown,
	type Asker,
	type Field,
	type FieldMap,
	type ItemContext,
	type ReadCompanies,
	type Values,
} from './field';
import { isAddress } from './contact';
import { locatorValue, notANumber } from './fieldTypes';
import { isNoNumber, isRecord } from '../values';

/** The error with the field's name in front of its path, if it is about the field. */
export const inField = (name: string, error: unknown): Error =>
	error instanceof InvalidInput ? error.within(name) : asError(error);

const noValue = () =>
	new InvalidInput(
		'must have a value, but has none',
		[],
		'If it has an expression, the input item may lack what the expression names. Give it a value, or remove the field.',
	);

/**
 * What a field is given. Without a value it is as if it had not been added, so it has its default; that it is missing is said
 * where it is required, and refused where more would be done without it, or inside of a row.
 * @param raw undefined for a field that is not there
 * @throws InvalidInput
 */
function givenIn(field: Field<unknown>, raw: unknown, isPart: boolean): unknown {
	const { property, mustHaveValue } = field;
	if ([raw, locatorValue(raw)].flat().some(isNoNumber)) throw notANumber();
	if (raw === undefined) return property.default;
	if (!isNothing(field, raw)) return raw;
	if (property.required) return raw ?? undefined;
	if (mustHaveValue || isPart) throw noValue();
	return property.default;
}

/** Matches the labels of fields that hold a name. */
const NAME_LABEL = /\b(Name|Department)$/;

/** Lists the texts in a field's value: the text itself, those in a list, and those in JSON at any depth. Blocks are checked field by field. */
function listTexts(value: unknown, isJson: boolean): string[] {
	if (typeof value === 'string') return [value];
	if (Array.isArray(value)) return value.flatMap((part) => listTexts(part, isJson));
	return isJson && isRecord(value) ? Object.values(value).flatMap((part) => listTexts(part, isJson)) : [];
}

/**
 * Rejects texts such as 'undefined', which an expression without a value writes. They are never allowed as a whole value, and in a name
 * not even as one of its words. A description, a message or an email address may have such a word. A field that allows no expression
 * isn't checked.
 * @throws InvalidInput
 */
function checkTexts({ property }: Field<unknown>, value: unknown): void {
	if (property.noDataExpression) return;
	const isName = NAME_LABEL.test(property.displayName);
	for (const part of listTexts(value, property.type === 'json')) rejectNoValue(part, isName && !isAddress(part));
}

/** Parses a field's value, and checks its texts before and after: a list or JSON may be written as one text. @throws InvalidInput */
async function parseField(field: Field<unknown>, raw: unknown, item: ItemContext): Promise<unknown> {
	if (item.isWrite) checkTexts(field, locatorValue(raw));
	const value = await field.parse(raw, item);
	if (item.isWrite && !field.inner) checkTexts(field, value);
	return value;
}

/**
 * Removes the saved name of a resource locator, also inside blocks and lists, unless the user chose both name and ID from the list. If an
 * expression gives the ID, the saved name may be that of another thing. n8n evaluates every text that begins with "=", so such a name is
 * not what was saved (n8n-facts 16).
 */
function withOwnName(value: unknown, saved: unknown): unknown {
	if (Array.isArray(value) && Array.isArray(saved)) {
		const savedRows: unknown[] = saved;
		return value.map((row: unknown, index) => withOwnName(row, savedRows[index]));
	}
	if (!isRecord(value)) return value;
	if (!('cachedResultName' in value))
		return isRecord(saved) ? mapValues(value, (part, name) => withOwnName(part, saved[name])) : value;
	const isChosen =
		isRecord(saved) &&
		saved.mode === 'list' &&
		[saved.value, saved.cachedResultName].every((text) => typeof text === 'string' && !text.startsWith('='));
	return isChosen ? value : omit(value, 'cachedResultName');
}

/** Reads a node's parameters, for `FormValues.read`. @param valueOf gives a parameter as n8n evaluates it */
export const parametersOf =
	({ parameters }: INode, valueOf: (name: string) => unknown) =>
	(name: string): unknown =>
		// A hidden field has no value; where an expression gives nothing, the value is null.
		name in parameters ? withOwnName(valueOf(name) ?? null, parameters[name]) : undefined;

/** The values of fields, and of those inside them, with what `complete` makes of each. @throws InvalidInput, ServiceError */
async function completed(
	fields: FieldMap,
	values: Readonly<Record<string, unknown>>,
	complete: (field: Field<unknown>, value: unknown) => Promise<unknown>,
): Promise<Record<string, unknown>> {
	const all = { ...values };
	for (const [name, field] of Object.entries(fields)) {
		const value = values[name];
		if (value === undefined) continue;
		const isBlock = field.inner && isPlainObject(value) && isRecord(value);
		try {
			all[name] = isBlock ? await completed(field.inner ?? {}, value, complete) : await complete(field, value);
		} catch (error) {
			throw inField(name, error);
		}
	}
	return all;
}

/** Whether a field or one of its inner fields has a `lookUp`. */
const isLookedUp = ({ lookUp, inner = {} }: Field<unknown>): boolean =>
	lookUp !== undefined || Object.values(inner).some(isLookedUp);

/** Calls `lookUp` of fields and of their inner fields. @returns the values, of which those that were looked up are parsed again @throws InvalidInput, ServiceError */
async function lookUpAll(
	fields: FieldMap,
	values: Readonly<Record<string, unknown>>,
	raws: Record<string, unknown>,
	asker: Asker,
	item: ItemContext,
): Promise<Record<string, unknown>> {
	const all = { ...values };
	for (const [name, field] of Object.entries(fields)) {
		const value = values[name];
		const raw = raws[name];
		if (isNil(value) || isNil(raw) || !isLookedUp(field)) continue;
		try {
			if (field.lookUp) {
				const rawHere = await field.lookUp(raw, asker);
				if (rawHere === raw) continue;
				// Lists that depend on this field need its new value.
				raws[name] = rawHere;
				all[name] = await field.parse(rawHere, item);
				continue;
			}
			const rawParts = field.rawParts ? field.rawParts(raw) : [raw];
			const parts = await Promise.all(
				[value].flat().map(async (part: unknown, index) => {
					const rawPart = rawParts[index];
					if (!isRecord(part) || !isRecord(rawPart)) return part;
					return await lookUpAll(field.inner ?? {}, part, { ...rawPart }, asker, item);
				}),
			);
			all[name] = Array.isArray(value) ? parts : parts[0];
		} catch (error) {
			throw inField(name, error);
		}
	}
	return all;
}

/** The values of a form that was read and parsed once. A value that could not be parsed is an error when it is used. */
export class FormValues {
	private constructor(
		private readonly fields: FieldMap,
		private readonly values: Readonly<Record<string, unknown>>,
		/** The values as n8n has them. */
		private readonly parameters: Readonly<Record<string, unknown>>,
		private readonly item: ItemContext,
		private readonly failures: ReadonlyMap<string, Error> = new Map(),
	) {}

	/**
	 * Reads and parses every field of a form, each once, in the form's order.
	 * @param read gives a field's raw value by its name; undefined where the field is not there, null where it has no value
	 * @param isPart whether these fields are part of another one, so that none of them can be left out
	 */
	static async read(
		fields: FieldMap,
		read: (name: string) => unknown,
		item: ItemContext,
		isPart = false,
	): Promise<FormValues> {
		const values: Record<string, unknown> = {};
		const parameters: Record<string, unknown> = {};
		const failures = new Map<string, Error>();
		for (const [name, field] of Object.entries(fields)) {
			try {
				const raw = isShown(field, values) ? read(name) : undefined;
				parameters[name] = raw;
				const isHidden = raw === undefined && field.show !== undefined;
				values[name] = isHidden ? undefined : await parseField(field, givenIn(field, raw, isPart), item);
			} catch (error) {
				failures.set(name, inField(name, error));
			}
		}
		return new FormValues(fields, values, parameters, item, failures);
	}

	/** The form itself, if all of it could be parsed. @throws InvalidInput for the first field that could not */
	valid(): this {
		for (const failure of this.failures.values()) throw failure;
		return this;
	}

	/** The form with the values that only the service can complete (`Field.resolve`). @throws InvalidInput, ServiceError */
	async resolved(companies: ReadCompanies): Promise<FormValues> {
		const resolved = async ({ resolve }: Field<unknown>, value: unknown) =>
			resolve ? await resolve(value, companies) : value;
		const values = await completed(this.fields, this.values, resolved);
		return new FormValues(this.fields, values, this.parameters, this.item);
	}

	/** Looks up names and choices at one company (`Field.lookUp`). @returns the form with that company's IDs @throws InvalidInput, ServiceError */
	async lookedUp(at: Omit<Asker, 'parameters'>): Promise<FormValues> {
		const { fields, values, item } = this;
		const parameters = { ...this.parameters };
		const valuesHere = await lookUpAll(fields, values, parameters, { ...at, parameters }, item);
		return new FormValues(fields, valuesHere, parameters, item);
	}

	/**
	 * The values of some of the form's fields; of a collection, those of the inner fields that `fields` has.
	 * @throws InvalidInput for one that could not be parsed; RangeError for one that the operation forgot to define
	 */
	of<F extends FieldMap>(fields: F): Values<F> {
		const values: Record<string, unknown> = {};
		for (const [name, field] of Object.entries(fields)) {
			const failure = this.failures.get(name);
			if (failure) throw failure;
			if (!(name in this.values)) throw new RangeError(`The form has no field '${name}'`);
			const value = this.values[name];
			const isPart = field.inner && field !== this.fields[name] && isPlainObject(value);
			values[name] = isPart ? pick(value, Object.keys(field.inner ?? {})) : value;
		}
		// Each value is the result of its own field's `parse`, which TypeScript cannot infer in a loop.
		return values as Values<F>;
	}
}

/** Reads and parses fields that are part of another one. @param read as in `FormValues.read` @throws InvalidInput for the first that is wrong */
export async function valuesOf<F extends FieldMap>(
	fields: F,
	read: (name: string) => unknown,
	item: ItemContext,
): Promise<Values<F>> {
	return (await FormValues.read(fields, read, item, true)).valid().of(fields);
}

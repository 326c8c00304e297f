import { isPlainObject, pick } from 'lodash';

import { InvalidInput, rethrow } from '../transport/errors';
import { fieldIn, isShown, type FieldMap, type ItemContext, type Lookups, type Values } from './field';

/** The values of a form that was read and parsed once. A value that could not be parsed is an error when it is used. */
export class FormValues {
	private readonly values: Record<string, unknown> = {};
	private readonly failures = new Map<string, unknown>();

	private constructor(private readonly fields: FieldMap) {}

	/**
	 * Reads and parses every field of a form that the node's version has, each once, in the form's order.
	 * @param read gives a field's raw value by its name; undefined where the field is hidden, null where it is empty
	 */
	static async read(fields: FieldMap, read: (name: string) => unknown, item: ItemContext): Promise<FormValues> {
		const form = new FormValues(fields);
		for (const [name, declared] of Object.entries(fields)) {
			const field = fieldIn(declared, item.version);
			if (!field) {
				form.values[name] = undefined;
				continue;
			}
			try {
				const isVisible = isShown(field, form.values);
				const raw = isVisible ? read(name) : undefined;
				if (!isVisible) field.whenHidden?.(read(name), form.values);
				const isHidden = raw === undefined && (field.show ?? (declared.former ? undefined : field.versions));
				form.values[name] = isHidden ? undefined : await field.parse(raw ?? undefined, item);
			} catch (error) {
				form.failures.set(name, error instanceof InvalidInput ? error.within(name) : error);
			}
		}
		return form;
	}

	/**
	 * The form itself, if all of it could be parsed.
	 * @throws what is wrong with the first field that could not: InvalidInput
	 */
	valid(): this {
		for (const failure of this.failures.values()) throw failure;
		return this;
	}

	/**
	 * Completes the values that only the service can complete.
	 * @returns whether a value has changed
	 * @throws InvalidInput naming the field; ServiceError
	 */
	async complete(lookups: Lookups): Promise<boolean> {
		let hasChanged = false;
		for (const [name, field] of Object.entries(this.fields)) {
			const value = this.values[name];
			if (value === undefined || !field.complete) continue;
			const completed = await field
				.complete(value, lookups)
				.catch((error: unknown) => rethrow(error instanceof InvalidInput ? error.within(name) : error));
			hasChanged ||= completed !== value;
			this.values[name] = completed;
		}
		return hasChanged;
	}

	/**
	 * The values of some of the form's fields. If `fields` has a collection with only some of its inner fields, only the
	 * values of those are returned.
	 * @throws what is wrong with one of them: InvalidInput
	 * @throws RangeError for a field that the form does not have, which is a mistake in an operation's definition
	 */
	of<F extends FieldMap>(fields: F): Values<F> {
		const values: Record<string, unknown> = {};
		for (const [name, field] of Object.entries(fields)) {
			if (this.failures.has(name)) throw this.failures.get(name);
			if (!(name in this.values)) throw new RangeError(`The form has no field '${name}'`);
			const value = this.values[name];
			const isPart = field.inner && field !== this.fields[name] && isPlainObject(value);
			values[name] = isPart ? pick(value, Object.keys(field.inner ?? {})) : value;
		}
		// Each value is the result of its own field's `parse`, which TypeScript cannot infer in a loop.
		return values as Values<F>;
	}
}

/**
 * Reads and parses some fields on their own.
 * @param read as in `FormValues.read`
 * @throws InvalidInput naming the first that is wrong
 */
export async function valuesOf<F extends FieldMap>(
	fields: F,
	read: (name: string) => unknown,
	item: ItemContext,
): Promise<Values<F>> {
	return (await FormValues.read(fields, read, item)).valid().of(fields);
}

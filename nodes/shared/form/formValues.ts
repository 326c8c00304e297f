import { isPlainObject, pick } from 'lodash';

import { asError, InvalidInput } from '../transport/errors';
import { isShown, type FieldMap, type ItemContext, type ReadCompanies, type Values } from './field';

/** The error with the field's name in front of its path, if it is about the field. */
const inField = (name: string, error: unknown): Error =>
	error instanceof InvalidInput ? error.within(name) : asError(error);

/** The values of a form that was read and parsed once. A value that could not be parsed is an error when it is used. */
export class FormValues {
	private constructor(
		private readonly fields: FieldMap,
		private readonly values: Readonly<Record<string, unknown>>,
		private readonly failures: ReadonlyMap<string, Error> = new Map(),
	) {}

	/**
	 * Reads and parses every field of a form, each once, in the form's order.
	 * @param read gives a field's raw value by its name; undefined where the field is hidden, null where it is empty
	 */
	static async read(fields: FieldMap, read: (name: string) => unknown, item: ItemContext): Promise<FormValues> {
		const values: Record<string, unknown> = {};
		const failures = new Map<string, Error>();
		for (const [name, field] of Object.entries(fields)) {
			try {
				const raw = isShown(field, values) ? read(name) : undefined;
				const isHidden = raw === undefined && field.show !== undefined;
				values[name] = isHidden ? undefined : await field.parse(raw ?? undefined, item);
			} catch (error) {
				failures.set(name, inField(name, error));
			}
		}
		return new FormValues(fields, values, failures);
	}

	/** The form itself, if all of it could be parsed. @throws InvalidInput for the first field that could not */
	valid(): this {
		for (const failure of this.failures.values()) throw failure;
		return this;
	}

	/** The form with the values that only the service can complete (`Field.resolve`). @throws InvalidInput, ServiceError */
	async resolved(companies: ReadCompanies): Promise<FormValues> {
		const values = { ...this.values };
		for (const [name, { resolve }] of Object.entries(this.fields)) {
			if (values[name] === undefined || !resolve) continue;
			try {
				values[name] = await resolve(values[name], companies);
			} catch (error) {
				throw inField(name, error);
			}
		}
		return new FormValues(this.fields, values);
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

/** Reads and parses fields on their own. @param read as in `FormValues.read` @throws InvalidInput for the first that is wrong */
export async function valuesOf<F extends FieldMap>(
	fields: F,
	read: (name: string) => unknown,
	item: ItemContext,
): Promise<Values<F>> {
	return (await FormValues.read(fields, read, item)).valid().of(fields);
}

import { z } from 'zod';
import { dateTime } from './envelope';

// A form has only texts: these say what a text must be to count as something else.

/** The one value of a form field; undefined when it was not sent, or sent empty. */
export function single(values: string[] | undefined): string | undefined {
	const value = values?.[0];
	return value === undefined || value === '' ? undefined : value;
}

/** A form's fields, each as one text but for the lists. */
export function fieldsOf(form: Record<string, string[]>, lists: readonly string[]): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(form).map(([name, values]) => [
			name,
			lists.includes(name) ? values.filter((value) => value !== '') : single(values),
		]),
	);
}

/** A whole number written as text. */
export const formInteger = z.string().transform((value, context) => {
	const number = Number(value);
	if (/^[+-]?\d+$/.test(value.trim()) && Math.abs(number) <= 2147483647) return number;
	context.addIssue({
		code: 'custom',
		message: `The value '${value}' is not valid for ${String(context.path.at(-1))}.`,
	});
	return z.NEVER;
});

/** True or false written as text. */
export const formBoolean = z.string().transform((value, context) => {
	const name = value.trim().toLowerCase();
	if (name === 'true' || name === 'false') return name === 'true';
	context.addIssue({
		code: 'custom',
		message: `The value '${value}' is not valid for ${String(context.path.at(-1))}.`,
	});
	return z.NEVER;
});

/** A date-time; in a form it is a text anyway. */
export const formDate = dateTime;

import { isRecord } from '../transport/record';

export { isRecord } from '../transport/record';

/** Whether a value can be converted to text safely; an object's own `toString` may throw. */
export const isScalar = (raw: unknown): raw is string | number | boolean =>
	['string', 'number', 'boolean'].includes(typeof raw);

/**
 * Converts a number that a service may also send as text.
 * @returns NaN for anything else; objects are not converted, because that may throw
 */
export const numberOf = (value: unknown): number => (typeof value === 'object' && value !== null ? NaN : Number(value));

export const isEmpty = (raw: unknown) => raw === undefined || raw === null || raw === '';

/** A value for an error message: at most 40 characters, and never the content of an object. */
export function shown(raw: unknown): string {
	if (isEmpty(raw)) return 'empty';
	if (!isScalar(raw)) return Array.isArray(raw) ? 'a list' : 'an object';
	const text = String(raw);
	return `'${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`;
}

/** The value of a resource locator, or the value itself where an expression gave it without one. */
export const enteredIn = (raw: unknown): unknown => (isRecord(raw) ? raw.value : raw);

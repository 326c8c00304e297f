/** Whether a value can be told as text without a doubt; an object may break on it. */
export const isScalar = (raw: unknown): raw is string | number | boolean =>
	['string', 'number', 'boolean'].includes(typeof raw);

/** A number as a service may send it, also as text; NaN for what is none. An object may break on being made a number. */
export const numberOf = (value: unknown): number => (typeof value === 'object' && value !== null ? NaN : Number(value));

export const isEmpty = (raw: unknown) => raw === undefined || raw === null || raw === '';

/** A value as an error message can show it: short, and never an object's inside. */
export function shown(raw: unknown): string {
	if (isEmpty(raw)) return 'empty';
	if (!isScalar(raw)) return Array.isArray(raw) ? 'a list' : 'an object';
	const text = String(raw);
	return `'${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

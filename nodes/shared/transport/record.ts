/** Whether a value is an object with fields, neither null nor a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A record's identity: the first of the fields that has a text or a number. @returns undefined if none has one */
export function identityOf(record: Record<string, unknown>, names: readonly string[]): string | undefined {
	for (const name of names) {
		const value = record[name];
		if (typeof value === 'string' && value !== '') return value;
		if (typeof value === 'number') return String(value);
	}
	return undefined;
}

/** Writes a value as a TypeScript literal, with bare keys: lint rules know properties by identifier only. */
export function literal(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value)
			.filter(([, member]) => member !== undefined && typeof member !== 'function')
			.map(([key, member]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)}: ${literal(member)},\n`);
		return `{\n${entries.join('')}}`;
	}
	return JSON.stringify(value);
}

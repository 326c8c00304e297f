const isIdentifier = (key: string) => /^[A-Za-z_$][\w$]*$/.test(key);

/**
 * Writes a value as a TypeScript literal. Keys are not quoted where that is possible, because n8n's lint rules don't recognize properties
 * with quoted keys. Functions and undefined values are left out.
 */
export function writeLiteral(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(writeLiteral).join(', ')}]`;
	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value)
			.filter(([, member]) => member !== undefined && typeof member !== 'function')
			.map(([key, member]) => `${isIdentifier(key) ? key : JSON.stringify(key)}: ${writeLiteral(member)},\n`);
		return `{\n${entries.join('')}}`;
	}
	return JSON.stringify(value);
}

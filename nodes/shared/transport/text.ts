/** A number with what it counts, for a message: "1 company", "2 companies". @param one the word for one of it */
export const plural = (count: number | string, one: string): string =>
	`${count} ${String(count) === '1' ? one : pluralOf(one)}`;

/** The word for several: "company" → "companies". */
export const pluralOf = (one: string): string => `${one.replace(/([^aeiou])y$/, '$1ie')}s`;

/** Joins parts for a message: the first ones, 20 unless given, then the number of the others. */
export function listOf(parts: readonly string[], between = ', ', most = 20): string {
	const more = parts.length - most;
	return parts.slice(0, most).join(between) + (more > 0 ? `${between}and ${more} more` : '');
}

/** Replaces secrets in a text by •••; not shorter ones than 4 characters, because harmless words would go as well. */
export const redact = (text: string, secrets: Iterable<string>): string =>
	[...secrets]
		.filter((secret) => secret.trim().length >= 4)
		// The longer one first, where one is the beginning of another.
		.sort((one, other) => other.length - one.length)
		.reduce((clean, secret) => clean.split(secret.trim()).join('•••'), text);

/** Parses JSON without throwing. @returns the value, or the parser's words on why the text is not JSON */
export function tryJson(text: string): { value: unknown } | { reason: string } {
	try {
		return { value: JSON.parse(text) };
	} catch (error) {
		return { reason: error instanceof Error ? error.message : 'it cannot be read' };
	}
}

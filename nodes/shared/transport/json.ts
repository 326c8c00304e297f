/** Parses JSON without throwing. @returns the value, or the parser's words on why the text is not JSON */
export function tryJson(text: string): { value: unknown } | { reason: string } {
	try {
		return { value: JSON.parse(text) };
	} catch (error) {
		return { reason: error instanceof Error ? error.message : 'it cannot be read' };
	}
}

/** Parses JSON where it does not matter why a text is none. @returns undefined for a text that is not JSON */
export function jsonOrUndefined(text: string): unknown {
	const parsed = tryJson(text);
	return 'value' in parsed ? parsed.value : undefined;
}

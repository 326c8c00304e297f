const SHOWN = 20;

/** A list for a message, the first 20 of it. */
export function few(parts: string[], between = ', '): string {
	const more = parts.length - SHOWN;
	return parts.slice(0, SHOWN).join(between) + (more > 0 ? `${between}and ${more} more` : '');
}

const SHOWN = 20;

/** A list for a message: its first 20 entries, and how many more there are. */
export function joinFirst(parts: string[], between = ', '): string {
	const more = parts.length - SHOWN;
	return parts.slice(0, SHOWN).join(between) + (more > 0 ? `${between}and ${more} more` : '');
}

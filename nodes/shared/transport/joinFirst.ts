const MAX_SHOWN = 20;

/** Joins a list for a message: its first 20 entries, then the number of the others. */
export function joinFirst(parts: string[], between = ', '): string {
	const more = parts.length - MAX_SHOWN;
	return parts.slice(0, MAX_SHOWN).join(between) + (more > 0 ? `${between}and ${more} more` : '');
}

const MAX_SHOWN = 20;

/** Joins a list for a message: its first entries, 20 unless given, then the number of the others. */
export function joinFirst(parts: readonly string[], between = ', ', most = MAX_SHOWN): string {
	const more = parts.length - most;
	return parts.slice(0, most).join(between) + (more > 0 ? `${between}and ${more} more` : '');
}

/** Converts a heading to its anchor in the same way as GitHub. */
export const buildSlug = (heading: string): string =>
	heading
		.trim()
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
		.replace(/\s/g, '-');

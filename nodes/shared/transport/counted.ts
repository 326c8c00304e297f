/** A number with what it counts, for a message: "1 company", "2 companies". @param one the word for one of it */
export const counted = (count: number | string, one: string): string =>
	`${count} ${String(count) === '1' ? one : pluralOf(one)}`;

/** The word for several: "company" → "companies". */
export const pluralOf = (one: string): string => `${one.replace(/([^aeiou])y$/, '$1ie')}s`;

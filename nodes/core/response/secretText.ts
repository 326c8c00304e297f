/** This file finds secrets inside texts, such as the old and the new value of a change in an audit log (deployment activity, 9). */

/** The name of a secret ends with one of these words, as in `SECRET` of output.ts. */
const NAME = String.raw`[\w.-]{0,60}?(?:password|secret|token)`;

/**
 * Matches a name and a text in JSON: `"token":"…"`. JSON inside JSON has backslashes before the quotes. The end of the text may be
 * missing.
 */
const IN_JSON = new RegExp(String.raw`((\\{0,7}["'])${NAME}\2\s{0,9}:\s{0,9}\2)([^]*?)(?=(?<!\\)\2|$)`, 'gi');

/** Matches a web address. It is never changed, because people who examine a reported email need it. */
const ADDRESS = String.raw`https?:\/\/[^\s"'<>]+`;
/** Matches a value in quotes, or one that ends at a blank, a semicolon, an ampersand, or a comma before the next name. */
const VALUE = String.raw`"[^"]*|'[^']*|[^\s=;&]+?(?=[\s;&]|,\s{0,3}[\w.-]{1,60}\s{0,3}[=:]|$)`;
/** Matches a web address, or a name and a value with "=" between them: `password=…`. */
const ASSIGNED = new RegExp(String.raw`${ADDRESS}|((?<![\w.-])${NAME}\s{0,3}=\s{0,3})(${VALUE})`, 'gi');

/** Every text with a secret matches both patterns. The first one is faster and rules out most texts, so it is tested first. */
const MAY_ASSIGN = /["'=]/;
const MAY_HAVE = /(?:password|secret|token)(?:\\{0,7}["']\s{0,9}:|\s{0,3}=)/i;

/** Values that only say whether there is a secret. */
const NO_SECRET = /^["']?(true|false|null|undefined|none)?$/i;

/** Returns true if a text may have a secret in it. It is a fast test before `hideSecrets`. */
export const canHaveSecret = (text: string): boolean => MAY_ASSIGN.test(text) && MAY_HAVE.test(text);

/** Replaces the secrets in a text by •••. */
export function hideSecrets(text: string): string {
	const inJson = text.replace(IN_JSON, (whole: string, start: string, _quote: string, value: string) =>
		NO_SECRET.test(value) ? whole : `${start}•••`,
	);
	return inJson.replace(ASSIGNED, (whole: string, name?: string, value?: string) => {
		if (name === undefined || value === undefined || NO_SECRET.test(value)) return whole;
		const [quote = ''] = /^["']/.exec(value) ?? [];
		return `${name}${quote}•••`;
	});
}

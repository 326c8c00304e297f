/** Finds secrets inside texts, such as the old and the new value of a change in an audit log (deployment activity 9). */

/** Matches the name of a secret. It ends with one of these words. `SECRET_NAME` in outputFields.ts lists the same words. */
const SECRET_NAME = String.raw`[\w.-]{0,60}?(?:password|secret|token)`;

/**
 * Matches a name and a text in JSON: `"token":"…"`. JSON inside JSON has backslashes before the quotes. The text may be cut off, so the
 * closing quote is optional.
 */
const JSON_SECRET = new RegExp(
	String.raw`((\\{0,7}["'])${SECRET_NAME}\2\s{0,9}:\s{0,9}\2)([^]*?)(?=(?<!\\)\2|$)`,
	'gi',
);

/** Matches a web address. Addresses are never changed, because people who examine a reported email need them. */
const WEB_ADDRESS = String.raw`https?:\/\/[^\s"'<>]+`;
/** Matches a value in quotes, or a value that ends at a space, a semicolon, an ampersand, or a comma before the next name. */
const ASSIGNED_VALUE = String.raw`"[^"]*|'[^']*|[^\s=;&]+?(?=[\s;&]|,\s{0,3}[\w.-]{1,60}\s{0,3}[=:]|$)`;
/** Matches a web address, or an assignment: `password=…`. */
const ASSIGNED_SECRET = new RegExp(
	String.raw`${WEB_ADDRESS}|((?<![\w.-])${SECRET_NAME}\s{0,3}=\s{0,3})(${ASSIGNED_VALUE})`,
	'gi',
);

/** Every text with a secret matches both patterns. `MAY_ASSIGN` is faster and rules out most texts, so it is tested first. */
const MAY_ASSIGN = /["'=]/;
const MAY_NAME_SECRET = /(?:password|secret|token)(?:\\{0,7}["']\s{0,9}:|\s{0,3}=)/i;

/** Matches values that only say whether there is a secret. */
const PLACEHOLDER = /^["']?(true|false|null|undefined|none)?$/i;

/** Returns true if a text may contain a secret. It is a fast test before `hideSecrets`. */
export const canHaveSecret = (text: string): boolean => MAY_ASSIGN.test(text) && MAY_NAME_SECRET.test(text);

/** Replaces the secrets in a text by •••. */
export function hideSecrets(text: string): string {
	const withoutJsonSecrets = text.replace(JSON_SECRET, (match: string, start: string, _quote: string, value: string) =>
		PLACEHOLDER.test(value) ? match : `${start}•••`,
	);
	return withoutJsonSecrets.replace(ASSIGNED_SECRET, (match: string, name?: string, value?: string) => {
		if (name === undefined || value === undefined || PLACEHOLDER.test(value)) return match;
		const [quote = ''] = /^["']/.exec(value) ?? [];
		return `${name}${quote}•••`;
	});
}

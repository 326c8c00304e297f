/**
 * Removes secrets from the items that the nodes return: the fields that hold secrets, and secrets inside texts, such as the old
 * and new values in an audit log (deployment activity 9).
 */
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../values';

/**
 * Matches the words with which the platform's names of secrets end: password, clientSecret, token, scimToken (contract 2.11,
 * 2.13; deployment shapes, "Roles and API clients"; deployment activity 5, 9).
 */
const SECRET_WORD = '(?:password|secret|token)';
const SECRET_FIELD_NAME = new RegExp(`${SECRET_WORD}$`, 'i');
/** Matches the name of a field with the user name that belongs to a password. */
const USER_NAME = /^user_?name$/i;

type JsonValue = IDataObject[string];

/**
 * Removes secrets at any depth, and the user names that belong to passwords. Secrets inside texts are replaced by •••.
 * @returns the same object if it has no secret, because copying every record takes a tenth of the time that a long list needs
 */
export function removeSecrets(record: IDataObject): IDataObject {
	if (!hasSecret(record)) return record;
	const entries = Object.entries(record);
	const hasPassword = entries.some(([name, value]) => isSecretField(name, value) && /password$/i.test(name));
	const harmlessEntries = entries.filter(
		([name, value]) => !isSecretField(name, value) && !(hasPassword && USER_NAME.test(name)),
	);
	return Object.fromEntries(harmlessEntries.map(([name, value]) => [name, redactValue(value)]));
}

/** Returns true if a value contains a secret, in a field with the name of a secret or inside a text. */
function hasSecret(value: unknown): boolean {
	if (typeof value === 'string') return mayContainSecret(value);
	if (Array.isArray(value)) return value.some(hasSecret);
	if (!isRecord(value)) return false;
	return Object.keys(value).some((name) => isSecretField(name, value[name]) || hasSecret(value[name]));
}

/**
 * Returns true for a field with a secret. A boolean or a number in such a field isn't a secret: it says whether there is one,
 * or how many there are.
 */
const isSecretField = (name: string, value: unknown) =>
	SECRET_FIELD_NAME.test(name) && !['boolean', 'number'].includes(typeof value);

/** Removes the secrets from a value of any type. */
function redactValue(value: JsonValue): JsonValue {
	if (typeof value === 'string') return mayContainSecret(value) ? hideSecrets(value) : value;
	if (Array.isArray(value)) return value.map((entry: JsonValue) => redactValue(entry));
	// The cast is safe, because an object inside an item's json is valid json, too.
	return isRecord(value) ? removeSecrets(value as IDataObject) : value;
}

/** Matches the name of a secret inside a text. */
const SECRET_NAME = String.raw`[\w.-]{0,60}?${SECRET_WORD}`;

/**
 * Matches a name and its value in JSON: `"token":"…"`. JSON inside JSON has backslashes before the quotes. The closing quote is
 * optional, because the platform may have cut off the text.
 */
const JSON_SECRET = new RegExp(
	String.raw`((\\{0,7}["'])${SECRET_NAME}\2\s{0,9}:\s{0,9}\2)([^]*?)(?=(?<!\\)\2|$)`,
	'gi',
);

const URL_PATTERN = String.raw`https?:\/\/[^\s"'<>]+`;
/** Matches a value in quotes, or a value that ends at a space, a semicolon, an ampersand, or a comma before the next name. */
const ASSIGNED_VALUE = String.raw`"[^"]*|'[^']*|[^\s=;&]+?(?=[\s;&]|,\s{0,3}[\w.-]{1,60}\s{0,3}[=:]|$)`;
/**
 * Matches an assignment, such as `password=…`, or a whole URL. URLs are matched so that they can be kept, even with a secret in
 * them: people who examine a reported email need the complete URL.
 */
const ASSIGNED_SECRET_OR_URL = new RegExp(
	String.raw`${URL_PATTERN}|((?<![\w.-])${SECRET_NAME}\s{0,3}=\s{0,3})(${ASSIGNED_VALUE})`,
	'gi',
);

// Every text with a secret matches both patterns. The first one is faster and rules out most texts.
const QUOTE_OR_EQUALS_SIGN = /["'=]/;
const SECRET_NAME_BEFORE_VALUE = new RegExp(String.raw`${SECRET_WORD}(?:\\{0,7}["']\s{0,9}:|\s{0,3}=)`, 'i');

/** Matches a value that isn't a secret, because it says only whether there is one. */
const NON_SECRET_VALUE = /^["']?(true|false|null|undefined|none)?$/i;

/** Returns true if a text may contain a secret. This test is faster than `hideSecrets`. */
const mayContainSecret = (text: string): boolean =>
	QUOTE_OR_EQUALS_SIGN.test(text) && SECRET_NAME_BEFORE_VALUE.test(text);

/** Replaces the secrets in a text by •••. */
function hideSecrets(text: string): string {
	const withoutJsonSecrets = text.replace(
		JSON_SECRET,
		(match: string, nameAndQuote: string, _quote: string, value: string) =>
			NON_SECRET_VALUE.test(value) ? match : `${nameAndQuote}•••`,
	);
	return withoutJsonSecrets.replace(ASSIGNED_SECRET_OR_URL, (match: string, assignment?: string, value?: string) => {
		if (assignment === undefined || value === undefined || NON_SECRET_VALUE.test(value)) return match;
		const [quote = ''] = /^["']/.exec(value) ?? [];
		return `${assignment}${quote}•••`;
	});
}

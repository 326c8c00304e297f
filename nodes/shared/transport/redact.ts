/** A shorter secret is not removed, because harmless words would be removed as well. In characters. */
const MIN_SECRET_LENGTH = 4;

/**
 * The forms in which a secret may appear in a text: as it is, trimmed, as JSON text, and encoded for an address or a
 * form.
 */
function spellingsOf(secret: string): string[] {
	const encoded = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd'));
	const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
	return [secret, secret.trim(), JSON.stringify(secret).slice(1, -1), encoded, inForm, inForm.replaceAll('+', '%20')];
}

/** Replaces secrets of at least 4 characters in a text by •••. */
export function redact(text: string, secrets: Iterable<string>): string {
	return spellings(secrets).reduce((clean, spelling) => clean.split(spelling).join('•••'), text);
}

const spellings = (secrets: Iterable<string>) =>
	[...new Set([...secrets].filter((secret) => secret.trim().length >= MIN_SECRET_LENGTH).flatMap(spellingsOf))].sort(
		(one, other) => other.length - one.length,
	);

/** How many times `maxLength` is read of a text: removing secrets makes it shorter. */
const READ_FACTOR = 25;

/**
 * Removes secrets from a text that the service wrote, and shortens it.
 * @param maxLength how many characters are kept at most, before the … that marks a cut
 */
export function shortened(text: string, secrets: Iterable<string>, maxLength: number): string {
	const all = [...secrets];
	const start = text.slice(0, maxLength * READ_FACTOR);
	const clean = redact(start, all);
	// Where the text is cut, a secret at its end may be incomplete and so not recognised.
	const safe = start === text ? clean : clean.slice(0, -Math.max(1, ...spellings(all).map(({ length }) => length)));
	return safe.length > maxLength || start !== text ? `${safe.slice(0, maxLength)}…` : safe;
}

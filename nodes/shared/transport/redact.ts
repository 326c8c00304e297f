/** A shorter secret would take harmless words out along with it. */
const SHORTEST = 4;

/** How a secret may be repeated: as it is, trimmed, inside quotes, or in an address or a form. */
function spellingsOf(secret: string): string[] {
	const encoded = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd'));
	const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
	return [secret, secret.trim(), JSON.stringify(secret).slice(1, -1), encoded, inForm, inForm.replaceAll('+', '%20')];
}

/** Takes secrets out of a text. */
export function redact(text: string, secrets: Iterable<string>): string {
	return spellings(secrets).reduce((clean, spelling) => clean.split(spelling).join('•••'), text);
}

const spellings = (secrets: Iterable<string>) =>
	[...new Set([...secrets].filter((secret) => secret.trim().length >= SHORTEST).flatMap(spellingsOf))].sort(
		(one, other) => other.length - one.length,
	);

/** How much of a text is looked at to find what is shown of it: secrets that are taken out make it shorter. */
const LOOKED_AT = 25;

/**
 * Takes secrets out of a text that somebody else wrote, and cuts it.
 * @param longest how many characters of it are kept at most
 */
export function shortened(text: string, secrets: Iterable<string>, longest: number): string {
	const all = [...secrets];
	const seen = text.slice(0, longest * LOOKED_AT);
	const clean = redact(seen, all);
	// Where the text goes on, the last secret may have been cut in two before it could be recognised.
	const safe = seen === text ? clean : clean.slice(0, -Math.max(1, ...spellings(all).map(({ length }) => length)));
	return safe.length > longest || seen !== text ? `${safe.slice(0, longest)}…` : safe;
}

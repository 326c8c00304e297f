/** A shorter secret would take harmless words out along with it. */
const SHORTEST = 4;

/** How a secret may be repeated: as it is, trimmed, inside quotes, or in an address or a form. */
function spellingsOf(secret: string): string[] {
	const encoded = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd'));
	const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
	return [secret, secret.trim(), JSON.stringify(secret).slice(1, -1), encoded, inForm, inForm.replaceAll('+', '%20')];
}

/** Takes secrets out of a text. */
export function redact(text: string, secrets: readonly string[]): string {
	return secrets
		.filter((secret) => secret.trim().length >= SHORTEST)
		.flatMap(spellingsOf)
		.sort((one, other) => other.length - one.length)
		.reduce((clean, spelling) => clean.split(spelling).join('•••'), text);
}

import { escapeRegExp, truncate } from 'lodash';

/** The longest part of a name; three of them and a date fit into the 255 bytes of file systems unless letters are rare. */
const MOST_LETTERS = 60;

/** A text as part of a file name that Windows, macOS and Linux accept, with _ for what they refuse. */
export const safeName = (text: string): string =>
	truncate(
		text
			.normalize('NFC')
			.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
			.replace(/[<>:"/\\|?*]+/g, '_')
			.replace(/^[\s.]+|[\s.]+$/g, ''),
		{ length: MOST_LETTERS, omission: '' },
	);

/** A header's text, which Node reads as Latin-1: as UTF-8, if its bytes are that. */
function asUtf8(header: string): string {
	const text = Buffer.from(header, 'latin1').toString('utf8');
	return text.includes('\ufffd') ? header : text;
}

/** A parameter's value without the quotes around it, or a part of it, and without what escapes a quote in them. */
const unquoted = (value: string) =>
	value.replace(/"((?:[^"\\]|\\.)*)"/g, (_all, inner: string) => inner.replace(/\\(["\\])/g, '$1')).trim();

/**
 * Decodes an encoded word of an email header (RFC 2047). Encoding B is base64. In encoding Q, =C3 stands for a byte and _ for a blank.
 */
function decodeWord(word: string, charset: string, encoding: string, text: string): string {
	const bytes =
		encoding.toUpperCase() === 'B'
			? Buffer.from(text, 'base64')
			: Buffer.from(text.replaceAll('_', ' ').replace(/=([\da-f]{2})/gi, decodeByte), 'latin1');
	try {
		return new TextDecoder(charset).decode(bytes);
	} catch {
		// The character set is unknown.
		return word;
	}
}

const decodeByte = (_all: string, digits: string) => String.fromCharCode(parseInt(digits, 16));

/** Decodes a name that is encoded as in an email header (RFC 2047). Some services send it, although RFC 6266 has filename* for that. */
const decodeWords = (value: string) =>
	value.replace(/\?=\s+=\?/g, '?==?').replace(/=\?([\w-]+)\?([bq])\?([^?]*)\?=/gi, decodeWord);

/**
 * The file name in a Content-Disposition header: filename* (percent-encoded UTF-8) before filename (RFC 6266).
 * @returns empty if it has none
 */
export function nameIn(disposition: string): string {
	const parts = asUtf8(disposition).matchAll(/(?:^|;)\s*(filename\*?)\s*=((?:"(?:[^"\\]|\\.)*"|[^;])*)/gi);
	const values = new Map([...parts].map(([, name = '', value = '']) => [name.toLowerCase(), unquoted(value)]));
	const [, encoded] = /^UTF-8'[^']*'(.+)$/i.exec(values.get('filename*') ?? '') ?? [];
	// Other than decodeURIComponent, this never throws.
	if (encoded) return new URLSearchParams(`name=${encoded.replace(/[+&]/g, encodeURIComponent)}`).get('name') ?? '';
	// Some services put single quotes around the name.
	return decodeWords(values.get('filename') ?? '').replace(/^'(.*)'$/, '$1');
}

/** Whether a name has a label in it, as words of their own. */
const hasWords = (name: string, label: string) =>
	new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(label)}(?![\\p{L}\\p{N}])`, 'iu').test(name);

/**
 * The name of an exported file: the service's, or `stem` and the date (UTC); with whose it is and of what.
 * @param given the service's name, empty if it sent none
 * @param extension without a dot; used where the service's name has none
 * @param labels the company, and a thing of it; empty ones, and those that the service's name has, are not added
 */
export function fileNameOf(given: string, stem: string, extension: string, labels: readonly string[] = []): string {
	const [, base = '', ending = extension] = /^(.*?)(?:\.([A-Za-z0-9]{1,8}))?$/s.exec(given) ?? [];
	const name = safeName(base);
	const missing = labels.map(safeName).filter((label) => label !== '' && !hasWords(name, label));
	const parts = [name || stem, ...missing, ...(name ? [] : [new Date().toISOString().slice(0, 10)])];
	return `${parts.join('-')}.${ending}`;
}

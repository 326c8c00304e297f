import { escapeRegExp, truncate } from 'lodash';

/**
 * The maximum number of characters in one part of a file name. File systems allow 255 bytes, which is enough for three parts and a date
 * unless most characters need several bytes.
 */
const MAX_PART_LENGTH = 60;

/** Turns a text into a part of a file name that Windows, macOS and Linux accept. Characters that they reject become "_". */
export const toSafeName = (text: string): string =>
	truncate(
		text
			.normalize('NFC')
			.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
			.replace(/[<>:"/\\|?*]+/g, '_')
			.replace(/^[\s.]+|[\s.]+$/g, ''),
		{ length: MAX_PART_LENGTH, omission: '' },
	);

/** Decodes a header as UTF-8 if its bytes are valid UTF-8. Node reads every header as Latin-1. */
function decodeUtf8(header: string): string {
	const text = Buffer.from(header, 'latin1').toString('utf8');
	return text.includes('\ufffd') ? header : text;
}

/** Removes the quotes around a parameter's value, or around a part of it, and the backslashes of escaped characters. */
const removeQuotes = (value: string) =>
	value.replace(/"((?:[^"\\]|\\.)*)"/g, (_match, quotedText: string) => quotedText.replace(/\\(["\\])/g, '$1')).trim();

/** Decodes an encoded word of an email header (RFC 2047). Encoding B is base64. In encoding Q, =C3 is a byte and _ is a space. */
function decodeEncodedWord(word: string, charset: string, encoding: string, text: string): string {
	const bytes =
		encoding.toUpperCase() === 'B'
			? Buffer.from(text, 'base64')
			: Buffer.from(text.replaceAll('_', ' ').replace(/=([\da-f]{2})/gi, decodeByte), 'latin1');
	try {
		return new TextDecoder(charset).decode(bytes);
	} catch {
		// The character set is unknown, so the word can't be decoded.
		return word;
	}
}

/** Decodes one byte of encoding Q. */
const decodeByte = (_match: string, digits: string) => String.fromCharCode(parseInt(digits, 16));

/**
 * Decodes a name that is encoded as in an email header (RFC 2047). Some servers send such names, although RFC 6266 defines filename*
 * for them.
 */
const decodeEncodedWords = (value: string) =>
	value.replace(/\?=\s+=\?/g, '?==?').replace(/=\?([\w-]+)\?([bq])\?([^?]*)\?=/gi, decodeEncodedWord);

/**
 * Reads the file name in a Content-Disposition header. filename* (percent-encoded UTF-8) takes precedence over filename (RFC 6266).
 * @returns '' if the header has no file name
 */
export function readFileName(disposition: string): string {
	const parts = decodeUtf8(disposition).matchAll(/(?:^|;)\s*(filename\*?)\s*=((?:"(?:[^"\\]|\\.)*"|[^;])*)/gi);
	const values = new Map([...parts].map(([, name = '', value = '']) => [name.toLowerCase(), removeQuotes(value)]));
	const [, encodedName] = /^UTF-8'[^']*'(.+)$/i.exec(values.get('filename*') ?? '') ?? [];
	// Unlike decodeURIComponent, URLSearchParams never throws.
	if (encodedName)
		return new URLSearchParams(`name=${encodedName.replace(/[+&]/g, encodeURIComponent)}`).get('name') ?? '';
	// Some servers put single quotes around the name.
	return decodeEncodedWords(values.get('filename') ?? '').replace(/^'(.*)'$/, '$1');
}

/** Returns true if a name contains a label as one or more whole words. */
const hasLabel = (name: string, label: string) =>
	new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(label)}(?![\\p{L}\\p{N}])`, 'iu').test(name);

/**
 * Builds the name of an exported file from the platform's name and the labels. If the platform sent no name, `fallbackName` and today's
 * date (UTC) are used.
 * @param sentName the name that the platform sent, or an empty text if it sent none
 * @param extension without a dot. It is used if the platform's name has no extension.
 * @param labels the names of the company and of the file's owner. Empty labels and labels that the name already has are skipped.
 */
export function buildFileName(
	sentName: string,
	fallbackName: string,
	extension: string,
	labels: readonly string[] = [],
): string {
	const [, baseName = '', sentExtension = extension] = /^(.*?)(?:\.([A-Za-z0-9]{1,8}))?$/s.exec(sentName) ?? [];
	const name = toSafeName(baseName);
	const missingLabels = labels.map(toSafeName).filter((label) => label !== '' && !hasLabel(name, label));
	const parts = [name || fallbackName, ...missingLabels];
	if (name === '') parts.push(new Date().toISOString().slice(0, 10));
	return `${parts.join('-')}.${sentExtension}`;
}

import type { HttpResponse } from '../transport/service';

/** The value of a header as text; empty if it is missing. */
export const headerOf = (response: HttpResponse, name: string): string => {
	const value = response.headers[name];
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/**
 * The name of a file: the service's, made safe, with the company in it where several companies have a file.
 * @param stem the beginning of the name if the service sends none; then the date (UTC) is added
 * @param extension without a dot; used where the service's name has none
 * @returns a name of at most 255 bytes in UTF-8
 */
export function fileNameOf(response: HttpResponse, stem: string, extension: string, company?: string): string {
	const given = safeName(dispositionName(headerOf(response, 'content-disposition')));
	const [, base = '', ending = ''] = /^(.*?)(?:\.([A-Za-z0-9]{1,8}))?$/s.exec(given) ?? [];
	const isNamed = company !== undefined && fold(base).includes(fold(company));
	const after = [isNamed ? '' : (company ?? ''), base ? '' : new Date().toISOString().slice(0, 10)];
	const end = `${after.map((part) => (part === '' ? '' : `-${part}`)).join('')}.${ending || extension}`;
	const name = cut(base || stem, MAX_NAME_BYTES - Buffer.byteLength(end)) + end;
	return WINDOWS_DEVICE.test(name) ? `_${name}` : name;
}

/** Names of devices on Windows, with any extension. */
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*\./i;

/** A text for comparison: in lower case, and with letters such as ü as one character instead of two. */
export const fold = (text: string) => text.normalize('NFC').toLowerCase();

/** RFC 6266: filename* (percent-encoded UTF-8) before filename. */
function dispositionName(header: string): string {
	const extended = /filename\*\s*=\s*(?:UTF-8|ISO-8859-1)'[^']*'([^;]+)/i.exec(header)?.[1];
	if (extended !== undefined) {
		try {
			return decodeURIComponent(extended.trim());
		} catch {
			// It is not percent-encoded: the plain name is used.
		}
	}
	const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(header);
	return (plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2] ?? '').trim();
}

/** The longest file name that file systems accept, in bytes of UTF-8. */
const MAX_NAME_BYTES = 255;
/** The longest part of a name, in bytes of UTF-8: a company's name, its ID and the beginning of the name fit together. */
const MAX_PART_BYTES = 120;
/** The longest ID in a name; the platform's have 36. */
export const MAX_ID_BYTES = 80;

/** The beginning of a text, at most `bytes` long in UTF-8, without an incomplete character. */
function cut(text: string, bytes: number): string {
	let kept = '';
	for (const letter of text) {
		if (Buffer.byteLength(kept + letter) > bytes) break;
		kept += letter;
	}
	return kept;
}

/**
 * A text as part of a file name that Windows, macOS and Linux accept: without what nobody sees (control characters, text
 * direction marks, halves of characters), and with other characters in place of those that are refused. All letters and
 * digits stay, in their order, unless the text is too long.
 * @param bytes the longest result in UTF-8; an ending such as .csv is kept
 * @returns an empty text if nothing is left
 */
export function safeName(text: string, bytes = MAX_PART_BYTES): string {
	const clean = text
		.normalize('NFC')
		.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
		.replace(/^[./\\\s]+|[./\\\s]+$/g, '')
		.replace(/[/\\]+/g, '-')
		.replace(/[<>:"|?*]/g, '_');
	if (Buffer.byteLength(clean) <= bytes) return clean;
	const ending = /\.[A-Za-z0-9]{1,8}$/.exec(clean)?.[0] ?? '';
	return cut(clean, bytes - ending.length).trimEnd() + ending;
}

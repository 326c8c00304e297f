import { truncate } from 'lodash';

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

/** The file name in a Content-Disposition header: filename* (percent-encoded UTF-8) before filename (RFC 6266). */
function nameIn(disposition: string): string {
	const encoded = /filename\*\s*=\s*UTF-8'[^']*'([^;]+)/i.exec(disposition)?.[1]?.trim();
	// Other than decodeURIComponent, this never throws.
	if (encoded) return new URLSearchParams(`name=${encoded.replace(/[+&]/g, encodeURIComponent)}`).get('name') ?? '';
	const [, quoted, plain] = /filename\s*=\s*(?:"([^"]*)"|([^;]+))/i.exec(disposition) ?? [];
	return quoted ?? plain ?? '';
}

/**
 * The name of an exported file: the service's, or `stem` and the date (UTC); with the company, where several have a file.
 * @param extension without a dot; used where the service's name has none
 */
export function fileNameOf(disposition: string, stem: string, extension: string, company?: string): string {
	const [, base = '', ending = extension] = /^(.*?)(?:\.([A-Za-z0-9]{1,8}))?$/s.exec(nameIn(disposition)) ?? [];
	const name = safeName(base);
	const isNamed = company !== undefined && name.toLowerCase().includes(company.toLowerCase());
	const parts = [name || stem, ...(company === undefined || isNamed ? [] : [company])];
	return `${[...parts, ...(name ? [] : [new Date().toISOString().slice(0, 10)])].join('-')}.${ending}`;
}

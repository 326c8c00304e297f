import type { Answer } from '../transport/service';

/** A header's text, empty where it is missing. */
export const headerOf = (answer: Answer, name: string): string => {
	const value = answer.headers[name];
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/**
 * The service's own name for the file, made harmless; with the company in it where files of several could collide.
 * @param stem what the name begins with where the service gives none
 */
export function fileNameOf(
	answer: Answer,
	stem: string,
	extension: string,
	company?: string,
): string {
	const given = safeName(dispositionName(headerOf(answer, 'content-disposition')));
	const [, base = '', ending = ''] = /^(.*?)(?:\.([A-Za-z0-9]{1,8}))?$/s.exec(given) ?? [];
	const isNamed = company !== undefined && fold(base).includes(fold(company));
	const parts = [base || stem, isNamed ? undefined : company, base ? undefined : new Date().toISOString().slice(0, 10)];
	return `${parts.filter((part) => part !== undefined && part !== '').join('-')}.${ending || extension}`;
}

/** Umlauts may be written in one character or in two. */
export const fold = (text: string) => text.normalize('NFC').toLowerCase();

/** RFC 6266: filename* (percent-encoded UTF-8) before filename. */
function dispositionName(header: string): string {
	const extended = /filename\*\s*=\s*(?:UTF-8|ISO-8859-1)'[^']*'([^;]+)/i.exec(header)?.[1];
	if (extended !== undefined) {
		try {
			return decodeURIComponent(extended.trim());
		} catch {
			// Not percent-encoded after all: the plain name is as good.
		}
	}
	const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(header);
	return (plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2] ?? '').trim();
}

const MAX_NAME_LENGTH = 100;

/** A file name without folders, control and direction characters, or what some file system refuses. */
export function safeName(text: string): string {
	const last = text.split(/[/\\]/).at(-1) ?? '';
	const clean = last
		.normalize('NFC')
		.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, '')
		.replace(/[<>:"|?*]/g, '_')
		.replace(/^[.\s]+|[.\s]+$/g, '');
	if (clean.length <= MAX_NAME_LENGTH) return clean;
	const ending = /\.[A-Za-z0-9]{1,8}$/.exec(clean)?.[0] ?? '';
	return clean.slice(0, MAX_NAME_LENGTH - ending.length) + ending;
}

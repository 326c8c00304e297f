import { InvalidInputError } from '../../core/http/errors';

/** The first four bytes of Excel files in hexadecimal: xlsx is a ZIP archive, xls a compound file. */
const EXCEL_SIGNATURES = ['504b0304', 'd0cf11e0'];

/** Returns true for an Excel file, which only the platform can read. */
export const isExcel = (content: Buffer): boolean => EXCEL_SIGNATURES.includes(content.toString('hex', 0, 4));

/** The maximum number of characters that are read from the header, which is the first line of a file. */
const MAX_HEADER_LENGTH = 10_000;

const UNREADABLE_FILE_ADVICE =
	"Nothing was uploaded. In Excel, save the file as 'CSV UTF-8 (Comma delimited)' or as an Excel workbook, and run the node again.";

/** Returns true for UTF-16 text. It has zero bytes, because every Latin letter, comma and line break is encoded with one. */
const isUtf16 = (content: Buffer) => content.subarray(0, 1000).includes(0);

/** Decodes UTF-8. @returns undefined if the bytes are in another encoding */
function decodeUtf8(content: Buffer): string | undefined {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(content);
	} catch {
		return undefined;
	}
}

/**
 * Rejects a CSV file that the platform would accept but misread: a file that isn't in UTF-8, or a file whose columns are separated by
 * semicolons or tabs, which the platform would read as a single column. Excel files are not checked.
 * @throws InvalidInputError if the text is not in UTF-8, or its columns are not separated by commas
 */
export function checkFileFormat(content: Buffer): void {
	if (isExcel(content)) return;
	if (isUtf16(content))
		throw new InvalidInputError("contains text in UTF-16, which can't be read as CSV", [], UNREADABLE_FILE_ADVICE);
	const text = decodeUtf8(content);
	if (text === undefined)
		throw new InvalidInputError(
			"contains text that isn't in UTF-8, so letters such as ü and é would be changed",
			[],
			UNREADABLE_FILE_ADVICE,
		);
	const firstCharacters = text.trimStart().slice(0, MAX_HEADER_LENGTH);
	const [header = ''] = firstCharacters.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1);
	const otherSeparator = [';', '\t'].find((separator) => header.includes(separator));
	if (otherSeparator !== undefined && !header.includes(','))
		throw new InvalidInputError(
			`has columns separated by ${otherSeparator === ';' ? 'semicolons' : 'tabs'} instead of commas`,
			[],
			UNREADABLE_FILE_ADVICE,
		);
}

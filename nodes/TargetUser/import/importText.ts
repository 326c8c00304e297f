import { InvalidInput } from '../../core/http/errors';

/** How the files of Excel begin: xlsx is a ZIP archive, xls a compound file. */
const EXCEL = ['504b0304', 'd0cf11e0'];

/** Returns true for an Excel file, which only the platform can read. */
export const isExcel = (content: Buffer): boolean => EXCEL.includes(content.toString('hex', 0, 4));

/** Within so many letters the first line must end, to be looked at whole. */
const LONGEST_HEADER = 10_000;

const ADVICE =
	"Nothing was uploaded. In Excel, save it as 'CSV UTF-8 (Comma delimited)' or as an Excel workbook, and run the node again.";

/** The marks at the beginning of UTF-16; without one, every other byte of Latin letters is 0. */
const isUtf16 = (content: Buffer) =>
	['fffe', 'feff'].includes(content.toString('hex', 0, 2)) || content.subarray(0, 1000).includes(0);

/** @returns the text of bytes in UTF-8; undefined if they are in another encoding */
function utf8Of(content: Buffer): string | undefined {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(content);
	} catch {
		return undefined;
	}
}

/**
 * Refuses a file that a platform takes and misreads: letters of another encoding, or one column with everything in it.
 * @throws InvalidInput for text that is not in UTF-8, or whose columns are not separated by commas
 */
export function checkReadable(content: Buffer): void {
	if (isExcel(content)) return;
	if (isUtf16(content)) throw new InvalidInput('holds text in UTF-16, which is not read as CSV', [], ADVICE);
	const text = utf8Of(content);
	if (text === undefined)
		throw new InvalidInput('holds text that is not in UTF-8, so that names with ü or é would be changed', [], ADVICE);
	const beginning = text.trimStart().slice(0, LONGEST_HEADER);
	const [names = ''] = beginning.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1);
	const other = [';', '\t'].find((sign) => names.includes(sign));
	if (other !== undefined && !names.includes(','))
		throw new InvalidInput(
			`has columns separated by ${other === ';' ? 'semicolons' : 'tabs'}, so that all of them would be one column`,
			[],
			ADVICE,
		);
}

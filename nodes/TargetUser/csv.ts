/** One cell and what ends it: in quotation marks, in which a mark is doubled, or up to the next comma or line break (RFC 4180). */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^,\r\n]*))(,|\r\n|\n|\r|$)/gy;

/** Reads the cells of a CSV file with commas, line by line; lines without a text are left out. */
export function parseCsv(text: string): string[][] {
	const lines: string[][] = [];
	let cells: string[] = [];
	for (const [, quoted, plain = '', end] of text.matchAll(CELL)) {
		cells.push(quoted?.replaceAll('""', '"') ?? plain);
		if (end === ',') continue;
		if (cells.some((cell) => cell.trim() !== '')) lines.push(cells);
		cells = [];
	}
	return lines;
}

const quoteCell = (cell: string): string => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Writes cells as a CSV file. */
export const writeCsv = (lines: readonly string[][]): string =>
	lines.map((cells) => `${cells.map(quoteCell).join(',')}\r\n`).join('');

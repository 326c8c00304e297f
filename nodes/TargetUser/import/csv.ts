/** Matches a cell and the comma or line break after it. Inside a quoted cell, quotation marks are doubled (RFC 4180). */
const CELL_PATTERN = /(?:"([^"]*(?:""[^"]*)*)"|([^,\r\n]*))(,|\r\n|\n|\r|$)/gy;

/** Reads the cells of a CSV file whose separator is the comma. @returns the cells of each line; empty lines are left out */
export function parseCsv(text: string): string[][] {
	const lines: string[][] = [];
	let cells: string[] = [];
	for (const [, quotedText, plainText = '', separator] of text.matchAll(CELL_PATTERN)) {
		cells.push(quotedText?.replaceAll('""', '"') ?? plainText);
		if (separator === ',') continue;
		if (cells.some((cell) => cell.trim() !== '')) lines.push(cells);
		cells = [];
	}
	return lines;
}

const quoteCellIfNeeded = (cell: string): string =>
	/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** Writes the cells of each line as CSV, separated by commas. */
export const writeCsv = (lines: readonly string[][]): string =>
	lines.map((cells) => `${cells.map(quoteCellIfNeeded).join(',')}\r\n`).join('');

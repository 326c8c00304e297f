/** Writes Excel's oldest file format (BIFF 2): a sheet of texts. Every program that reads xls files can read it. */

const RECORD_BEGIN_OF_FILE = 0x0009;
const RECORD_END_OF_FILE = 0x000a;
const RECORD_LABEL = 0x0004;
const SHEET_TYPE_WORKSHEET = 0x0010;
/** The maximum size of a text cell in bytes. */
const MAX_CELL_BYTES = 255;

/** Builds one record of the file: its type and length, then its data. */
function buildRecord(type: number, data: Buffer): Buffer {
	const header = Buffer.alloc(4);
	header.writeUInt16LE(type, 0);
	header.writeUInt16LE(data.length, 2);
	return Buffer.concat([header, data]);
}

function buildLabelCell(row: number, column: number, text: string): Buffer {
	const bytes = Buffer.from(text, 'latin1').subarray(0, MAX_CELL_BYTES);
	const header = Buffer.alloc(8);
	header.writeUInt16LE(row, 0);
	header.writeUInt16LE(column, 2);
	// Three bytes of attributes come first, all of them zero.
	header.writeUInt8(bytes.length, 7);
	return buildRecord(RECORD_LABEL, Buffer.concat([header, bytes]));
}

/**
 * Builds an xls file from a table.
 * @param rows the texts by row and column
 */
export function buildXls(rows: readonly string[][]): Buffer {
	const begin = Buffer.alloc(4);
	begin.writeUInt16LE(2, 0);
	begin.writeUInt16LE(SHEET_TYPE_WORKSHEET, 2);
	const cells = rows.flatMap((row, rowIndex) => row.map((text, column) => buildLabelCell(rowIndex, column, text)));
	return Buffer.concat([
		buildRecord(RECORD_BEGIN_OF_FILE, begin),
		...cells,
		buildRecord(RECORD_END_OF_FILE, Buffer.alloc(0)),
	]);
}

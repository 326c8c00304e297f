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
	// The three bytes between column and length are attributes of the cell. All of them stay zero.
	header.writeUInt8(bytes.length, 7);
	return buildRecord(RECORD_LABEL, Buffer.concat([header, bytes]));
}

/**
 * Builds an xls file from a table.
 * @param rows the texts by row and column
 */
export function buildXls(rows: readonly string[][]): Buffer {
	const beginOfFile = Buffer.alloc(4);
	beginOfFile.writeUInt16LE(2, 0);
	beginOfFile.writeUInt16LE(SHEET_TYPE_WORKSHEET, 2);
	const cells = rows.flatMap((row, rowIndex) => row.map((text, column) => buildLabelCell(rowIndex, column, text)));
	return Buffer.concat([
		buildRecord(RECORD_BEGIN_OF_FILE, beginOfFile),
		...cells,
		buildRecord(RECORD_END_OF_FILE, Buffer.alloc(0)),
	]);
}

/** Excel's oldest file format (BIFF 2): a sheet of texts. Every program that reads xls files can read it. */

const BOF = 0x0009;
const EOF = 0x000a;
const LABEL = 0x0004;
const WORKSHEET = 0x0010;
/** A text cell holds no more. */
const LONGEST = 255;

function record(type: number, data: Buffer): Buffer {
	const head = Buffer.alloc(4);
	head.writeUInt16LE(type, 0);
	head.writeUInt16LE(data.length, 2);
	return Buffer.concat([head, data]);
}

function label(row: number, column: number, text: string): Buffer {
	const bytes = Buffer.from(text, 'latin1').subarray(0, LONGEST);
	const head = Buffer.alloc(8);
	head.writeUInt16LE(row, 0);
	head.writeUInt16LE(column, 2);
	// Three bytes of attributes, all of them off.
	head.writeUInt8(bytes.length, 7);
	return record(LABEL, Buffer.concat([head, bytes]));
}

/** A table as an xls file. @param rows texts by row and column */
export function xls(rows: readonly string[][]): Buffer {
	const begin = Buffer.alloc(4);
	begin.writeUInt16LE(2, 0);
	begin.writeUInt16LE(WORKSHEET, 2);
	const cells = rows.flatMap((row, at) => row.map((text, column) => label(at, column, text)));
	return Buffer.concat([record(BOF, begin), ...cells, record(EOF, Buffer.alloc(0))]);
}

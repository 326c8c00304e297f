import writeXlsxFile from 'write-excel-file/node';
import { xls } from './xls';
import { written, type Answer, type Row } from './http';

const CSV = 'text/csv; charset=utf-8';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

function quoted(cell: string): string {
	return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function columns(rows: Row[]): string[] {
	return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** The names of all columns, then the cells of each record, as texts. */
function table(rows: Row[]): string[][] {
	const names = columns(rows);
	return [names, ...rows.map((row) => names.map((name) => written(row[name])))];
}

function csv(rows: Row[]): Buffer {
	return Buffer.from(
		table(rows)
			.map((line) => line.map(quoted).join(',') + '\r\n')
			.join(''),
		'utf8',
	);
}

/** A CSV's cells, quoted ones included. */
export function parseCsv(text: string): string[][] {
	const rows: string[][] = [[]];
	for (const [, quoted, plain = '', end = ''] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
		if (quoted === undefined && plain === '' && end === '') break;
		rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
		if (end === '\r\n') rows.push([]);
	}
	return rows.filter((row) => row.length > 0);
}

async function xlsx(rows: Row[]): Promise<Buffer> {
	const names = columns(rows);
	const cell = (value: unknown) =>
		typeof value === 'number' || typeof value === 'boolean' ? { value } : { value: written(value), type: String };
	const header = names.map((name) => ({ value: name, type: String }));
	return await writeXlsxFile([header, ...rows.map((row) => names.map((name) => cell(row[name])))]).toBuffer();
}

/** Which file is made of records: Excel's present format, or its old one (xls). */
export type FileFormat = 'csv' | 'excel' | 'xls' | 'pdf';

/** The answer that carries records as a file. */
export async function exported(rows: Row[], format: FileFormat, fileName: string, csvType = CSV): Promise<Answer> {
	if (format === 'xls')
		return {
			status: 200,
			file: { fileName: `${fileName}.xls`, mimeType: 'application/vnd.ms-excel', content: xls(table(rows)) },
		};
	if (format === 'pdf') {
		const content = Buffer.from(`%PDF-1.4\n${csv(rows).toString()}%%EOF\n`);
		return { status: 200, file: { fileName: `${fileName}.pdf`, mimeType: 'application/pdf', content } };
	}
	const excel = format === 'excel';
	return {
		status: 200,
		file: {
			fileName: `${fileName}.${excel ? 'xlsx' : 'csv'}`,
			mimeType: excel ? XLSX : csvType,
			content: excel ? await xlsx(rows) : csv(rows),
		},
	};
}

/** Content-Disposition: the plain form where it suffices, RFC 5987's where it does not. */
export function disposition(fileName: string): string {
	const plain = fileName.replace(/[^\x20-\x7e]/g, '_').replace(/["\\]/g, '\\$&');
	if (/^[\x20-\x7e]*$/.test(fileName)) return `attachment; filename="${plain}"`;
	const encoded = encodeURIComponent(fileName).replace(
		/['()*!]/g,
		(sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
	);
	return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const ROWS_AT_ONCE = 1024;

/** A CSV of exactly so many bytes, made piece by piece: the same bytes for the same size. */
export function* endlessCsv(bytes: number): Generator<Buffer> {
	let left = bytes;
	let piece = 'rank,email,points,department\r\n';
	for (let row = 0; left > 0;) {
		const chunk = Buffer.from(piece, 'latin1');
		// The last piece is cut, and ends its line if there is room for that.
		const part =
			chunk.length <= left
				? chunk
				: Buffer.concat([chunk.subarray(0, Math.max(0, left - 2)), Buffer.from('\r\n').subarray(0, Math.min(2, left))]);
		left -= part.length;
		yield part;
		piece = '';
		for (const end = row + ROWS_AT_ONCE; row < end; row++) {
			const number = String(row + 1).padStart(10, '0');
			piece += `${number},user.${number}@big-export.example,${(row * 7919) % 10000},Operations\r\n`;
		}
	}
}

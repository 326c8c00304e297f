import writeXlsxFile from 'write-excel-file/node';
import { buildXls } from './xls';
import { formatValue, type RouteResponse, type JsonObject } from './http';

const CSV_MIME_TYPE = 'text/csv; charset=utf-8';
const XLSX_MIME_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

function quoteCell(cell: string): string {
	return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function listColumns(rows: JsonObject[]): string[] {
	return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** Builds a table of texts: a row of all column names, then one row for each record. */
function buildTable(rows: JsonObject[]): string[][] {
	const names = listColumns(rows);
	return [names, ...rows.map((row) => names.map((name) => formatValue(row[name])))];
}

function buildCsv(rows: JsonObject[]): Buffer {
	return Buffer.from(
		buildTable(rows)
			.map((line) => line.map(quoteCell).join(',') + '\r\n')
			.join(''),
		'utf8',
	);
}

/** Parses a CSV into rows of cells. Quoted cells are supported. */
export function parseCsv(text: string): string[][] {
	const rows: string[][] = [[]];
	const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g;
	for (const [, quotedCell, plainCell = '', delimiter = ''] of text.matchAll(pattern)) {
		if (quotedCell === undefined && plainCell === '' && delimiter === '') break;
		rows.at(-1)?.push(quotedCell?.replaceAll('""', '"') ?? plainCell);
		if (delimiter === '\r\n') rows.push([]);
	}
	return rows.filter((row) => row.length > 0);
}

async function buildXlsx(rows: JsonObject[]): Promise<Buffer> {
	const names = listColumns(rows);
	const buildCell = (value: unknown) =>
		typeof value === 'number' || typeof value === 'boolean' ? { value } : { value: formatValue(value), type: String };
	const header = names.map((name) => ({ value: name, type: String }));
	const cells = rows.map((row) => names.map((name) => buildCell(row[name])));
	return await writeXlsxFile([header, ...cells]).toBuffer();
}

/** The format of an exported file: 'excel' is xlsx, 'xls' is Excel's old format. */
export type FileFormat = 'csv' | 'excel' | 'xls' | 'pdf';

/**
 * Builds the response that contains records as a file.
 * @param csvMimeType the content type of CSV files
 */
export async function exportResponse(
	rows: JsonObject[],
	format: FileFormat,
	fileName: string,
	csvMimeType = CSV_MIME_TYPE,
): Promise<RouteResponse> {
	if (format === 'xls')
		return {
			status: 200,
			file: { fileName: `${fileName}.xls`, mimeType: 'application/vnd.ms-excel', content: buildXls(buildTable(rows)) },
		};
	if (format === 'pdf') {
		const content = Buffer.from(`%PDF-1.4\n${buildCsv(rows).toString()}%%EOF\n`);
		return { status: 200, file: { fileName: `${fileName}.pdf`, mimeType: 'application/pdf', content } };
	}
	const isExcel = format === 'excel';
	return {
		status: 200,
		file: {
			fileName: `${fileName}.${isExcel ? 'xlsx' : 'csv'}`,
			mimeType: isExcel ? XLSX_MIME_TYPE : csvMimeType,
			content: isExcel ? await buildXlsx(rows) : buildCsv(rows),
		},
	};
}

/** Builds a Content-Disposition header. Names outside ASCII are added in the form of RFC 5987. */
export function buildContentDisposition(fileName: string): string {
	const asciiName = fileName.replace(/[^\x20-\x7e]/g, '_').replace(/["\\]/g, '\\$&');
	if (/^[\x20-\x7e]*$/.test(fileName)) return `attachment; filename="${asciiName}"`;
	const encodedName = encodeURIComponent(fileName).replace(
		/['()*!]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);
	return `attachment; filename="${asciiName}"; filename*=UTF-8''${encodedName}`;
}

const ROWS_PER_CHUNK = 1024;

/** Generates a CSV file of exactly `byteCount` bytes in chunks. The same size always gives the same content. */
export function* generateCsv(byteCount: number): Generator<Buffer> {
	let remainingBytes = byteCount;
	let text = 'rank,email,points,department\r\n';
	let row = 0;
	while (remainingBytes > 0) {
		const chunk = Buffer.from(text, 'latin1');
		// The last chunk is shortened to the remaining size. It still ends with a line break if there is room for one.
		const sentChunk =
			chunk.length <= remainingBytes
				? chunk
				: Buffer.concat([
						chunk.subarray(0, Math.max(0, remainingBytes - 2)),
						Buffer.from('\r\n').subarray(0, Math.min(2, remainingBytes)),
					]);
		remainingBytes -= sentChunk.length;
		yield sentChunk;
		text = '';
		for (const endRow = row + ROWS_PER_CHUNK; row < endRow; row++) {
			const rowNumber = String(row + 1).padStart(10, '0');
			text += `${rowNumber},user.${rowNumber}@big-export.example,${(row * 7919) % 10000},Operations\r\n`;
		}
	}
}

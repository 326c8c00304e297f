import type { IDataObject } from 'n8n-workflow';

import { cleanAddress, cleanPhone } from '../shared/form/contact';
import { getContent, type Upload } from '../shared/transport/request';
import { normalized } from '../shared/values';
import { parseCsv, writeCsv } from './csv';
import { createLeftOutItem, findProblem } from './importRows';
import { normalizeColumnName, mappingsOf, type Mapping } from './importFields';
import { isExcel } from './importText';

/** A file that is ready for the upload, and the rows that were left out of it. */
export interface PreparedFile {
	file: Upload;
	/** True if the file has rows to upload. It is also true if only the platform can read the file. */
	hasRows: boolean;
	invalid: IDataObject[];
	inactive: IDataObject[];
}

/** The columns for a person's status in exports of Okta, Google and Entra ID, by their normalized names. */
const STATE_COLUMNS = ['status', 'statusreadonly', 'accountstatus', 'userstatus', 'usertype'];
const STATES = ['deprovisioned', 'disabled', 'deactivated', 'inactive', 'suspended', 'guest'];

/** The columns that say yes or no to whether a person is active, and the words for no. */
const FLAG_COLUMNS = ['accountenabled', 'enabled', 'active', 'isactive'];
const NO = ['false', 'no', '0'];

/** Returns true for a column that shows whether a person is active. */
export const isStatusColumn = (name: string): boolean =>
	[...STATE_COLUMNS, ...FLAG_COLUMNS].includes(normalizeColumnName(name));

/** Returns true if a cell of a status column shows that a person is inactive or a guest. */
function isInactive(name: string, cell: string): boolean {
	const words = FLAG_COLUMNS.includes(normalizeColumnName(name)) ? [...STATES, ...NO] : STATES;
	return isStatusColumn(name) && words.includes(normalized(cell));
}

/** The functions that clean the cells of a field. */
const CLEANERS: Readonly<Record<string, (cell: string) => string>> = {
	email: cleanAddress,
	managerEmail: cleanAddress,
	phoneNumber: cleanPhone,
};

/**
 * Prepares a CSV file for the upload, because the platform would store its rows unchanged. It cleans addresses and phone numbers, and
 * leaves out inactive people and rows with a wrong phone number. An Excel file, or a file without mistakes, is not changed.
 * @param includeInactive true to import inactive people, too
 * @throws InvalidInput if the columns can't be mapped to fields
 */
export function prepareFile(file: Upload, columns: readonly Mapping[], includeInactive: boolean): PreparedFile {
	const prepared: PreparedFile = { file, hasRows: true, invalid: [], inactive: [] };
	const original = getContent(file);
	if (isExcel(original)) return prepared;
	const [names = [], ...lines] = parseCsv(original.toString('utf8').replace(/^\ufeff/, ''));
	if (lines.length === 0) return prepared;
	const places = mappingsOf(columns, names).map(({ excelColumnName, fieldName }) => ({
		fieldName,
		at: names.indexOf(excelColumnName),
	}));
	const cleaners = names.map((_name, column) => CLEANERS[places.find(({ at }) => at === column)?.fieldName ?? '']);
	const kept: string[][] = [];
	for (const line of lines) {
		const cleaned = line.map((cell, column) => cleaners[column]?.(cell) ?? cell);
		const row = Object.fromEntries(places.map(({ fieldName, at }) => [fieldName, cleaned[at] ?? '']));
		const status = includeInactive ? -1 : names.findIndex((name, at) => isInactive(name, line[at] ?? ''));
		const problem = findProblem(row);
		if (status >= 0) prepared.inactive.push(createLeftOutItem(row, `${names[status]}: ${line[status]}`));
		else if (problem !== undefined) prepared.invalid.push(createLeftOutItem(row, problem));
		else kept.push(cleaned);
	}
	const isSame = kept.length === lines.length && kept.every((line, index) => line.join() === lines[index]?.join());
	const content = isSame ? original : Buffer.from(writeCsv([names, ...kept]));
	return { ...prepared, file: { ...file, content }, hasRows: kept.length > 0 };
}

import type { IDataObject } from 'n8n-workflow';

import { cleanAddress, cleanPhone } from '../shared/form/contact';
import { getContent, type Upload } from '../shared/transport/request';
import { normalized } from '../shared/values';
import { parseCsv, writeCsv } from './csv';
import { asLeftOut, findProblem } from './importRows';
import { letters, mappingsOf, type Mapping } from './importFields';
import { isExcel } from './importText';

/** A file as it is uploaded, and the rows of it that are left out before. */
export interface PreparedFile {
	file: Upload;
	/** True if a row is left to be uploaded, or the platform alone can read the file. */
	hasRows: boolean;
	invalid: IDataObject[];
	inactive: IDataObject[];
}

/** Columns in which directories say what state somebody is in, by the letters of their names: those of Okta, Google and Entra ID. */
const STATE_COLUMNS = ['status', 'statusreadonly', 'accountstatus', 'userstatus', 'usertype'];
const STATES = ['deprovisioned', 'disabled', 'deactivated', 'inactive', 'suspended', 'guest'];

/** Columns that say whether somebody is active, and how they say no. */
const FLAG_COLUMNS = ['accountenabled', 'enabled', 'active', 'isactive'];
const NO = ['false', 'no', '0'];

/** Returns true for a column that says whether somebody is active. */
export const isStatusColumn = (name: string): boolean => [...STATE_COLUMNS, ...FLAG_COLUMNS].includes(letters(name));

/** Returns true if a cell says that somebody isn't active, or is a guest. */
function isInactive(name: string, cell: string): boolean {
	const words = FLAG_COLUMNS.includes(letters(name)) ? [...STATES, ...NO] : STATES;
	return isStatusColumn(name) && words.includes(normalized(cell));
}

/** What cleans the cells of a field: addresses and phone numbers are stored without what copying adds to them. */
const CLEAN: Readonly<Record<string, (cell: string) => string>> = {
	email: cleanAddress,
	managerEmail: cleanAddress,
	phoneNumber: cleanPhone,
};

/**
 * Checks the rows of a CSV file before it is uploaded, because the platform takes them as they are: cleans addresses and phone numbers,
 * and leaves out people who aren't active and rows whose phone number is none. A file in which everything is right, and one of Excel,
 * stays as it is.
 * @param includeInactive true if people who aren't active are imported, too
 * @throws InvalidInput for columns that don't fit
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
	const cleaners = names.map((_name, column) => CLEAN[places.find(({ at }) => at === column)?.fieldName ?? '']);
	const kept: string[][] = [];
	for (const line of lines) {
		const cleaned = line.map((cell, column) => cleaners[column]?.(cell) ?? cell);
		const row = Object.fromEntries(places.map(({ fieldName, at }) => [fieldName, cleaned[at] ?? '']));
		const status = includeInactive ? -1 : names.findIndex((name, at) => isInactive(name, line[at] ?? ''));
		const problem = findProblem(row);
		if (status >= 0) prepared.inactive.push(asLeftOut(row, `${names[status]}: ${line[status]}`));
		else if (problem !== undefined) prepared.invalid.push(asLeftOut(row, problem));
		else kept.push(cleaned);
	}
	const isSame = kept.length === lines.length && kept.every((line, index) => line.join() === lines[index]?.join());
	const content = isSame ? original : Buffer.from(writeCsv([names, ...kept]));
	return { ...prepared, file: { ...file, content }, hasRows: kept.length > 0 };
}

import { startCase } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { cleanAddress, cleanPhone } from '../../core/fields/contact';
import { getContent, type Upload } from '../../core/http/request';
import { normalized } from '../../core/values';
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

const STATES = ['deprovisioned', 'disabled', 'deactivated', 'inactive', 'suspended', 'guest'];
const NO = ['false', 'no', '0'];
const YES = ['true', 'yes', '1'];

/**
 * Columns in which directories such as Okta, Google and Entra ID say whether somebody is active: the last words of their names, and
 * how their cells begin for somebody who isn't active, or is a guest.
 */
const STATUS_COLUMNS: ReadonlyArray<{ names: readonly string[]; words: readonly string[] }> = [
	{ names: ['status', 'status read only', 'user type'], words: STATES },
	{ names: ['enabled', 'active'], words: [...STATES, ...NO] },
	{ names: STATES, words: [...STATES, ...YES] },
];

/** The words before it in names that are written as one word, such as accountstatus. */
const JOINED = ['', 'account', 'user', 'is'];

/** Columns that end so, too, but are about something else that a person has. */
const OTHER_THINGS = /\b(mfa|2 ?fa|2 ?sv|factor|sync|licen[cs]e|mailbox|e ?mail|password|device|archive|forwarding)\b/;

/** Returns how a column's cells begin for people who aren't active; undefined if the column doesn't say whether somebody is. */
function findInactiveWords(column: string): readonly string[] | undefined {
	const name = normalized(startCase(column));
	if (OTHER_THINGS.test(name)) return undefined;
	const isNamed = (known: string) =>
		` ${name}`.endsWith(` ${known}`) ||
		JOINED.some((first) => normalizeColumnName(name) === normalizeColumnName(first + known));
	return STATUS_COLUMNS.find(({ names }) => names.some(isNamed))?.words;
}

/** Returns true for a column that says whether somebody is active. */
export const isStatusColumn = (name: string): boolean => findInactiveWords(name) !== undefined;

/** Returns true if a cell says that somebody isn't active, or is a guest: "Inactive (on leave)", "Guest User". */
function isInactive(name: string, cell: string): boolean {
	const text = normalized(cell);
	const [word = text] = /^\p{L}+/u.exec(text) ?? [];
	return findInactiveWords(name)?.includes(word) ?? false;
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

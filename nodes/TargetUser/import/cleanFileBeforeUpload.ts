import { startCase } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { cleanEmailAddress, cleanPhoneNumber } from '../../core/fields/contact';
import { getFileContent, type FileUpload } from '../../core/http/request';
import { normalizeText } from '../../core/values';
import { parseCsv, writeCsv } from './csv';
import { mapColumns, normalizeColumnName, type ColumnMapping } from './importFields';
import { createLeftOutItem, findRowProblem } from './leftOutRows';
import { isExcel } from './fileFormat';

/** A file that is ready for the upload, and output items for the rows that were removed from it. */
export interface CleanedFile {
	file: FileUpload;
	/** True if the file has rows to upload. Also true if only the platform can read the file, because its rows are not known then. */
	hasRowsToUpload: boolean;
	/** The output items for the rows with mistakes. */
	invalidItems: IDataObject[];
	/** The output items for the rows of people who aren't active. */
	inactiveItems: IDataObject[];
}

const INACTIVE_STATES = ['deprovisioned', 'disabled', 'deactivated', 'inactive', 'suspended', 'guest'];
const WORDS_FOR_NO = ['false', 'no', '0'];
const WORDS_FOR_YES = ['true', 'yes', '1'];

/** A kind of column that states if a person is active: how to recognize such a column, and the inactive people in it. */
interface StatusColumnKind {
	/** The words with which the name of such a column may end. */
	nameEndings: readonly string[];
	/** The words with which a cell may begin if the person isn't active, or is a guest. */
	inactiveWords: readonly string[];
}

/** The kinds of status columns in files from directories such as Okta, Google and Entra ID. */
const STATUS_COLUMN_KINDS: readonly StatusColumnKind[] = [
	{ nameEndings: ['status', 'status read only', 'user type'], inactiveWords: INACTIVE_STATES },
	{ nameEndings: ['enabled', 'active'], inactiveWords: [...INACTIVE_STATES, ...WORDS_FOR_NO] },
	{ nameEndings: INACTIVE_STATES, inactiveWords: [...INACTIVE_STATES, ...WORDS_FOR_YES] },
];

/** The words that may precede the status in a column name without a space, such as "account" in "accountstatus". */
const STATUS_PREFIXES = ['', 'account', 'user', 'is'];

/** Matches the names of columns with the status of something other than the person, such as "mailbox status". */
const OTHER_STATUS_PATTERN =
	/\b(mfa|2 ?fa|2 ?sv|factor|sync|licen[cs]e|mailbox|e ?mail|password|device|archive|forwarding)\b/;

/**
 * Finds the words with which a cell of the column begins if the person isn't active.
 * @returns undefined if the column isn't a status column
 */
function findInactiveWords(columnName: string): readonly string[] | undefined {
	const name = normalizeText(startCase(columnName));
	if (OTHER_STATUS_PATTERN.test(name)) return undefined;
	const isNamedAfter = (statusName: string) =>
		` ${name}`.endsWith(` ${statusName}`) ||
		STATUS_PREFIXES.some((prefix) => normalizeColumnName(name) === normalizeColumnName(prefix + statusName));
	return STATUS_COLUMN_KINDS.find(({ nameEndings }) => nameEndings.some(isNamedAfter))?.inactiveWords;
}

/** Returns true for a column that states if a person is active. */
export const isStatusColumn = (columnName: string): boolean => findInactiveWords(columnName) !== undefined;

/** Returns true if a cell states that the person isn't active, or is a guest: "Inactive (on leave)", "Guest User". */
function isInactiveCell(columnName: string, cell: string): boolean {
	const text = normalizeText(cell);
	const [firstWord = text] = /^\p{L}+/u.exec(text) ?? [];
	return findInactiveWords(columnName)?.includes(firstWord) ?? false;
}

/** The functions that clean a cell, by the field of a person that the column holds. */
const CELL_CLEANER_BY_FIELD: Readonly<Record<string, (cell: string) => string>> = {
	email: cleanEmailAddress,
	managerEmail: cleanEmailAddress,
	phoneNumber: cleanPhoneNumber,
};

/**
 * Cleans a CSV file before the upload: corrects email addresses and phone numbers, and removes the rows of inactive people and the rows
 * with mistakes. The platform itself would import all rows unchanged. An Excel file, or a file without mistakes, is not changed.
 * @param enteredMappings the mappings of columns from the form
 * @param includeInactive true to import inactive people, too
 * @throws InvalidInputError if the columns can't be mapped to fields
 */
export function cleanFileBeforeUpload(
	file: FileUpload,
	enteredMappings: readonly ColumnMapping[],
	includeInactive: boolean,
): CleanedFile {
	const cleanedFile: CleanedFile = { file, hasRowsToUpload: true, invalidItems: [], inactiveItems: [] };
	const originalContent = getFileContent(file);
	if (isExcel(originalContent)) return cleanedFile;
	const textWithoutByteOrderMark = originalContent.toString('utf8').replace(/^\ufeff/, '');
	const [columnNames = [], ...lines] = parseCsv(textWithoutByteOrderMark);
	if (lines.length === 0) return cleanedFile;
	const columns = mapColumns(enteredMappings, columnNames).map(({ excelColumnName, fieldName }) => ({
		fieldName,
		index: columnNames.indexOf(excelColumnName),
	}));
	const cleaners = columnNames.map((_columnName, columnIndex) => {
		const column = columns.find(({ index }) => index === columnIndex);
		return CELL_CLEANER_BY_FIELD[column?.fieldName ?? ''];
	});
	const keptLines: string[][] = [];
	for (const line of lines) {
		const cleanedLine = line.map((cell, columnIndex) => cleaners[columnIndex]?.(cell) ?? cell);
		const row = Object.fromEntries(columns.map(({ fieldName, index }) => [fieldName, cleanedLine[index] ?? '']));
		const statusIndex = includeInactive
			? -1
			: columnNames.findIndex((columnName, columnIndex) => isInactiveCell(columnName, line[columnIndex] ?? ''));
		const problem = findRowProblem(row);
		if (statusIndex >= 0) {
			const reason = `${columnNames[statusIndex]}: ${line[statusIndex]}`;
			cleanedFile.inactiveItems.push(createLeftOutItem(row, reason));
		} else if (problem !== undefined) {
			cleanedFile.invalidItems.push(createLeftOutItem(row, problem));
		} else {
			keptLines.push(cleanedLine);
		}
	}
	const isUnchanged =
		keptLines.length === lines.length && keptLines.every((line, index) => line.join() === lines[index]?.join());
	const content = isUnchanged ? originalContent : Buffer.from(writeCsv([columnNames, ...keptLines]));
	return { ...cleanedFile, file: { ...file, content }, hasRowsToUpload: keptLines.length > 0 };
}

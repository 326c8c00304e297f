import { groupBy, startCase } from 'lodash';

import { rowsField } from '../../core/fields/collection';
import { rejectEmptyExpression, showWhen, type Field } from '../../core/fields/field';
import { choiceField, fileField, textField, toggleField, wholeNumberField } from '../../core/fields/fieldTypes';
import { InvalidInputError } from '../../core/http/errors';
import { createOptionsBlock } from '../../core/operation/operationFields';
import { findByName, formatList, normalizeText } from '../../core/values';
import { resourceMultiPicker } from '../../domain/pickers/resourcePickers';
import { REQUIRED_PERSON_FIELDS } from '../targetUserFields';
import { checkFileFormat } from './fileFormat';

/** A column of the file, and the field of a person that it holds (deployment beyond, "People"). */
export interface ColumnMapping {
	excelColumnName: string;
	fieldName: string;
}

/** The fields of a person that a column of the file can be mapped to without entering a field name (deployment beyond, "People"). */
const IMPORTED_FIELD_NAMES = [
	'department',
	'email',
	'firstName',
	'lastName',
	'managerEmail',
	'managerFirstName',
	'managerLastName',
	'phoneNumber',
	'preferredLanguageId',
	'priority',
	'timeZoneId',
] as const;

/** The value of the option 'Other Field', for a field of a person that isn't in the list of options. */
const OTHER_FIELD_OPTION = 'other';

/** The default number of seconds to wait until the platform has checked all rows. */
export const DEFAULT_IMPORT_TIMEOUT_SECONDS = 300;

const formatFieldLabel = (fieldName: string) => startCase(fieldName).replace(/ Id$/, ' ID');

const formatQuotedList = (names: readonly string[]) => formatList(names.map((name) => `'${name}'`));

/**
 * Checks that no field of a person has several columns, and that every required field has one.
 * @param path the path to the form field that the error names
 * @returns the unchanged mappings
 * @throws InvalidInputError
 */
function checkMappings(mappings: ColumnMapping[], path: string[] = [], advice?: string): ColumnMapping[] {
	for (const [fieldName, mappingsOfField] of Object.entries(groupBy(mappings, 'fieldName'))) {
		if (mappingsOfField.length === 1) continue;
		const columnNames = mappingsOfField.map(({ excelColumnName }) => excelColumnName);
		throw new InvalidInputError(
			`must have one column for ${formatFieldLabel(fieldName)}, but has ${formatQuotedList(columnNames)}`,
			path,
			advice,
		);
	}
	const missingFields = REQUIRED_PERSON_FIELDS.filter((name) => !mappings.some(({ fieldName }) => fieldName === name));
	if (missingFields.length === 0) return mappings;
	const labels = missingFields.map(formatFieldLabel).join(' and for ');
	throw new InvalidInputError(`must have a column for ${labels}`, path, advice);
}

const uncheckedColumnsField = rowsField({
	displayName: 'Columns',
	description:
		"What each column of the file contains. You don't need to add columns with names such as Email, First Name and Phone Number.",
	buttonText: 'Add Column',
	rowLabel: 'Column',
	fields: {
		column: textField({
			displayName: 'Column',
			description: "The column's heading in the first row of the file, such as Mobile",
			placeholder: 'e.g. Mobile',
			required: true,
		}),
		field: choiceField({
			displayName: 'Field',
			description: 'What the column contains, such as the phone number',
			default: 'email',
			options: [...IMPORTED_FIELD_NAMES, OTHER_FIELD_OPTION]
				.map((value) => ({ name: value === OTHER_FIELD_OPTION ? 'Other Field' : formatFieldLabel(value), value }))
				.sort((left, right) => left.name.localeCompare(right.name)),
		}),
		fieldName: showWhen(
			{ field: [OTHER_FIELD_OPTION] },
			textField({
				displayName: 'Field Name',
				description: "The name of the field in the platform's API, such as managerEmail",
				placeholder: 'e.g. managerEmail',
				min: 1,
			}),
		),
	},
});

/** The form field for the columns. It rejects wrong mappings before the file is uploaded. */
const columnsField: Field<ColumnMapping[]> = {
	...uncheckedColumnsField,
	parse: async (raw, item) => {
		const rows = await uncheckedColumnsField.parse(raw, item);
		const mappings = rows.map(({ column, field, fieldName = field }) => ({
			excelColumnName: column.trim(),
			fieldName: fieldName.trim(),
		}));
		return mappings.length === 0 ? [] : checkMappings(mappings);
	},
};

const uncheckedFileField = fileField({
	displayName: 'Input Data Field Name',
	hint: 'The name of the input binary field with the Excel or CSV file. A CSV file must use commas and UTF-8. Every person in the file needs an email address and a phone number.',
	default: 'data',
	required: true,
});

/** The form field for the file. Before the upload, it rejects a file that the platform would misread. */
const importedFileField: typeof uncheckedFileField = {
	...uncheckedFileField,
	parse: async (raw, item) => {
		const file = await uncheckedFileField.parse(raw, item);
		if (file?.content) checkFileFormat(file.content);
		return file;
	},
};

/** The form fields of an import. */
export const importFields = {
	file: importedFileField,
	targetGroups: rejectEmptyExpression(
		resourceMultiPicker('targetGroups', {
			displayName: 'Target Group Names or IDs',
			description: 'The target groups to add the imported people to',
		}),
	),
	columns: columnsField,
	...createOptionsBlock({
		includeInactive: toggleField({
			displayName: 'Include Inactive People',
			description: 'Whether to also import people with a status such as inactive, disabled or guest',
			hint: 'If turned off, these people are skipped and counted in skippedUserCount',
			default: false,
		}),
		importTimeout: wholeNumberField({
			displayName: 'Import Timeout',
			description: 'How many seconds to wait for the platform to check all rows, such as 300',
			default: DEFAULT_IMPORT_TIMEOUT_SECONDS,
			min: 1,
			max: 3600,
		}),
	}),
};

/** Reduces a column's name to lowercase letters and digits, for a comparison. A name without letters and digits keeps its characters. */
export const normalizeColumnName = (name: string) =>
	normalizeText(name).replace(/[^\p{L}\p{N}]/gu, '') || normalizeText(name);

/**
 * Maps each column that is named like a field of a person. Case, accents, spaces and punctuation are ignored. Other columns are left out.
 */
function mapColumnsByName(columnNames: readonly string[]): ColumnMapping[] {
	return columnNames.flatMap((excelColumnName) => {
		const fieldName = IMPORTED_FIELD_NAMES.find(
			(name) => normalizeColumnName(name) === normalizeColumnName(excelColumnName),
		);
		return fieldName === undefined ? [] : [{ excelColumnName, fieldName }];
	});
}

/**
 * Maps the columns of a file to the fields of a person: by the mappings from the form, or by the names of the columns if the form has no
 * mappings. Case, accents, spaces and punctuation are ignored, unless a column has exactly the entered name.
 * @param enteredMappings the mappings from the form
 * @param columnNames the names of the file's columns; empty if the platform doesn't return them
 * @throws InvalidInputError if the file lacks an entered column, an entered name fits several columns, or a required field has no column
 */
export function mapColumns(enteredMappings: readonly ColumnMapping[], columnNames: readonly string[]): ColumnMapping[] {
	const columnList = formatQuotedList(columnNames);
	const foundColumns =
		columnList === '' ? "The names of the file's columns are not known." : `The file has the columns ${columnList}.`;
	const advice = `Nothing was imported. ${foundColumns} Under 'Columns', add an entry for each column that you need.`;
	if (enteredMappings.length === 0) return checkMappings(mapColumnsByName(columnNames), ['columns'], advice);
	if (columnNames.length === 0) return [...enteredMappings];
	const mappingsWithMatches = enteredMappings.map((mapping) => ({
		...mapping,
		matches: findByName(columnNames, mapping.excelColumnName, (name) => name, normalizeColumnName),
	}));
	const missingNames = mappingsWithMatches
		.filter(({ matches }) => matches.length === 0)
		.map((mapping) => mapping.excelColumnName);
	if (missingNames.length > 0)
		throw new InvalidInputError(
			`names ${formatQuotedList(missingNames)}, which the file does not have`,
			['columns'],
			advice,
		);
	const ambiguousMapping = mappingsWithMatches.find(({ matches }) => matches.length > 1);
	if (ambiguousMapping)
		throw new InvalidInputError(
			`names '${ambiguousMapping.excelColumnName}', which matches several columns: ${formatQuotedList(ambiguousMapping.matches)}`,
			['columns'],
			`${advice} Enter the name exactly as in the file.`,
		);
	return mappingsWithMatches.map(({ fieldName, matches: [excelColumnName = ''] }) => ({ excelColumnName, fieldName }));
}

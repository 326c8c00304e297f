import { groupBy, startCase } from 'lodash';

import { rows } from '../../core/fields/collection';
import { mustHaveValue, showWhen, type Field } from '../../core/fields/field';
import { binaryInput, choice, text, toggle, wholeNumber } from '../../core/fields/fieldTypes';
import { optionsOf } from '../../core/operation/operationFields';
import { multiPickerOf } from '../../domain/pickers/resourcePickers';
import { InvalidInput } from '../../core/http/errors';
import { REQUIRED } from '../targetUserFields';
import { checkReadable } from './importText';
import { havingName, listOf, normalized } from '../../core/values';

/** A column of the file, and the field of a person that it has (deployment beyond: create-mapping). */
export interface Mapping {
	excelColumnName: string;
	fieldName: string;
}

/** The texts of a person's record (deployment beyond). */
const FIELD_NAMES = [
	...(['department', 'email', 'firstName', 'lastName'] as const),
	...(['managerEmail', 'managerFirstName', 'managerLastName'] as const),
	...(['phoneNumber', 'preferredLanguageId', 'priority', 'timeZoneId'] as const),
];
const OTHER = 'other';

/** How many seconds to wait for the platform's check of all rows, unless a person says otherwise. */
export const IMPORT_TIMEOUT = 300;

const columnLabel = (fieldName: string) => startCase(fieldName).replace(/ Id$/, ' ID');
const quoted = (names: readonly string[]) => listOf(names.map((name) => `'${name}'`));

/** @throws InvalidInput for two columns of one field, or none of a required one */
function checked(mappings: Mapping[], path: string[] = [], advice?: string): Mapping[] {
	for (const [fieldName, same] of Object.entries(groupBy(mappings, 'fieldName')))
		if (same.length > 1) {
			const names = same.map(({ excelColumnName }) => excelColumnName);
			throw new InvalidInput(
				`must have one column for ${columnLabel(fieldName)}, but has ${quoted(names)}`,
				path,
				advice,
			);
		}
	const missing = REQUIRED.filter((name) => !mappings.some(({ fieldName }) => fieldName === name));
	if (missing.length === 0) return mappings;
	throw new InvalidInput(`must have a column for ${missing.map(columnLabel).join(' and for ')}`, path, advice);
}

const typedColumns = rows({
	displayName: 'Columns',
	description:
		'Which column of the file has what. Without any, the columns are found by their names, such as Email, First Name or Phone Number. Nobody is added without an email address and a phone number.',
	button: 'Add Column',
	row: 'Column',
	fields: {
		column: text({
			displayName: 'Column',
			description: 'Its name in the first row of the file',
			placeholder: 'e.g. Mobile',
			required: true,
		}),
		field: choice({
			displayName: 'Field',
			description: 'What the column has of a person',
			default: 'email',
			options: [...FIELD_NAMES, OTHER]
				.map((value) => ({ name: value === OTHER ? 'Other Field' : columnLabel(value), value }))
				.sort((one, other) => one.name.localeCompare(other.name)),
		}),
		fieldName: showWhen(
			{ field: [OTHER] },
			text({ displayName: 'Field Name', description: "The service's name of the field", min: 1 }),
		),
	},
});

/** The columns that a person has entered; a mistake is found before the file is uploaded. */
const columns: Field<Mapping[]> = {
	...typedColumns,
	parse: async (raw, item) => {
		const entered = await typedColumns.parse(raw, item);
		const mappings = entered.map(({ column, field, fieldName = field }) => ({
			excelColumnName: column.trim(),
			fieldName: fieldName.trim(),
		}));
		return mappings.length === 0 ? [] : checked(mappings);
	},
};

const anyFile = binaryInput({
	displayName: 'Input Data Field Name',
	hint: 'The field of the input item that holds the file: CSV with commas, in UTF-8, or Excel. Everybody in it needs an email address and a phone number.',
	default: 'data',
	required: true,
});

/** The file; one that the platform would misread is found before it is uploaded. */
const file: typeof anyFile = {
	...anyFile,
	parse: async (raw, item) => {
		const given = await anyFile.parse(raw, item);
		if (given?.content) checkReadable(given.content);
		return given;
	},
};

/** The fields of an import. */
export const importFields = {
	file,
	targetGroups: mustHaveValue(multiPickerOf('targetGroups', { displayName: 'Target Group Names or IDs' })),
	columns,
	...optionsOf({
		includeInactive: toggle({
			displayName: 'Include Inactive People',
			description: 'Whether to also import people with a status such as inactive, disabled or guest',
			default: false,
		}),
		importTimeout: wholeNumber({
			displayName: 'Import Timeout',
			description: 'Seconds to wait until the platform has checked all rows',
			default: IMPORT_TIMEOUT,
			min: 1,
			max: 3600,
		}),
	}),
};

/** Reduces a column's name to its letters and digits, for comparison. A name that has neither is kept. */
export const normalizeColumnName = (name: string) =>
	normalized(name).replace(/[^\p{L}\p{N}]/gu, '') || normalized(name);

/**
 * Which column has which field: as a person entered it, or by the columns' names; either way but for capital normalizeColumnName, accents,
 * spaces and signs, unless a column has exactly that name.
 * @param names the columns of the file, as the platform names them; none where it does not
 * @throws InvalidInput for a column that the file does not have, or has several of, or a required field without a column
 */
export function mappingsOf(entered: readonly Mapping[], names: readonly string[]): Mapping[] {
	const advice = `Nothing was imported. The columns of the file are ${quoted(names) || 'not known'}. Under 'Columns', add one entry for each that you need.`;
	if (entered.length === 0) {
		const found = names.flatMap((excelColumnName) => {
			const fieldName = FIELD_NAMES.find((each) => normalizeColumnName(each) === normalizeColumnName(excelColumnName));
			return fieldName === undefined ? [] : [{ excelColumnName, fieldName }];
		});
		return checked(found, ['columns'], advice);
	}
	if (names.length === 0) return [...entered];
	const found = entered.map((each) => ({
		...each,
		columns: havingName(names, each.excelColumnName, (name) => name, normalizeColumnName),
	}));
	const missing = found.filter(({ columns }) => columns.length === 0);
	if (missing.length > 0)
		throw new InvalidInput(
			`names ${quoted(missing.map(({ excelColumnName }) => excelColumnName))}, which the file does not have`,
			['columns'],
			advice,
		);
	const several = found.find(({ columns }) => columns.length > 1);
	if (several)
		throw new InvalidInput(
			`names '${several.excelColumnName}', which may be ${quoted(several.columns)}`,
			['columns'],
			`${advice} Write its name exactly as in the file.`,
		);
	return found.map(({ fieldName, columns: [excelColumnName = ''] }) => ({ excelColumnName, fieldName }));
}

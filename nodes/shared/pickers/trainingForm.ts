import { z } from 'zod';

import type { Label } from '../form/label';
import { wholeNumber } from '../form/number';
import { enteredIn, isRecord } from '../form/value';
import type { Field } from '../form/field';
import { firstAvailable, readOptionalOperation, wholeList, type Source } from './sources';
import { codedValues, type CodedValue } from './codedValue';
import { parseTyped, picker } from './picker';

const DETAILS = {
	contract: 'GET /api/training-reports/form-details',
	shape: z.record(z.unknown()),
	scoped: true,
} as const;

/**
 * The list of one kind of values in the form details of the reports (deployment shapes: a map of lists). Only lists whose
 * name matches are used, because values of other lists would be wrong.
 * @param word what the name of the list must contain, in lower case and without other characters than letters
 */
const detailsOf = (word: string, idOf: (value: CodedValue) => string): Source =>
	wholeList(async (filled) => {
		const lists = Object.entries((await readOptionalOperation(filled, DETAILS)) ?? {}).filter(([name]) =>
			name
				.toLowerCase()
				.replace(/[^a-z]/g, '')
				.includes(word),
		);
		const values = lists.flatMap(([, list]) => codedValues('', z.array(z.unknown()).catch([]).parse(list)));
		return values.map((value) => ({ id: idOf(value), name: value.label }));
	});

const noListText = (plural: string) => `This platform does not list its ${plural}: choose 'By ID' and enter it`;
const idByWord = ({ word, number }: CodedValue) => word ?? String(number);

/** A field for a filter of some reports, sent as the service's word for the value. */
const textPicker = (
	label: Label & { method: string; thing: string; example: string },
	word: string,
	plural: string,
): Field<string | undefined> => ({
	...picker({ ...label, required: false, search: firstAvailable([detailsOf(word, idByWord)], noListText(plural)) }),
	parse: (raw) => parseTyped(raw),
});

/** The field that chooses an exam status, such as passed or failed. */
export const examStatusPicker = (label: Label) =>
	textPicker(
		{ ...label, method: 'searchExamStatuses', thing: 'exam status', example: 'Failed' },
		'examstatus',
		'exam statuses',
	);

/** The field that chooses a type of training by the service's word for it. */
export const trainingTypePicker = (label: Label) =>
	textPicker(
		{ ...label, method: 'searchTrainingTypes', thing: 'training type', example: 'Survey' },
		'trainingtype',
		'training types',
	);

/** The field that chooses a type of training by its number; 0 is a survey (deployment behaviour, "Training reports"). */
export function trainingTypeNumberPicker(label: Label): Field<number | undefined> {
	const number = wholeNumber({ ...label, default: 0, min: 0 });
	const field = picker({
		...label,
		method: 'searchTrainingTypeNumbers',
		thing: 'training type',
		example: '0',
		default: '0',
		required: false,
		search: firstAvailable([detailsOf('trainingtype', (value) => String(value.number))], noListText('training types')),
	});
	return {
		...field,
		parse: (raw, item) => {
			const value = enteredIn(raw);
			// An empty picker means no choice; it is not an invalid number.
			return isRecord(raw) && (value === '' || value === undefined) ? undefined : number.parse(value, item);
		},
	};
}

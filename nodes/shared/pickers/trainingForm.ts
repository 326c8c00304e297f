import { z } from 'zod';

import type { Label } from '../form/label';
import { wholeNumber } from '../form/number';
import { isRecord } from '../form/value';
import type { Field } from '../form/field';
import { firstAvailable, readHelper, whole, type Source } from './sources';
import { codedValues, type Coded } from './codedValue';
import { parseTyped, picker } from './picker';

const DETAILS = {
	contract: 'GET /api/training-reports/form-details',
	shape: z.record(z.unknown()),
	scoped: true,
} as const;

/**
 * The values of one kind out of the reports' form details (deployment shapes: a map of lists). Where no list is called so
 * there are none: those of other lists would be sent as what they are not.
 * @param word by which the kind's name is told, whatever the platform makes of it
 */
const detailsOf = (word: string, idOf: (value: Coded) => string): Source =>
	whole(async (filled) => {
		const lists = Object.entries((await readHelper(filled, DETAILS)) ?? {}).filter(([name]) =>
			name
				.toLowerCase()
				.replace(/[^a-z]/g, '')
				.includes(word),
		);
		const values = lists.flatMap(([, list]) => codedValues('', z.array(z.unknown()).catch([]).parse(list)));
		return values.map((value) => ({ id: idOf(value), name: value.label }));
	});

const otherwise = (plural: string) => `This platform does not list its ${plural}: choose 'By ID' and enter it`;
const byWord = ({ word, number }: Coded) => word ?? String(number);

/** A field that some reports are narrowed by, as the text that the service knows it by. */
const worded = (
	label: Label & { method: string; thing: string; example: string },
	word: string,
	plural: string,
): Field<string | undefined> => ({
	...picker({ ...label, required: false, search: firstAvailable([detailsOf(word, byWord)], otherwise(plural)) }),
	parse: (raw) => parseTyped(raw),
});

/** Chooses how people did in an exam. */
export const examStatusPicker = (label: Label) =>
	worded(
		{ ...label, method: 'searchExamStatuses', thing: 'exam status', example: 'Failed' },
		'examstatus',
		'exam statuses',
	);

/** Chooses a type of training by the service's word for it. */
export const trainingTypePicker = (label: Label) =>
	worded(
		{ ...label, method: 'searchTrainingTypes', thing: 'training type', example: 'Survey' },
		'trainingtype',
		'training types',
	);

/** Chooses a type of training by its number; 0 is a survey (deployment behaviour, "Training reports"). */
export function trainingTypeNumberPicker(label: Label): Field<number | undefined> {
	const number = wholeNumber({ ...label, default: 0, min: 0 });
	const field = picker({
		...label,
		method: 'searchTrainingTypeNumbers',
		thing: 'training type',
		example: '0',
		default: '0',
		required: false,
		search: firstAvailable([detailsOf('trainingtype', (value) => String(value.number))], otherwise('training types')),
	});
	return {
		...field,
		parse: (raw, item) => {
			const value = isRecord(raw) ? raw.value : raw;
			// Nothing was chosen, which is no wrong number.
			return isRecord(raw) && (value === '' || value === undefined) ? undefined : number.parse(value, item);
		},
	};
}

import type { IDataObject } from 'n8n-workflow';

import { toggle } from '../form/toggle';
import { isRecord, isScalar } from '../form/value';

/** What marks an enrollment or a campaign as a test (contract 2.7; deployment behaviour, "Trainings, groups, enrollments"). */
const MARKS = ['excludeFromReports', 'markedAsTest', 'isTest'] as const;

const textIn = (value: unknown) => (isScalar(value) ? String(value) : '');

const isMarked = (holder: Record<string, unknown>) => MARKS.some((name) => /^true$/i.test(textIn(holder[name])));

/** Whether a record says of itself, or in its settings, that it is a test. */
export const isTest = (record: IDataObject): boolean =>
	isMarked(record) || (isRecord(record.settings) && isMarked(record.settings));

/**
 * Leaves tests out of a list.
 * @param summary the operation that says of a record whose list does not, as a person sees it: "Get Training Summary"
 */
export const excludeTestsField = (summary: string) =>
	toggle({
		displayName: 'Exclude Tests',
		description: `Whether to leave out what is marked as a test. Some platforms do not say so in their list: nothing is left out there, and '${summary}' says of each whether it is a test.`,
		default: false,
	});

const saysWhether = (record: IDataObject) =>
	[record, record.settings].some((holder) => isRecord(holder) && MARKS.some((name) => name in holder));

/** What the field means for a list, and what to tell where its records do not say whether they are tests. */
export function withoutTests(excludeTests: boolean): {
	keep?: (record: IDataObject) => boolean;
	note?: () => string | undefined;
} {
	if (!excludeTests) return {};
	let read = 0;
	let told = 0;
	return {
		keep: (record) => {
			read++;
			if (saysWhether(record)) told++;
			return !isTest(record);
		},
		note: () =>
			read > 0 && told === 0
				? "This platform's list does not say what is a test, so 'Exclude Tests' left nothing out."
				: undefined,
	};
}

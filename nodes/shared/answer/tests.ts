import type { IDataObject } from 'n8n-workflow';

import { toggle } from '../form/toggle';
import { isRecord, isScalar } from '../form/value';

/**
 * The flags that mark an enrollment or a campaign as a test (contract 2.7; deployment behaviour, "Trainings, groups,
 * enrollments").
 */
const TEST_FLAGS = ['excludeFromReports', 'markedAsTest', 'isTest'] as const;

const textIn = (value: unknown) => (isScalar(value) ? String(value) : '');

const isMarked = (holder: Record<string, unknown>) => TEST_FLAGS.some((name) => /^true$/i.test(textIn(holder[name])));

/** Whether a record, or its `settings`, has a flag that marks it as a test. */
export const isTest = (record: IDataObject): boolean =>
	isMarked(record) || (isRecord(record.settings) && isMarked(record.settings));

/**
 * The field that leaves tests out of a list.
 * @param summary the name of the operation that shows whether a record is a test: "Get Training Summary"
 */
export const excludeTestsField = (summary: string) =>
	toggle({
		displayName: 'Exclude Tests',
		description: `Whether to leave out records that are marked as a test. If the platform's list does not show the mark, nothing is left out; '${summary}' shows it.`,
		default: false,
	});

const hasTestFlag = (record: IDataObject) =>
	[record, record.settings].some((holder) => isRecord(holder) && TEST_FLAGS.some((name) => name in holder));

/** What the field means for reading a list, and the hint for a list whose records do not have the flag. */
export function withoutTests(excludeTests: boolean): {
	keep?: (record: IDataObject) => boolean;
	note?: () => string | undefined;
} {
	if (!excludeTests) return {};
	let total = 0;
	let withFlag = 0;
	return {
		keep: (record) => {
			total++;
			if (hasTestFlag(record)) withFlag++;
			return !isTest(record);
		},
		note: () =>
			total > 0 && withFlag === 0
				? "This platform's list does not show which records are tests, so 'Exclude Tests' left nothing out."
				: undefined,
	};
}

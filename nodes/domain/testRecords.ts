import type { IDataObject } from 'n8n-workflow';

import { toggle } from '../core/fields/fieldTypes';
import { isRecord } from '../core/values';
import type { Wanted } from '../core/response/listResponse';

/** The flags that mark an enrollment or a campaign as a test (contract 2.7; deployment behaviour, "Mark as test"). */
const TEST_FLAGS = ['excludeFromReports', 'markedAsTest', 'isTest'];

const flagsOf = (record: IDataObject): unknown[] =>
	[record, record.settings].flatMap((holder) => (isRecord(holder) ? TEST_FLAGS.map((name) => holder[name]) : []));

/** Whether a record, or its `settings`, has a flag that marks it as a test. */
export const isTest = (record: IDataObject): boolean => flagsOf(record).includes(true);

/** The field that leaves tests out of a list. @param summary the operation that shows the mark: "Get Training Summary" */
export const excludeTestsField = (summary: string) =>
	toggle({
		displayName: 'Exclude Tests',
		description: `Whether to leave out records that are marked as a test. If the platform's list does not show the mark, nothing is left out; '${summary}' shows it.`,
		// It is one of the filters, which are added to be used.
		default: true,
	});

/** What the field means for reading a list, and the hint for a list whose records do not have the flag. */
export function withoutTests(excludeTests: boolean): Pick<Wanted, 'isWanted'> & { note?: () => string | undefined } {
	if (!excludeTests) return {};
	const seen = { all: 0, flagged: 0 };
	return {
		isWanted: (record) => {
			seen.all++;
			if (flagsOf(record).some((flag) => flag !== undefined)) seen.flagged++;
			return !isTest(record);
		},
		note: () =>
			seen.all > 0 && seen.flagged === 0
				? "This platform's list does not show which records are tests, so 'Exclude Tests' left nothing out."
				: undefined,
	};
}

import type { IDataObject } from 'n8n-workflow';

import { toggleField } from '../core/fields/fieldTypes';
import { isRecord } from '../core/values';
import type { ListQuery } from '../core/response/listResponse';

/**
 * The names of the fields that mark an enrollment or a campaign as a test (contract 2.7; deployment behaviour,
 * "Trainings, groups, enrollments").
 */
const TEST_FLAG_FIELDS = ['excludeFromReports', 'markedAsTest', 'isTest'];

/** Reads the test flags of a record and of its `settings`. A missing flag is undefined. */
const readTestFlags = (record: IDataObject): unknown[] =>
	[record, record.settings].flatMap((flagHolder) =>
		isRecord(flagHolder) ? TEST_FLAG_FIELDS.map((name) => flagHolder[name]) : [],
	);

/** Returns true if a flag of the record, or of its `settings`, marks it as a test. */
export const isTestRecord = (record: IDataObject): boolean => readTestFlags(record).includes(true);

/**
 * Creates the field that leaves tests out of a list.
 * @param summaryAction the action of the operation whose output shows the test flags: "Get training progress summary"
 */
export const excludeTestsField = (summaryAction: string) =>
	toggleField({
		displayName: 'Exclude Tests',
		description: 'Whether to leave out records that are marked as a test',
		hint: `If the platform doesn't list which records are tests, all records are returned. To find out if one record is a test, use '${summaryAction}'.`,
		// The filter is on when the user adds it, because the user adds it to leave out tests.
		default: true,
	});

/** The part of a list query that leaves out tests. */
interface TestFilter extends Pick<ListQuery, 'shouldKeep'> {
	createHint?: () => string | undefined;
}

/**
 * Creates the filter for the field 'Exclude Tests'. If no record in the list has a test flag, tests can't be
 * recognized. Then `createHint` returns a hint that says so.
 */
export function createTestFilter(excludeTests: boolean): TestFilter {
	if (!excludeTests) return {};
	let recordCount = 0;
	let recordsWithFlagCount = 0;
	return {
		shouldKeep: (record) => {
			recordCount++;
			if (readTestFlags(record).some((flag) => flag !== undefined)) recordsWithFlagCount++;
			return !isTestRecord(record);
		},
		createHint: () => {
			if (recordCount === 0 || recordsWithFlagCount > 0) return undefined;
			return "The platform's list doesn't show which records are tests, so 'Exclude Tests' left nothing out.";
		},
	};
}

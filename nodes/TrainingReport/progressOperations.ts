import type { IDataObject } from 'n8n-workflow';

import { rejectEmptyExpressions } from '../core/fields/field';
import { choiceField, toggleField } from '../core/fields/fieldTypes';
import { isInTimeRange, readTimeRange, timeRangeFields } from '../core/fields/period';
import { defineComposite } from '../core/operation/defineOperation';
import { readEach } from '../core/operation/readEach';
import { createOutputChoice, type OutputFields } from '../core/response/outputFields';
import { formatCount, readId, toItemJson } from '../core/values';
import { getEnrollmentOperation, getEnrollmentsOperation } from '../domain/enrollments/enrollmentReadOperations';
import {
	addProgressFields,
	getDueDate,
	getEnrollmentStart,
	hasFinished,
	isOverdue,
	PROGRESS_FIELDS,
	readNormalizedText,
} from '../domain/enrollments/enrolledUserProgress';
import { getEnrolledUsersOperation } from '../domain/enrollments/enrolledUsersOperation';
import { readTrainingNames } from '../domain/enrollments/trainingFigures';
import { ENROLLMENT_ID_FIELDS } from '../domain/pickers/resourcePickers';
import { isTestRecord } from '../domain/testRecords';
import { createActiveStatusReader } from './activePeople';

/** The output fields of an enrolled user, including `isActive`, which is read from the list of people. */
const PROGRESS_FIELDS_WITH_ACTIVE_STATUS: OutputFields = {
	...PROGRESS_FIELDS,
	simplified: PROGRESS_FIELDS.simplified.flatMap((name) => (name === 'department' ? [name, 'isActive'] : [name])),
};

const progressOutput = createOutputChoice(PROGRESS_FIELDS_WITH_ACTIVE_STATUS);

const UNDATED_ENROLLMENTS_HINT = 'Enrollments without a date are in the output for every period.';

/** The functions that decide if an enrolled user is returned, by the value of the form field 'Only People Who'. */
const USER_FILTER_BY_CHOICE: Record<string, (user: IDataObject, timezone: string) => boolean> = {
	all: () => true,
	failed: (user) => readNormalizedText(user, 'examStatusName') === 'failed',
	finished: hasFinished,
	notFinished: (user) => !hasFinished(user),
	overdue: isOverdue,
};

const progressFilterFields = rejectEmptyExpressions({
	...timeRangeFields,
	excludeTests: toggleField({
		displayName: 'Exclude Tests',
		default: true,
		description: 'Whether to leave out enrollments that are marked as a test',
	}),
	onlyPeopleWho: choiceField({
		displayName: 'Only People Who',
		description: 'Select which people to return. By default, everyone in the enrollments is returned.',
		default: 'all',
		options: [
			{
				name: 'Are Overdue',
				value: 'overdue',
				description: "People who haven't finished although the due date has passed in the workflow's time zone",
			},
			{ name: 'Failed', value: 'failed', description: 'People who failed the exam' },
			{ name: 'Finished', value: 'finished' },
			{ name: 'Have Not Finished', value: 'notFinished' },
			{ name: 'Were Enrolled', value: 'all', description: 'Everyone in the enrollments of the period' },
		],
	}),
});

/** An enrollment's ID, and the enrollment's entry in the list of enrollments. */
interface ListedEnrollment {
	enrollmentId: string;
	record: IDataObject;
}

/** Describes an enrollment for a hint: by its ID and its name, or the name of its training if it has no name. */
function describeEnrollment({ enrollmentId, record }: ListedEnrollment): string {
	const name = readId(readTrainingNames(record), ['enrollmentName', 'trainingName']) ?? 'No name';
	return `${name} (${enrollmentId})`;
}

export const getProgressOfPeriodOperation = defineComposite({
	value: 'getManyByPeriod',
	name: 'Get Many by Period',
	action: 'Get training progress by period',
	description: 'List everyone in all enrollments of a period with their progress',
	outputNote:
		"Each output item is one person in one enrollment. The output field isActive shows whether the person is still active (empty if unknown). For a faster run, select 'Selected Fields' in 'Output' and don't select isActive.",
	scope: 'companies',
	fields: { ...progressFilterFields, ...progressOutput.fields },
	isReadOnly: true,
	dependencies: [getEnrollmentsOperation, getEnrollmentOperation, getEnrolledUsersOperation],
	run: async (values, helpers) => {
		const { excludeTests, onlyPeopleWho, output, outputFields, ...period } = values;
		const { timezone, addHint, reportSearch } = helpers.context;
		const timeRange = readTimeRange(period, timezone);
		const allRecords = await helpers.listRecords(getEnrollmentsOperation, {}, { identity: ENROLLMENT_ID_FIELDS });
		const records = allRecords.filter((record) => isInTimeRange(getEnrollmentStart(record), timeRange));
		reportSearch({ noun: 'enrollment', recordCount: records.length, emptyReason: 'no one is enrolled in them' });
		const undatedEnrollmentCount = records.filter((record) => getEnrollmentStart(record) === undefined).length;
		if (undatedEnrollmentCount > 0)
			addHint(UNDATED_ENROLLMENTS_HINT, formatCount(undatedEnrollmentCount, 'enrollment'));
		const enrollments = records.flatMap((record): ListedEnrollment[] => {
			const enrollmentId = readId(record, ENROLLMENT_ID_FIELDS);
			return enrollmentId === undefined ? [] : [{ enrollmentId, record }];
		});
		const readUsers = async ({ enrollmentId, record }: ListedEnrollment) => {
			const { data } = await helpers.callOperation(getEnrollmentOperation, { path: { resourceId: enrollmentId } });
			const enrollment = toItemJson(data);
			if (excludeTests && (isTestRecord(record) || isTestRecord(enrollment))) return [];
			const enrollmentContext = { ...readTrainingNames(record), enrollmentId, due: getDueDate(enrollment) };
			const users = await helpers.listRecords(getEnrolledUsersOperation, { path: { enrollmentId } }, { identity: [] });
			return users.map((user) => addProgressFields(user, enrollmentContext));
		};
		const enrollmentReader = { noun: 'enrollment', describe: describeEnrollment, read: readUsers };
		const usersByEnrollment = await readEach(enrollments, enrollmentReader, helpers.context);
		const isSelected = USER_FILTER_BY_CHOICE[onlyPeopleWho] ?? (() => true);
		const selectedUsers = usersByEnrollment.flat().filter((user) => isSelected(user, timezone));
		const toItem = progressOutput.createItemMapper({ output, outputFields });
		const isActiveReturned = output !== 'selected' || (outputFields ?? []).includes('isActive');
		if (!isActiveReturned || selectedUsers.length === 0) return selectedUsers.map(toItem);
		const readActiveStatus = await createActiveStatusReader(helpers);
		return selectedUsers.map((user) => toItem({ ...user, isActive: readActiveStatus(user) }));
	},
});

import { rejectEmptyExpression } from '../core/fields/field';
import { choiceField } from '../core/fields/fieldTypes';
import { ENROLLMENT_ID_FIELDS, addEnrollmentId } from '../domain/pickers/resourcePickers';
import { statusField } from '../domain/pickers/statuses';
import { defineTrigger, type WatchedList } from '../core/trigger/defineTrigger';
import { readId } from '../core/values';

const enrollmentList: WatchedList = {
	name: 'enrollment',
	noun: 'enrollments',
	endpoint: 'POST /api/enrollments/search',
	readId: (record) => readId(record, ENROLLMENT_ID_FIELDS),
	addItemFields: addEnrollmentId,
};

/** Starts a workflow for new or changed enrollments. */
export const enrollmentTrigger = defineTrigger({
	noun: 'enrollments',
	fields: {
		enrollmentType: rejectEmptyExpression(
			choiceField({
				displayName: 'Watch',
				description: 'Select which enrollments to watch: all of them or only surveys',
				default: 'all',
				options: [
					{ name: 'All Enrollments', value: 'all' },
					{ name: 'Surveys Only', value: 'Survey' },
				],
			}),
		),
	},
	statusField: statusField({
		getEndpoints: () => ['POST /api/enrollments/search'],
		// These are the statuses that the platform's web pages show (deployment behaviour, "Trainings, groups,
		// enrollments").
		knownStatuses: ['Auto-Enroll', 'Error', 'Finished', 'Scheduled', 'Sending', 'Stopped'],
	}),
	getWatchedLists: ({ enrollmentType }) => {
		if (enrollmentType === 'all') return [enrollmentList];
		return [{ ...enrollmentList, noun: 'surveys', body: { enrollmentType } }];
	},
});

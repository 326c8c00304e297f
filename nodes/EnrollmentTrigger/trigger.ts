import { mustHaveValue } from '../core/fields/field';
import { choice } from '../core/fields/fieldTypes';
import { ENROLLMENT_ID, withEnrollmentId } from '../domain/pickers/resourcePickers';
import { defineTrigger } from '../core/trigger/types';
import { identityOf } from '../core/values';

/** New or changed enrollments. */
export const enrollmentTrigger = defineTrigger({
	things: 'enrollments',
	fields: {
		enrollmentType: mustHaveValue(
			choice({
				displayName: 'Watch',
				description: 'Which enrollments to watch',
				default: 'all',
				options: [
					{ name: 'All Enrollments', value: 'all' },
					{ name: 'Surveys Only', value: 'Survey' },
				],
			}),
		),
	},
	statuses: {
		lists: () => ['POST /api/enrollments/search'],
		// The words of the platform's pages (deployment behaviour).
		known: ['Auto-Enroll', 'Error', 'Finished', 'Scheduled', 'Sending', 'Stopped'],
	},
	kinds: ({ enrollmentType }) => [
		{
			name: 'enrollment',
			things: enrollmentType === 'all' ? 'enrollments' : 'surveys',
			endpoint: 'POST /api/enrollments/search',
			...(enrollmentType === 'all' ? {} : { body: { enrollmentType } }),
			identity: (record) => identityOf(record, ENROLLMENT_ID),
			output: withEnrollmentId,
		},
	],
});

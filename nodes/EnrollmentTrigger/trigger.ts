import { identityOf } from '../shared/answer/paging';
import { choice } from '../shared/form/choice';
import { ENROLLMENT_ID } from '../shared/pickers/enrollment';
import { statusMethods } from '../shared/pickers/statuses';
import { defineTrigger } from '../shared/polling/trigger';

/** The list of statuses to choose from; the words are those of the platform's pages (deployment behaviour). */
export const statuses = statusMethods(
	() => ['POST /api/enrollments/search'],
	['Auto-Enroll', 'Error', 'Finished', 'Scheduled', 'Sending', 'Stopped'],
);

/** New or changed enrollments. */
export const enrollmentTrigger = defineTrigger({
	things: 'enrollments',
	fields: {
		enrollmentType: choice({
			displayName: 'Watch',
			description: 'Which enrollments to watch',
			default: 'all',
			options: [
				{ name: 'All Enrollments', value: 'all' },
				{ name: 'Surveys Only', value: 'Survey' },
			],
		}),
	},
	kinds: ({ enrollmentType }) => [
		{
			code: 'e',
			name: 'enrollment',
			things: 'enrollments',
			contract: 'POST /api/enrollments/search',
			...(enrollmentType === 'all' ? {} : { body: { enrollmentType } }),
			identity: (record) => identityOf(record, ENROLLMENT_ID),
			details: (record) => {
				const resourceId = identityOf(record, ENROLLMENT_ID);
				return resourceId === undefined
					? undefined
					: { contract: 'GET /api/enrollments/{resourceId}', path: { resourceId } };
			},
		},
	],
});

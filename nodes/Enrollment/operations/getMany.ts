import { pages } from '../../shared/answer/pages';
import { excludeTestsField, withoutTests } from '../../shared/answer/tests';
import { choice } from '../../shared/form/choice';
import { defineOperation } from '../../shared/operation/define';
import { ENROLLMENT_ID, withEnrollmentId } from '../../shared/pickers/enrollment';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Enrollments',
	action: 'Get many enrollments',
	description: 'List the trainings sent to people, of one customer or of every one',
	contract: 'POST /api/enrollments/search',
	scope: 'companies',
	owned: ENROLLMENT_ID,
	fields: {},
	request: () => ({}),
	answer: pages({
		identity: ENROLLMENT_ID,
		// The contract does not list the fields of these records; deployments send more than 10.
		known: {
			id: ['enrollmentId'],
			essentials: [
				'name',
				'trainingName',
				'status',
				'startDate',
				'dueDate',
				'type',
				'createTime',
				'markedAsTest',
				'trainingId',
				...ENROLLMENT_ID,
			],
			others: ['excludeFromReports'],
		},
		filterable: [
			'Name',
			'Category',
			'CreateTime',
			'Delivery',
			'EnrolledBy',
			'StartDate',
			'Status',
			'TargetAudience',
			'TrainingName',
			'Type',
		],
		fields: {
			enrollmentType: choice({
				displayName: 'Show',
				description: 'Which enrollments to return',
				default: 'all',
				options: [
					{ name: 'All Enrollments', value: 'all' },
					{ name: 'Surveys Only', value: 'Survey' },
				],
			}),
			excludeTests: excludeTestsField('Get Training Summary'),
		},
		narrow: ({ enrollmentType, excludeTests }) => ({
			...(enrollmentType === 'all' ? {} : { body: { enrollmentType } }),
			...withoutTests(excludeTests),
		}),
	}),
	output: withEnrollmentId,
});

import { rejectEmptyExpression } from '../../core/fields/field';
import { choiceField } from '../../core/fields/fieldTypes';
import { filtersBlock } from '../../core/filters/filterFields';
import { defineOperation } from '../../core/operation/defineOperation';
import { listResponse } from '../../core/response/listResponse';
import { recordResponse } from '../../core/response/recordResponse';
import { addEnrollmentId, ENROLLMENT_ID_FIELDS, resourcePicker } from '../pickers/resourcePickers';
import { createTestFilter, excludeTestsField } from '../testRecords';

/** The response of an operation that lists enrollments. */
export const enrollmentListResponse = listResponse({
	identity: ENROLLMENT_ID_FIELDS,
	// The contract doesn't list the fields of these records. Live deployments return these and more (deployment shapes, "Trainings,
	// groups, enrollments").
	outputFields: {
		id: ['enrollmentId'],
		simplified: ['name', 'trainingName', 'status', 'startDate', 'type', 'createTime', 'enrollmentId', 'resourceId'],
		additional: [
			'category',
			'delivery',
			'deliveryType',
			'duration',
			'enrolledBy',
			'hasQuiz',
			'isAutoEnrollmentActive',
			'isReminderActive',
			'languages',
			'level',
			'recipientType',
			'sendTemplatesInPreferredLanguage',
			'tags',
			'targetAudience',
			'trainingRoles',
		],
	},
	fields: {
		enrollmentType: rejectEmptyExpression(
			choiceField({
				displayName: 'Show',
				description: 'Which enrollments to return',
				default: 'all',
				options: [
					{ name: 'All Enrollments', value: 'all' },
					{ name: 'Surveys Only', value: 'Survey' },
				],
			}),
		),
		filters: filtersBlock({ excludeTests: excludeTestsField('Get training progress summary') }),
	},
	toQuery: ({ enrollmentType, filters }) => {
		const testFilter = createTestFilter(filters.excludeTests ?? false);
		if (enrollmentType === 'all') return testFilter;
		return { body: { enrollmentType }, ...testFilter };
	},
});

export const getEnrollmentOperation = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get enrollment',
	description: 'Get the training, target groups, dates and settings of an enrollment',
	outputNote: "To see who finished the training, use 'Get many enrolled users'.",
	endpoint: 'GET /api/enrollments/{resourceId}',
	scope: 'company',
	fields: { enrollment: resourcePicker('enrollments') },
	request: ({ enrollment }) => ({ path: { resourceId: enrollment.id } }),
	response: recordResponse({
		// On live deployments, the record lacks the enrollment's ID (deployment shapes, "Trainings, groups, enrollments").
		idFields: { names: ENROLLMENT_ID_FIELDS, fallbackField: 'enrollmentId' },
		outputFields: {
			id: ['enrollmentId'],
			// First the fields in both the contract and live deployments, then the fields that are only in the contract (deployment shapes,
			// "Trainings, groups, enrollments").
			simplified: [
				'name',
				'enrollmentScheduler',
				'enrollmentReminder',
				'enrollmentAutoEnroll',
				'awardCertificate',
				'markedAsTest',
				'trainingName',
				'status',
				'startDate',
				'dueDate',
				'delivery',
				'type',
				'enrollmentId',
				'trainingId',
				'targetGroupResourceIds',
			],
			additional: [
				'certificateConfigSendType',
				'languageIds',
				'phishingCampaignConditionTypes',
				'phishingCampaignResourceId',
				'distributionDays',
				'learningPathId',
				'smsTexts',
				'trainingOrder',
				'trainingTypeId',
			],
		},
	}),
	transformOutput: addEnrollmentId,
});

export const getEnrollmentsOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many enrollments',
	description: 'List enrollments. An enrollment is a training for target groups.',
	endpoint: 'POST /api/enrollments/search',
	scope: 'companies',
	response: enrollmentListResponse,
	transformOutput: addEnrollmentId,
});

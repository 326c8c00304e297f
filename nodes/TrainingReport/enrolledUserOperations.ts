import { defineOperation } from '../core/operation/defineOperation';
import { createOptionsBlock } from '../core/operation/operationFields';
import { fileResponse } from '../core/response/fileResponse';
import { plainListResponse } from '../core/response/recordResponse';
import { toItemJson } from '../core/values';
import { addReportedEnrollmentId, reportedEnrollmentFields } from '../domain/enrollments/reportedEnrollment';
import { platformNumberPicker } from '../domain/pickers/platformLists';
import { resourcePicker } from '../domain/pickers/resourcePickers';
import { addProgressFields, PROGRESS_FIELDS, readEnrollmentContext } from './enrolledUserProgress';
import {
	buildInteractionQuery,
	defineReportListOperation,
	examStatusAndTypeFields,
	getEnrollmentAsFileOwner,
	interactionOptionFields,
	REPORT_SORT,
} from './trainingReportFields';

export const exportEnrolledUsersOperation = defineOperation({
	value: 'export',
	name: 'Export',
	action: 'Export enrolled users',
	description: 'Export the people of an enrollment and their progress as a CSV or Excel file',
	endpoint: 'POST /api/training-reports/{enrollmentId}/users/search/export',
	scope: 'company',
	fields: { ...reportedEnrollmentFields, ...createOptionsBlock(examStatusAndTypeFields) },
	request: ({ enrollment, options }) => ({ path: { enrollmentId: enrollment.id }, body: toItemJson(options) }),
	response: fileResponse({ fallbackName: 'users', sortableFields: REPORT_SORT, getOwner: getEnrollmentAsFileOwner }),
	transformOutput: addReportedEnrollmentId,
});

export const getEnrolledUsersOperation = defineReportListOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many enrolled users',
	description: 'List the people of an enrollment with their progress',
	endpoint: 'POST /api/training-reports/{enrollmentId}/users/search',
	outputFields: PROGRESS_FIELDS,
	perform: async ({ enrollment }, helpers) => {
		const items = await helpers.send();
		if (items.length === 0) return [];
		const enrollmentContext = await readEnrollmentContext(enrollment.id, helpers);
		return items.map((item) => ({ ...item, json: addProgressFields(item.json, enrollmentContext) }));
	},
	filterFields: {
		trainingType: platformNumberPicker('trainingTypeNumbers', {
			displayName: 'Training Type',
			description: 'Only return results of the training type with this number, such as 0 for a survey',
			default: 0,
			idExample: '0',
		}),
	},
});

export const getUserInteractionsOperation = defineOperation({
	value: 'getInteractions',
	name: 'Get Interactions',
	action: 'Get interactions of enrolled user',
	description: 'List the steps that one person took in the training of an enrollment',
	endpoint: 'GET /api/training-reports/{enrollmentId}/interactions/{targetUserResourceId}',
	scope: 'company',
	fields: { ...reportedEnrollmentFields, targetUser: resourcePicker('enrolledUsers'), ...interactionOptionFields },
	request: ({ enrollment, targetUser, options }) => ({
		path: { enrollmentId: enrollment.id, targetUserResourceId: targetUser.id },
		query: buildInteractionQuery(options),
	}),
	response: plainListResponse(),
	// The platform doesn't return the IDs of the person and the enrollment.
	transformOutput: (json, values) =>
		addReportedEnrollmentId({ targetUserResourceId: values.targetUser.id, ...json }, values),
});

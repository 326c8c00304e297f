import { defineOperation } from '../core/operation/defineOperation';
import { createOptionsBlock } from '../core/operation/operationFields';
import { fileResponse } from '../core/response/fileResponse';
import { plainListResponse } from '../core/response/recordResponse';
import { toItemJson } from '../core/values';
import { addReportedEnrollmentId, reportedEnrollmentFields } from '../domain/enrollments/reportedEnrollment';
import { resourcePicker } from '../domain/pickers/resourcePickers';
import {
	buildInteractionQuery,
	examStatusAndTypeFields,
	getEnrollmentAsFileOwner,
	interactionOptionFields,
	REPORT_SORT,
} from '../domain/enrollments/trainingReportFields';

export const exportEnrolledUsersOperation = defineOperation({
	value: 'export',
	name: 'Export',
	action: 'Export enrolled users',
	description: 'Export the people of an enrollment, with their progress, to a CSV or Excel file',
	endpoint: 'POST /api/training-reports/{enrollmentId}/users/search/export',
	scope: 'company',
	fields: { ...reportedEnrollmentFields, ...createOptionsBlock(examStatusAndTypeFields) },
	request: ({ enrollment, options }) => ({ path: { enrollmentId: enrollment.id }, body: toItemJson(options) }),
	response: fileResponse({ fallbackName: 'users', sortableFields: REPORT_SORT, getOwner: getEnrollmentAsFileOwner }),
	transformOutput: addReportedEnrollmentId,
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

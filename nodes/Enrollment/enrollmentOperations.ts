import { rejectNewStartInPast } from '../core/fields/period';
import { defineOperation } from '../core/operation/defineOperation';
import { updateRecord } from '../core/operation/updateRecord';
import { fileResponse } from '../core/response/fileResponse';
import { DEFAULT_SORTABLE_FIELDS } from '../core/response/listResponse';
import { emptyResponse, recordResponse } from '../core/response/recordResponse';
import { toItemJson } from '../core/values';
import { getEnrollmentOperation } from '../domain/enrollments/enrollmentReadOperations';
import { addEnrollmentId } from '../domain/pickers/resourcePickers';
import { describeWrite } from '../domain/writeReport';
import {
	buildEnrollmentUpdateBody,
	CREATED_ENROLLMENT_FIELDS,
	enrollmentUpdateFields,
	enrollmentOperationBase,
} from './enrollmentFields';
import { readEnrollmentName } from './readEnrollmentName';

export const deleteEnrollmentOperation = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete enrollment',
	description: 'Move an enrollment to the trash',
	outputNote:
		"People can no longer open the training. To bring the enrollment back within 30 days, use 'Restore deleted enrollment'.",
	endpoint: 'DELETE /api/enrollments/{resourceId}',
	...enrollmentOperationBase,
	response: emptyResponse({ deleted: true }),
});

export const exportEnrollmentsOperation = defineOperation({
	value: 'export',
	name: 'Export',
	action: 'Export enrollments',
	description: 'Export the list of enrollments as a CSV or Excel file',
	endpoint: 'POST /api/enrollments/search/export',
	scope: 'companies',
	response: fileResponse({ fallbackName: 'enrollments', sortableFields: DEFAULT_SORTABLE_FIELDS }),
});

export const getEnrollmentFormDetailsOperation = defineOperation({
	value: 'getFormOptions',
	name: 'Get Form Options',
	action: 'Get enrollment form options',
	description: 'Get the values that the fields of an enrollment can have, and the IDs of email template types',
	endpoint: 'GET /api/enrollments/form-details',
	scope: 'company',
	// The record has 11 fields (contract 2.8). The simplified output omits `canSaveVendor`, a permission for the platform's own form.
	response: recordResponse({
		outputFields: {
			simplified: [
				'enumNameValuePairs',
				'trainingEmailNotificationTemplateTypeResourceId',
				'reminderEmailNotificationTemplateTypeResourceId',
				'learningPathEmailNotificationTemplateTypeResourceId',
				'learningPathReminderEmailNotificationTemplateTypeResourceId',
				'posterEmailNotificationTemplateTypeResourceId',
				'infographicEmailNotificationTemplateTypeResourceId',
				'surveyEmailNotificationTemplateTypeResourceId',
				'surveyReminderEmailNotificationTemplateTypeResourceId',
				'certificateEmailNotificationTemplateTypeResourceId',
			],
		},
	}),
});

/** Maps each field of the update request to the field of the enrollment's record that holds the current value. */
const ENROLLMENT_UPDATE_SOURCES = {
	name: 'name',
	markedAsTest: 'markedAsTest',
	enrollmentScheduler: 'enrollmentScheduler',
	distributionDays: 'distributionDays',
};

export const updateEnrollmentOperation = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update enrollment',
	description: 'Change the name, dates and other settings of an enrollment',
	endpoint: 'PUT /api/enrollments/{resourceId}',
	scope: 'company',
	fields: enrollmentUpdateFields,
	isUpdate: true,
	request: ({ enrollment, additionalFields }) => ({
		path: { resourceId: enrollment.id },
		body: buildEnrollmentUpdateBody(additionalFields),
	}),
	response: recordResponse({ outputFields: CREATED_ENROLLMENT_FIELDS, valueField: 'id' }),
	perform: async ({ enrollment, additionalFields }, helpers) => {
		const { scheduledDate, scheduledTimeZoneId } = additionalFields;
		const readStoredStartDate = async () => {
			const { data } = await helpers.callOperation(getEnrollmentOperation, { path: { resourceId: enrollment.id } });
			const { enrollmentScheduler } = toItemJson(data);
			return toItemJson(enrollmentScheduler).scheduledDate;
		};
		const timezone = scheduledTimeZoneId ?? helpers.context.timezone;
		await rejectNewStartInPast(scheduledDate, timezone, ['additionalFields', 'scheduledDate'], readStoredStartDate);
		return await updateRecord(
			getEnrollmentOperation,
			{ currentValueSources: ENROLLMENT_UPDATE_SOURCES, requiredFields: { name: 'Name' } },
			helpers,
		);
	},
	transformOutput: addEnrollmentId,
});

export const stopEnrollmentOperation = defineOperation({
	value: 'stop',
	name: 'Stop',
	action: 'Stop enrollment',
	description: 'Stop sending the emails of an enrollment',
	endpoint: 'POST /api/enrollments/{resourceId}/stop',
	...enrollmentOperationBase,
	perform: async ({ enrollment }, helpers) => {
		const results = await helpers.send();
		const stoppedFields = describeWrite('stopped', helpers.context.timezone);
		const name = await readEnrollmentName(enrollment, helpers);
		return results.map(({ json }) => ({ json: { name, ...stoppedFields, ...json } }));
	},
});

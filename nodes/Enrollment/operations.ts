import { file } from '../core/response/fileResponse';
import { record } from '../core/response/recordResponse';
import { DEFAULT_SORT } from '../core/response/listResponse';
import { checkNewStart } from '../core/fields/period';
import { defineOperation } from '../core/operation/defineOperation';
import { updateWhole } from '../core/operation/updateRecord';
import { ENROLLMENT_ID, pickerOf, withEnrollmentId } from '../domain/pickers/resourcePickers';
import { archiveOperations } from './deletedEnrollmentOperations';
import {
	asListed,
	CREATED_ENROLLMENT,
	enrollmentBody,
	enrollmentFields,
	enrollmentPages,
	ofOne,
	changedEnrollmentBody,
	changedEnrollmentFields,
} from './enrollmentFields';
import { toJson } from '../core/values';
import { createResendOperations } from './resendOperations';
import { createAndSendOf, createAndSendToPeopleOf } from './createAndSend';

const create = defineOperation({
	value: 'create',
	name: 'Create Enrollment',
	description: 'Enroll target groups in a training; it is sent at its start date, or when you send it',
	endpoint: 'POST /api/enrollments',
	scope: 'company',
	fields: enrollmentFields,
	request: (values) => ({ body: enrollmentBody(values) }),
	answer: record({ known: CREATED_ENROLLMENT, as: 'id' }),
	output: (json, values) => asListed(json, enrollmentBody(values)),
});

export const get = defineOperation({
	value: 'get',
	name: 'Get Enrollment',
	description: 'Get one enrollment: its training, groups, dates and settings, not who finished',
	endpoint: 'GET /api/enrollments/{resourceId}',
	scope: 'company',
	fields: { enrollment: pickerOf('enrollments') },
	request: ({ enrollment }) => ({ path: { resourceId: enrollment.id } }),
	answer: record({
		// Records of live deployments do not have their ID (deployment shapes).
		identity: { names: ENROLLMENT_ID, as: 'enrollmentId' },
		known: {
			id: ['enrollmentId'],
			// What the contract calls otherwise than live deployments (deployment shapes) comes after what both have.
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
			others: [
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
	output: withEnrollmentId,
});

const getFormDetails = defineOperation({
	value: 'getFormDetails',
	name: 'Get Enrollment Form Details',
	description: 'Get the coded values and the mail template types that an enrollment can be created with',
	endpoint: 'GET /api/enrollments/form-details',
	scope: 'company',
	// Contract 2.8 has 11 fields; the one left out is a permission for the platform's own form.
	answer: record({
		known: {
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

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Enrollments',
	description: 'List the trainings sent to people, of one customer or of every one',
	endpoint: 'POST /api/enrollments/search',
	scope: 'companies',
	answer: enrollmentPages,
	output: withEnrollmentId,
});

const send = defineOperation({
	value: 'send',
	name: 'Send Enrollment',
	description: 'Send an enrollment at once to everybody in it, again if it was sent before; each run sends it again',
	endpoint: 'POST /api/enrollments/{resourceId}/send',
	...ofOne,
});

const UPDATED = {
	name: 'name',
	markedAsTest: 'markedAsTest',
	enrollmentScheduler: 'enrollmentScheduler',
	distributionDays: 'distributionDays',
};

const update = defineOperation({
	value: 'update',
	name: 'Update Enrollment',
	description: 'Change the name, the dates or the test mark of an enrollment',
	endpoint: 'PUT /api/enrollments/{resourceId}',
	scope: 'company',
	fields: changedEnrollmentFields,
	isUpdate: true,
	request: ({ enrollment, additionalFields: added }) => ({
		path: { resourceId: enrollment.id },
		body: changedEnrollmentBody(added),
	}),
	answer: record({ known: CREATED_ENROLLMENT, as: 'id' }),
	perform: async ({ enrollment, additionalFields: { scheduledDate, scheduledTimeZoneId } }, tools) => {
		const timezone = scheduledTimeZoneId ?? tools.context.timezone;
		await checkNewStart(scheduledDate, timezone, ['additionalFields', 'scheduledDate'], async () => {
			const { enrollmentScheduler } = toJson((await tools.ask(get, { path: { resourceId: enrollment.id } })).data);
			return toJson(enrollmentScheduler).scheduledDate;
		});
		return await updateWhole(get, { sources: UPDATED, required: { name: 'Name' } }, tools);
	},
	output: withEnrollmentId,
});

const stop = defineOperation({
	value: 'stop',
	name: 'Stop Enrollment',
	description: 'Send nothing more of an enrollment',
	endpoint: 'POST /api/enrollments/{resourceId}/stop',
	...ofOne,
});

const exportMany = defineOperation({
	value: 'export',
	name: 'Export Enrollments',
	description: 'Get the list of enrollments as a CSV or Excel file',
	endpoint: 'POST /api/enrollments/search/export',
	scope: 'companies',
	answer: file({ name: 'enrollments', sortable: DEFAULT_SORT }),
});

export const operations = [
	create,
	createAndSendOf(create, send),
	createAndSendToPeopleOf(create, send),
	exportMany,
	get,
	getFormDetails,
	getMany,
	send,
	stop,
	update,
	...archiveOperations,
	...createResendOperations(get),
];

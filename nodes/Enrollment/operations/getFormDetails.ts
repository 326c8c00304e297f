import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';

export const getFormDetails = defineOperation({
	value: 'getFormDetails',
	name: 'Get Enrollment Form Details',
	action: 'Get enrollment form details',
	description: 'Get the coded values and the mail template types that an enrollment can be created with',
	contract: 'GET /api/enrollments/form-details',
	scope: 'company',
	fields: {},
	request: () => ({}),
	// Contract 2.8 has 11 fields; the one left out is a permission for the platform's own form.
	answer: record({
		known: {
			essentials: [
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
			others: [
				'canSaveVendor',
				...['DeliveryType', 'EnrollmentStatus', 'ReminderFrequency'].map((name) => `enumNameValuePairs.${name}`),
			],
		},
	}),
});

import { rejectEmptyExpressions } from '../core/fields/field';
import { textField, toggleField, wholeNumberField } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';
import { fileResponse } from '../core/response/fileResponse';
import { reportedEnrollmentFields, addReportedEnrollmentId } from '../domain/enrollments/reportedEnrollment';
import {
	REPORT_SORT,
	defineReportListOperation,
	examStatusAndTypeFields,
	getEnrollmentAsFileOwner,
} from '../domain/enrollments/trainingReportFields';

export const exportSendingReportOperation = defineOperation({
	value: 'export',
	name: 'Export',
	action: 'Export training email sending report',
	description: 'Export the emails of an enrollment, with their delivery status, to a CSV or Excel file',
	endpoint: 'POST /api/training-reports/{enrollmentId}/sending-report/search/export',
	scope: 'company',
	fields: reportedEnrollmentFields,
	request: ({ enrollment }) => ({ path: { enrollmentId: enrollment.id } }),
	response: fileResponse({
		fallbackName: 'sending-report',
		sortableFields: REPORT_SORT,
		isSinglePage: true,
		getOwner: getEnrollmentAsFileOwner,
	}),
	transformOutput: addReportedEnrollmentId,
});

export const getSendingReportOperation = defineReportListOperation({
	value: 'getSendingReport',
	name: 'Get Sending Report',
	action: 'Get training email sending report',
	description: 'List the emails of an enrollment and whether they arrived',
	endpoint: 'POST /api/training-reports/{enrollmentId}/sending-report/search',
	outputFields: {
		id: ['resourceId'],
		simplified: [
			'email',
			'firstName',
			'lastName',
			'department',
			'lastSendingStatus',
			'firstSendDate',
			'lastSendDate',
			'emailDelivery',
			'errorMessage',
			'targetUserStatus',
			'enrollmentId',
			'targetUserResourceId',
			'resourceId',
		],
		additional: ['customFieldValues', 'isMainScore', 'targetUserIsDeleted', 'userId'],
	},
});

export const getReminderEmailsOperation = defineReportListOperation({
	value: 'getReminders',
	name: 'Get Reminders',
	action: 'Get training reminder emails',
	description: 'List the reminder emails of an enrollment',
	endpoint: 'POST /api/training-reports/{enrollmentId}/reminder-mails/search',
	filterFields: {
		reportAllPages: toggleField({
			displayName: 'Report All Pages',
			description: 'Whether to request all reminders at once instead of in pages',
			default: true,
		}),
		...examStatusAndTypeFields,
	},
});

export const getNotificationsOperation = defineReportListOperation({
	value: 'getNotifications',
	name: 'Get Notifications',
	action: 'Get training notification emails',
	description: 'List the notifications of an enrollment with their recipients and statuses',
	endpoint: 'POST /api/notifications/{enrollmentId}/search',
	outputFields: {
		id: ['id'],
		simplified: [
			'email',
			'firstName',
			'lastName',
			'department',
			'trainingTitle',
			'type',
			'status',
			'createTime',
			'firstSendDate',
			'lastSendDate',
			'lastSendingStatus',
			'errorMessage',
			'enrollmentId',
			'id',
		],
		additional: [
			'activityContent',
			'canResend',
			'companyId',
			'fullName',
			'maxRetryCount',
			'retryCount',
			'targetUserId',
			'tenantId',
			'tenantUserId',
			'trainingUrl',
		],
	},
	filterFields: rejectEmptyExpressions({
		companyId: wholeNumberField({
			displayName: 'Company Number',
			description: "The platform's numeric ID of the company, such as 42",
			hint: "Use this operation once without this field and with 'Output' set to 'Raw'. Then copy the value of companyId from the output into this field.",
			default: 0,
			min: 0,
		}),
		enrollmentId: textField({
			displayName: 'Enrollment ID in Filter',
			description:
				"Only return notifications of the enrollment with this ID. Copy enrollmentId from 'Get many enrollments'.",
		}),
		status: textField({
			displayName: 'Status',
			description: 'Only return notifications with this status',
			hint: 'To see which statuses exist, use this operation once without this field',
		}),
		type: textField({
			displayName: 'Type',
			description: 'Only return notifications of this type',
			hint: 'To see which types exist, use this operation once without this field',
		}),
	}),
});

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
} from './trainingReportFields';

export const exportSendingReportOperation = defineOperation({
	value: 'export',
	name: 'Export',
	action: 'Export training email sending report',
	description: 'Export the emails of an enrollment and their delivery status as a CSV or Excel file',
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
	description: 'List the emails of an enrollment and whether they were delivered',
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
			description: "The company's number on the platform, such as 42",
			hint: "Run this operation without this field, with 'Output' set to 'Raw'. Copy the value of companyId into this field.",
			default: 0,
			min: 0,
		}),
		enrollmentId: textField({
			displayName: 'Enrollment ID in Filter',
			description:
				"The ID of another enrollment whose notifications to return. Copy the ID from 'Get many enrollments'.",
		}),
		status: textField({
			displayName: 'Status',
			description: 'Only return notifications with this status',
			hint: 'To see the statuses, run this operation without this field',
		}),
		type: textField({
			displayName: 'Type',
			description: 'Only return notifications of this type',
			hint: 'To see the types, run this operation without this field',
		}),
	}),
});

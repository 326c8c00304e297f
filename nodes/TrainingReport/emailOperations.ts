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
	description: 'Get the mails sent for an enrollment, and whether they arrived, as a CSV or Excel file',
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
	description: 'List the mails sent for an enrollment and whether they arrived',
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
	description: 'List the reminders sent for an enrollment',
	endpoint: 'POST /api/training-reports/{enrollmentId}/reminder-mails/search',
	filterFields: {
		reportAllPages: toggleField({
			displayName: 'Report All Pages',
			description: 'Whether to ask the service for everything at once',
			default: true,
		}),
		...examStatusAndTypeFields,
	},
});

export const getNotificationsOperation = defineReportListOperation({
	value: 'getNotifications',
	name: 'Get Notifications',
	action: 'Get training notification emails',
	description: 'List the notifications sent for an enrollment, each with its recipient and status',
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
			description: "The platform's number of the company, which is not its resource ID",
			default: 0,
			min: 0,
		}),
		enrollmentId: textField({
			displayName: 'Enrollment ID in Filter',
			description: 'Only notifications of this enrollment, if it is not the one chosen above',
		}),
		status: textField({
			displayName: 'Status',
			description: "Only notifications with this status, in the platform's spelling",
		}),
		type: textField({
			displayName: 'Type',
			description: "Only notifications of this type, in the platform's spelling",
		}),
	}),
});

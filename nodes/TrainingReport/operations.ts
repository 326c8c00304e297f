import { file } from '../core/response/fileResponse';
import { plainList } from '../core/response/recordResponse';
import { text, toggle, wholeNumber } from '../core/fields/fieldTypes';
import { optionsOf } from '../core/operation/operationFields';
import { activityOperation } from '../domain/userActivity';
import { defineOperation } from '../core/operation/defineOperation';
import { platformNumberPicker } from '../domain/pickers/platformLists';
import { mustHaveValues } from '../core/fields/field';
import { pickerOf } from '../domain/pickers/resourcePickers';
import {
	aboutEnrollment,
	fileOfEnrollment,
	interactionOptions,
	ofEnrollment,
	queryOf,
	REPORT_SORT,
	reportList,
	statusAndType,
} from './trainingReportFields';
import { aboutEnrollmentOf, PROGRESS, progressOfPeriod, withProgress } from './progressByPeriod';
import { toJson } from '../core/values';
import { getSummary } from './trainingSummary';

const exportSendingReport = defineOperation({
	value: 'exportSendingReport',
	name: 'Export Sending Report',
	description: 'Get the mails sent for an enrollment, and whether they arrived, as a CSV or Excel file',
	endpoint: 'POST /api/training-reports/{enrollmentId}/sending-report/search/export',
	scope: 'company',
	fields: aboutEnrollment,
	request: ({ enrollment }) => ({ path: { enrollmentId: enrollment.id } }),
	answer: file({
		name: 'sending-report',
		sortable: REPORT_SORT,
		isOnePage: true,
		of: fileOfEnrollment,
	}),
	output: ofEnrollment,
});

const exportUsers = defineOperation({
	value: 'exportUsers',
	name: 'Export Enrolled Users',
	description: 'Get the people of an enrollment and how far they got as a CSV or Excel file',
	endpoint: 'POST /api/training-reports/{enrollmentId}/users/search/export',
	scope: 'company',
	fields: { ...aboutEnrollment, ...optionsOf(statusAndType) },
	request: ({ enrollment, options }) => ({ path: { enrollmentId: enrollment.id }, body: toJson(options) }),
	answer: file({ name: 'users', sortable: REPORT_SORT, of: fileOfEnrollment }),
	output: ofEnrollment,
});

const getCertificates = reportList({
	value: 'getCertificates',
	name: 'Get Certificates',
	description: 'List the certificates that people earned in an enrollment',
	endpoint: 'POST /api/enrollments/{enrollmentId}/certificates/search',
	known: {
		id: ['targetUserResourceId'],
		simplified: [
			'userEmail',
			'status',
			'emailDelivery',
			'createdDate',
			'sentDate',
			'firstSendTime',
			'lastSendTime',
			'enrollmentId',
			'targetUserResourceId',
			'userEmailId',
		],
		others: ['userEmailSendTime', 'customFieldValues'],
	},
});

const getActivity = activityOperation({
	value: 'getActivity',
	name: "Get People's Activity",
	action: 'Get activity of people',
	description: 'List what people did in a period; no ID of a person or an enrollment',
	outputNote:
		"The rows have no person's ID and no enrollment's ID. To act on who is how far, use Get Training Progress of Period.",
	endpoint: 'POST /api/training-reports/activity-users/search',
	known: {
		simplified: [
			'email',
			'firstName',
			'lastName',
			'enrollmentName',
			'trainingStatus',
			'examScore',
			'enrolledOn',
			'startedOn',
			'completedOn',
			'completedCount',
			'notCompletedCount',
		],
		others: [
			'contentType',
			'createTime',
			'lastOpenedDate',
			'lastClickedDate',
			'openedTrainingEmail',
			'clickedTrainingEmail',
		],
	},
});

const getInteractions = defineOperation({
	value: 'getInteractions',
	name: 'Get User Interactions',
	description: 'Get what one person did in an enrollment, step by step',
	endpoint: 'GET /api/training-reports/{enrollmentId}/interactions/{targetUserResourceId}',
	scope: 'company',
	fields: { ...aboutEnrollment, targetUser: pickerOf('enrolledUsers'), ...interactionOptions },
	request: ({ enrollment, targetUser, options }) => ({
		path: { enrollmentId: enrollment.id, targetUserResourceId: targetUser.id },
		query: queryOf(options),
	}),
	answer: plainList(),
	// The rows do not say whose they are.
	output: (json, values) => ofEnrollment({ targetUserResourceId: values.targetUser.id, ...json }, values),
});

const getNotifications = reportList({
	value: 'getNotifications',
	name: 'Get Notifications',
	description: 'List the notifications sent for an enrollment, each with its recipient and status',
	endpoint: 'POST /api/notifications/{enrollmentId}/search',
	known: {
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
		others: [
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
	narrowing: mustHaveValues({
		companyId: wholeNumber({
			displayName: 'Company Number',
			description: "The platform's number of the company, which is not its resource ID",
			default: 0,
			min: 0,
		}),
		enrollmentId: text({
			displayName: 'Enrollment ID in Filter',
			description: 'Only notifications of this enrollment, if it is not the one chosen above',
		}),
		status: text({
			displayName: 'Status',
			description: "Only notifications with this status, in the platform's spelling",
		}),
		type: text({
			displayName: 'Type',
			description: "Only notifications of this type, in the platform's spelling",
		}),
	}),
});

const getReminderMails = reportList({
	value: 'getReminderMails',
	name: 'Get Reminder Mails',
	description: 'List the reminders sent for an enrollment',
	endpoint: 'POST /api/training-reports/{enrollmentId}/reminder-mails/search',
	narrowing: {
		reportAllPages: toggle({
			displayName: 'Report All Pages',
			description: 'Whether to ask the service for everything at once',
			default: true,
		}),
		...statusAndType,
	},
});

const getSendingReport = reportList({
	value: 'getSendingReport',
	name: 'Get Sending Report',
	description: 'List the mails sent for an enrollment and whether they arrived',
	endpoint: 'POST /api/training-reports/{enrollmentId}/sending-report/search',
	known: {
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
		others: ['customFieldValues', 'isMainScore', 'targetUserIsDeleted', 'userId'],
	},
});

const getUsers = reportList({
	value: 'getUsers',
	name: 'Get Enrolled Users',
	description: 'List the people of one enrollment and how far each of them got',
	endpoint: 'POST /api/training-reports/{enrollmentId}/users/search',
	known: PROGRESS,
	perform: async ({ enrollment }, tools) => {
		const found = await tools.send();
		const about = found.length > 0 ? await aboutEnrollmentOf(enrollment.id, getSummary, tools) : { due: null };
		return found.map(({ json, ...each }) => ({ ...each, json: withProgress(json, about) }));
	},
	narrowing: {
		trainingType: platformNumberPicker('trainingTypeNumbers', {
			displayName: 'Training Type',
			description: 'Only this type of training, by its number; 0 is a survey',
			default: 0,
			example: '0',
		}),
	},
});

export const operations = [
	exportUsers,
	exportSendingReport,
	getActivity,
	getCertificates,
	getInteractions,
	getNotifications,
	getReminderMails,
	getSendingReport,
	getSummary,
	getUsers,
	progressOfPeriod(getUsers),
];

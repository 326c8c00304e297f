import { pick } from 'lodash';
import { z } from 'zod';
import { getPersonFields } from '../deployed/lists';
import { parseWithSchema, requireFound } from '../envelope';
import { defineReadRoute, markOutsideContract, type JsonObject, type Route, type RouteCall } from '../http';
import { defineExportRoute, defineSearchRoute, type ListDefinition } from '../paging';
import type { PlatformProfile } from '../profile';
import { buildEnum } from './enrollment-form-details';
import { findTraining } from './enrollments';
import {
	addHours,
	CERTIFICATES_LIST,
	checkSurveyType,
	getProgress,
	NOTIFICATIONS_LIST,
	REMINDERS_LIST,
	SENDING_REPORT_LIST,
	USERS_EXPORT_LIST,
	USERS_LIST,
	type Progress,
} from './training-report-lists';

function buildInteractions(call: RouteCall): unknown {
	checkSurveyType(call, call.query.trainingType === '0');
	const { enrollment, people } = getProgress(call);
	const id = call.params.targetUserResourceId;
	const { user, status, score, sentTime } = requireFound(
		people.find((entry) => entry.user.resourceId === id),
		'target user',
	);
	const steps = status === 'NotStarted' ? [] : ['Opened', 'Started'];
	if (status === 'Completed') steps.push('Completed');
	if (!call.isDeployed)
		return {
			enrollmentName: enrollment.name,
			...getPersonFields(user),
			status,
			score,
			interactions: ['Sent', ...steps].map((type, index) => ({ type, time: addHours(sentTime, index) })),
		};
	// The answers to the questions of a survey are in undocumented fields.
	const answerFields = enrollment.type === 'Survey' ? { questionText: 'How useful was it?', answerText: 'Very' } : {};
	return steps.map((interaction, index) => ({
		stepCount: steps.length,
		interaction,
		trainingOrder: 1,
		currentStep: String(index + 1),
		eventTime: addHours(sentTime, index + 1),
		trackingInfo: { browserName: 'Firefox', userAgent: 'Mozilla/5.0', userGeolocation: 'Berlin, Germany' },
		...answerFields,
	}));
}

const hasFailed = ({ score }: Progress): boolean => score !== null && score < 60;

function buildSummary(call: RouteCall): JsonObject {
	if (call.isDeployed) parseWithSchema(z.object({ trainingType: z.enum(['0']).optional() }).passthrough(), call.query);
	checkSurveyType(call, call.query.trainingType === '0');
	const { enrollment, people } = getProgress(call);
	const count = (isMatch: (progress: Progress) => boolean) => people.filter(isMatch).length;
	const completedCount = count(({ status }) => status === 'Completed');
	const inProgressCount = count(({ status }) => status === 'InProgress');
	const deliveredCount = count(({ isDelivered }) => isDelivered);
	const { name, trainingName, excludeFromReports, status } = enrollment;
	if (!call.isDeployed)
		return {
			enrollmentName: name,
			trainingName,
			status,
			excludeFromReports,
			totalTargetUserCount: people.length,
			startDate: enrollment.startDate,
			failedExamCount: count(hasFailed),
			deliveredCount,
			notStartedCount: people.length - completedCount - inProgressCount,
			inProgressCount,
			completedCount,
			certificateCount: enrollment.awardCertificate ? completedCount : 0,
		};
	const { trainingId, category, type, ...training } = findTraining(call, enrollment);
	const groups = call.companyData.targetGroups.filter(({ resourceId }) =>
		enrollment.targetGroupResourceIds.includes(resourceId),
	);
	const trainingDetails = {
		id: trainingId,
		name: trainingName,
		category,
		trainingTypeName: type,
		...pick(training, ['description', 'hasQuiz']),
		companyName: call.companyData.company.companyName,
	};
	const reportDetail = {
		totalUserOpenedCount: completedCount + inProgressCount,
		totalTargetUserCount: people.length,
		emailDeliveredUserCount: deliveredCount,
		emailErrorUserCount: people.length - deliveredCount,
		noResponseCount: people.length - completedCount - inProgressCount,
		didNotCompleteTrainingCount: inProgressCount,
		failedExamCount: count(hasFailed),
	};
	const { awardCertificate, markedAsTest, resourceId: enrollmentId, delivery } = enrollment;
	return {
		...pick(enrollment, ['name', 'startDate', 'sendTemplatesInPreferredLanguage']),
		trainingDetails,
		reportDetail,
		completedCount,
		inProgressCount,
		languages: training.languages,
		groupCount: groups.length,
		targetGroupNames: groups.map((group) => group.name),
		reminderDescription: 'Every week',
		isTest: markedAsTest,
		deliveryMethod: delivery,
		trainingTypeId: type === 'Survey' ? '0' : '1',
		trainingTypeName: type,
		steps: [{ stepNumber: 1, enrollmentId, trainingName, awardCertificate, reportDetail, trainingDetails }],
	};
}

const FORM_DETAILS = {
	ExamStatus: buildEnum(['First Attempt', 'Passed Any Attempt', 'Failed Any Attempt']),
	UserStatus: buildEnum(['No Responded', 'In Progress', 'Completed']),
};

/** Creates the routes of contract 4.8. */
export function trainingReportRoutes({ reportUserIdField }: PlatformProfile): Route[] {
	const path = '/api/training-reports/{enrollmentId}';
	const userList: ListDefinition = { ...USERS_LIST, idField: reportUserIdField };
	return [
		defineSearchRoute(`POST ${path}/sending-report/search`, SENDING_REPORT_LIST),
		defineExportRoute(`POST ${path}/sending-report/search/export`, SENDING_REPORT_LIST, 'sending-report', false),
		defineSearchRoute('POST /api/enrollments/{enrollmentId}/certificates/search', CERTIFICATES_LIST),
		defineSearchRoute(`POST ${path}/reminder-mails/search`, REMINDERS_LIST),
		defineSearchRoute('POST /api/notifications/{enrollmentId}/search', NOTIFICATIONS_LIST),
		defineReadRoute(`GET ${path}/summary`, buildSummary),
		defineSearchRoute(`POST ${path}/users/search`, userList),
		markOutsideContract(defineExportRoute(`POST ${path}/users/search/export`, USERS_EXPORT_LIST, 'users', false)),
		defineReadRoute(`GET ${path}/interactions/{targetUserResourceId}`, buildInteractions),
		markOutsideContract(defineReadRoute('GET /api/training-reports/form-details', () => FORM_DETAILS)),
	];
}

import omit from 'lodash/omit';
import { z } from 'zod';
import { check, found } from '../envelope';
import { beside, reading, type Call, type Route, type Row } from '../http';
import { guid, numericId } from '../random';
import { enumOf } from '../routes/enrollments';
import { progressOf, type Progress } from '../routes/training-reports';
import { trainingOf } from './enrollments';
import { strictExport, strictSearch, type StrictListing } from './lists';
import { asSurvey, certificates, later, notifications, reminders, sending, users } from './training-report-lists';

function interactions(call: Call): Row[] {
	asSurvey(call, call.query.trainingType === '0');
	const { enrollment, people } = progressOf(call);
	const id = call.params.targetUserResourceId;
	const { user, status, sentTime } = found(
		people.find((entry) => entry.user.resourceId === id),
		'target user',
	);
	const steps = [
		...(status === 'NotStarted' ? [] : ['Opened Email', 'Started']),
		...(status === 'Completed' ? ['Completed'] : []),
	];
	// The answers to a survey's questions come in fields that the description does not list.
	const answer = enrollment.type === 'Survey' ? { questionText: 'How useful was it?', answerText: 'Very' } : {};
	return steps.map((interaction, at) => ({
		...{
			stepCount: steps.length,
			interaction,
			learningPathId: null,
			trainingOrder: 1,
			currentStep: String(at + 1),
			eventTime: later(sentTime, at + 1),
		},
		trackingInfo: {
			browserName: 'Firefox',
			userAgent: 'Mozilla/5.0',
			userGeolocation: 'Berlin, Germany',
			userIpAddresslist: `198.51.100.${numericId(user.resourceId) % 250}`,
		},
		...answer,
	}));
}

function summary(call: Call): Row {
	check(z.object({ trainingType: z.enum(['0']).optional() }).passthrough(), call.query);
	asSurvey(call, call.query.trainingType === '0');
	const { enrollment, people } = progressOf(call);
	const training = trainingOf(call, enrollment);
	const { trainingId, trainingName, description, category, type, hasQuiz, languages } = training;
	const count = (test: (progress: Progress) => boolean) => people.filter(test).length;
	const completed = count(({ status }) => status === 'Completed');
	const inProgress = count(({ status }) => status === 'InProgress');
	const groups = call.companies
		.flatMap((company) => call.world.of(company).targetGroups)
		.filter(({ resourceId }) => enrollment.targetGroupResourceIds.includes(resourceId));
	const trainingDetails = {
		id: trainingId,
		name: trainingName,
		description,
		companyName: call.home.company.companyName,
		category,
		trainingTypeName: type,
		hasQuiz,
	};
	const reportDetail = {
		...{
			totalUserOpenedCount: completed + inProgress,
			totalTargetUserCount: people.length,
			onlyOpenedCount: 0,
			totalNonTargetUserCount: 0,
		},
		...{
			emailDeliveredUserCount: count(({ delivered }) => delivered),
			emailErrorUserCount: count(({ delivered }) => !delivered),
		},
		...{
			noResponseCount: people.length - completed - inProgress,
			didNotCompleteTrainingCount: inProgress,
			didNotCompleteExamCount: 0,
		},
		failedExamCount: count(({ score }) => score !== null && score < 60),
	};
	const {
		name,
		startDate,
		awardCertificate,
		markedAsTest,
		resourceId: enrollmentId,
		delivery,
		sendTemplatesInPreferredLanguage,
	} = enrollment;
	return {
		...{
			trainingDetails,
			reportDetail,
			startDate,
			name,
			completedCount: completed,
			inProgressCount: inProgress,
			groupCount: groups.length,
		},
		...{
			targetGroupNames: groups.map((group) => group.name),
			languages,
			reminderDescription: 'Every week',
			autoEnrollDescription: null,
		},
		reminderSettings: { periodCount: 1, periodType: 'Week', endType: 'Occurrence', occurrenceCount: 3, stopTime: null },
		autoEnrollSettings: { type: 'None', dayOfWeek: 1, emailPeriodTypeEnum: 'Week', periodCount: 1 },
		trainingEmailNotificationTemplateTypeResourceId: guid('template training'),
		certificateEmailNotificationTemplateTypeResourceId: guid('template certificate'),
		...{ certificateAttachmentResourceId: null, isTest: markedAsTest, isScormProxy: false },
		smsSummary: { providerNumberResourceId: null, smsPhoneNumber: null, template: null, sentCount: 0 },
		...{ trainingTypeId: type === 'Survey' ? '0' : '1', trainingTypeName: type },
		steps: [{ stepNumber: 1, enrollmentId, trainingName, awardCertificate, reportDetail, trainingDetails }],
		...{ distributionDescription: 'At once', deliveryMethod: delivery, sendTemplatesInPreferredLanguage },
	};
}

const details = {
	ExamStatus: enumOf(['First Attempt', 'Passed Any Attempt', 'Failed Any Attempt']),
	UserStatus: enumOf(['No Responded', 'In Progress', 'Completed']),
};

/** The file of the people, whose type is text and need not be told. */
const usersFile: StrictListing = {
	...omit(users, ['before']),
	...{ required: 'none', filter: 'optional' },
	fields: { trainingType: z.string().nullish(), showByExamStatus: z.string().nullish() },
};

/** Training reports. */
export function trainingReportRoutes(): Route[] {
	const path = '/api/training-reports/{enrollmentId}';
	return [
		strictSearch(`POST ${path}/sending-report/search`, sending),
		strictExport(
			`POST ${path}/sending-report/search/export`,
			{ ...sending, filter: 'optional' },
			'sending-report',
			false,
		),
		strictSearch('POST /api/enrollments/{enrollmentId}/certificates/search', certificates),
		strictSearch(`POST ${path}/reminder-mails/search`, reminders),
		strictSearch('POST /api/notifications/{enrollmentId}/search', notifications),
		reading(`GET ${path}/summary`, summary),
		strictSearch(`POST ${path}/users/search`, users),
		beside(strictExport(`POST ${path}/users/search/export`, usersFile, 'users', false)),
		reading(`GET ${path}/interactions/{targetUserResourceId}`, interactions),
		beside(reading('GET /api/training-reports/form-details', () => details)),
	];
}

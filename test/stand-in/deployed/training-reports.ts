import { z } from 'zod';
import { check, found, int32, invalid } from '../envelope';
import { beside, reading, type Call, type Route, type Row } from '../http';
import { guid, numericId, shortId } from '../random';
import { enumOf } from '../routes/enrollments';
import { progressOf, type Progress } from '../routes/training-reports';
import type { Enrollment } from '../seed';
import { trainingOf } from './enrollments';
import { customFieldValues, person, phoneNumber, strictExport, strictSearch, type StrictListing } from './lists';

const HOUR = 3_600_000;
const later = (time: string, hours: number): string => new Date(Date.parse(time) + hours * HOUR).toISOString();

type MakeRow = (progress: Progress, enrollment: Enrollment) => Row | undefined;

const rowsOf =
	(make: MakeRow) =>
	(call: Call): Row[] => {
		const { enrollment, people } = progressOf(call);
		return people.map((progress) => make(progress, enrollment)).filter((row) => row !== undefined);
	};

const report = (make: MakeRow, sorts: readonly string[], more: Partial<StrictListing> = {}): StrictListing => ({
	rows: rowsOf(make),
	id: 'resourceId',
	name: 'email',
	required: 'none',
	filter: 'optional',
	text: ['email', 'firstName', 'lastName'],
	sorts,
	...more,
});

/** What every report says of somebody. The row's own resourceId is not the person's. */
const about = (what: string, { user }: Progress, { resourceId }: Enrollment): Row => ({
	...{
		enrollmentId: resourceId,
		targetUserResourceId: user.resourceId,
		userId: numericId(user.resourceId),
		resourceId: shortId(`${what} ${resourceId} ${user.resourceId}`),
	},
	...{ ...person(user), isMainScore: true, customFieldValues: customFieldValues(user) },
});

const PERSON = ['FirstName', 'LastName', 'Email', 'Department'];

const sending = report(
	(progress, enrollment) => ({
		...{
			emailDelivery: enrollment.delivery,
			firstSendDate: progress.sentTime,
			lastSendDate: later(progress.sentTime, 1),
		},
		lastSendingStatus: progress.delivered ? 'Delivered' : 'Error',
		errorMessage: progress.delivered ? null : `"${progress.user.email}" is not in the allowed domain list`,
		...{ targetUserStatus: 'Active', targetUserIsDeleted: false, ...about('mail', progress, enrollment) },
	}),
	[
		...PERSON,
		'EmailDelivery',
		'FirstSendDate',
		'LastSendDate',
		'LastSendingStatus',
		'ErrorMessage',
		'TargetUserStatus',
	],
	{ filter: 'required' },
);

const certificates = report(
	({ user, status, sentTime }, { resourceId, awardCertificate, delivery }) =>
		status === 'Completed' && awardCertificate
			? {
					...{
						targetUserResourceId: user.resourceId,
						userEmail: user.email,
						sentDate: later(sentTime, 50),
						status: 'Sent',
						userEmailId: guid(`certificate ${resourceId} ${user.resourceId}`),
					},
					...{
						createdDate: later(sentTime, 49),
						userEmailSendTime: later(sentTime, 50),
						firstSendTime: later(sentTime, 50),
						lastSendTime: later(sentTime, 50),
					},
					...{ emailDelivery: delivery, customFieldValues: customFieldValues(user) },
				}
			: undefined,
	[
		'UserEmail',
		'SentDate',
		'Status',
		'CreatedDate',
		'UserEmailSendTime',
		'FirstSendTime',
		'LastSendTime',
		'EmailDelivery',
	],
	{ id: 'userEmailId', name: 'userEmail', text: ['userEmail'] },
);

const reminders = report(
	({ user, status, sentTime }, { resourceId, hasReminder, delivery }) =>
		status !== 'Completed' && hasReminder
			? {
					...{
						userEmailId: guid(`reminder ${resourceId} ${user.resourceId}`),
						email: user.email,
						emailDelivery: delivery,
					},
					...{
						firstSendDate: later(sentTime, 168),
						lastSendDate: later(sentTime, 336),
						lastSendingStatus: 'Delivered',
					},
				}
			: undefined,
	['Email', 'EmailDelivery', 'FirstSendDate', 'LastSendDate', 'LastSendingStatus'],
	{
		id: 'userEmailId',
		text: ['email'],
		filter: 'required',
		fields: {
			trainingType: z.string().nullish(),
			reportAllPages: z.boolean().nullish(),
			showByExamStatus: z.string().nullish(),
		},
	},
);

const notifications = report(
	({ user, delivered, sentTime }, { resourceId, companyResourceId, name, trainingName }) => ({
		...{
			id: numericId(`${resourceId} ${user.resourceId}`),
			companyId: numericId(companyResourceId),
			tenantId: 'tenant-1',
			targetUserId: numericId(user.resourceId),
		},
		...{
			tenantUserId: guid(`tenant user ${user.resourceId}`),
			firstSendDate: sentTime,
			lastSendingStatus: delivered ? 'Delivered' : 'Error',
			...person(user),
		},
		...{
			status: delivered ? 'Sent' : 'Failed',
			type: 'Email',
			enrollmentId: resourceId,
			errorMessage: delivered ? null : 'Mailbox unavailable',
		},
		...{ lastSendDate: later(sentTime, 1), createTime: sentTime, retryCount: delivered ? 0 : 3, maxRetryCount: 3 },
		...{
			trainingUrl: `https://learn.awareness.example/${resourceId}`,
			trainingTitle: trainingName,
			activityContent: name,
		},
		...{ fullName: `${user.firstName} ${user.lastName}`, canResend: !delivered },
	}),
	[
		...PERSON,
		'Id',
		'FirstSendDate',
		'LastSendingStatus',
		'Status',
		'Type',
		'LastSendDate',
		'CreateTime',
		'RetryCount',
		'TrainingTitle',
		'FullName',
	],
	{
		id: 'id',
		fields: {
			companyId: int32.nullish(),
			enrollmentId: z.string().nullish(),
			status: z.string().nullish(),
			type: z.string().nullish(),
		},
		keep:
			({ companyId, status, type }) =>
			(row) =>
				[
					[companyId, row.companyId],
					[status, row.status],
					[type, row.type],
				].every(([wanted, value]) => wanted === undefined || wanted === null || wanted === '' || wanted === value),
	},
);

/** A survey's report cannot be read without trainingType 0. What that does to another report is told nowhere. */
function asSurvey(call: Call, isSurveyAsked: boolean): void {
	const { enrollment } = progressOf(call);
	if (enrollment.type === 'Survey' && !isSurveyAsked)
		throw invalid('The TrainingType field is not the one of the enrollment.');
}

const users = report(
	(progress, enrollment) => ({
		firstCompletionDate: progress.status === 'Completed' ? later(progress.sentTime, 48) : null,
		lastInteractionDate: progress.status === 'NotStarted' ? null : later(progress.sentTime, 24),
		...{
			deliveryType: enrollment.delivery,
			phoneNumber: phoneNumber(progress.user),
			currentStep: progress.status === 'NotStarted' ? '0' : '1',
		},
		status: { NotStarted: 'No Responded', InProgress: 'In Progress', Completed: 'Completed' }[progress.status],
		examStatusName: progress.score === null ? 'Incomplete' : progress.score >= 60 ? 'Success' : 'Failed',
		...{
			examScore: progress.score,
			lastInteractedStep: progress.status === 'NotStarted' ? null : '1',
			...about('report', progress, enrollment),
		},
	}),
	[
		...PERSON,
		'FirstCompletionDate',
		'LastInteractionDate',
		'DeliveryType',
		'PhoneNumber',
		'CurrentStep',
		'Status',
		'ExamStatusName',
		'ExamScore',
	],
	{
		required: 'all',
		filter: 'required',
		fields: { trainingType: int32.nullish() },
		before: (sent, call) => asSurvey(call, sent.trainingType === 0),
	},
);

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

/** Training reports. Every list has sort names of its own. */
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
		reading(`GET ${path}/interactions/{targetUserResourceId}`, interactions),
		beside(reading('GET /api/training-reports/form-details', () => details)),
	];
}

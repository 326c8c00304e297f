import { omit, pick } from 'lodash';
import { z } from 'zod';
import { check, found, int32, invalid } from '../envelope';
import { customFieldValues, person, phoneNumber } from '../deployed/lists';
import { beside, reading, type Call, type Route, type Row } from '../http';
import { exportOf, search, type Listing } from '../paging';
import type { Personality } from '../personality';
import { between, guid, numericId, seeded, shortId } from '../random';
import type { Enrollment, TargetUser } from '../seed';
import { enrollmentOf, enumOf, trainingOf } from './enrollments';

/** How far one person is. */
export interface Progress {
	user: TargetUser;
	status: 'NotStarted' | 'InProgress' | 'Completed';
	score: number | null;
	delivered: boolean;
	sentTime: string;
}

/** The progress of all people in an enrollment. Nobody has any before it was sent. */
export function progressOf(call: Call): { enrollment: Enrollment; people: Progress[] } {
	const enrollment = enrollmentOf(call, call.params.enrollmentId);
	const holdings = call.world.of(enrollment.companyResourceId);
	const users = enrollment.sendCount > 0 ? holdings.members(enrollment.targetGroupResourceIds) : [];
	const people = users.map((user): Progress => {
		const next = seeded(`${enrollment.resourceId} ${user.resourceId}`);
		const luck = next();
		const isDone = enrollment.status === 'Completed' || luck > 0.6;
		const status = !enrollment.seeded ? 'NotStarted' : isDone ? 'Completed' : luck > 0.3 ? 'InProgress' : 'NotStarted';
		const score = status === 'Completed' ? between(next, 40, 100) : null;
		return { user, status, score, delivered: next() > 0.05, sentTime: enrollment.startDate };
	});
	return { enrollment, people };
}

/** Some hours later, but not in the future. */
const later = (time: string, hours: number, sent = Date.parse(time)): string =>
	new Date(Math.min(sent + hours * 3_600_000, Math.max(sent, Date.now()))).toISOString();

type MakeRow = (progress: Progress, enrollment: Enrollment) => Row | undefined;

/** A list with a row for each person that it has something to say about: as the contract reads, and as deployed. */
function report(contract: MakeRow, deployed: MakeRow, more: Partial<Listing> = {}): Listing {
	return {
		rows(call) {
			const { enrollment, people } = progressOf(call);
			const make = call.isDeployed ? deployed : contract;
			return people.map((progress) => make(progress, enrollment)).filter((row) => row !== undefined);
		},
		id: 'resourceId',
		name: 'email',
		text: ['email', 'firstName', 'lastName'],
		...more,
	};
}

/** The fields of a person that every deployed report has. The row's own resourceId is not the person's. */
const about = (what: string, { user }: Progress, { resourceId }: Enrollment): Row => ({
	enrollmentId: resourceId,
	targetUserResourceId: user.resourceId,
	userId: numericId(user.resourceId),
	resourceId: shortId(`${what} ${resourceId} ${user.resourceId}`),
	...person(user),
	isMainScore: true,
	customFieldValues: customFieldValues(user),
});

const SENDING = report(
	({ user, delivered, sentTime }, { resourceId, name }) => ({
		resourceId: guid(`mail ${resourceId} ${user.resourceId}`),
		targetUserResourceId: user.resourceId,
		...person(user),
		subject: name,
		deliveryStatus: delivered ? 'Delivered' : 'Bounced',
		sentTime,
	}),
	(progress, enrollment) => ({
		emailDelivery: enrollment.delivery,
		firstSendDate: progress.sentTime,
		targetUserStatus: 'Active',
		lastSendDate: later(progress.sentTime, 1),
		lastSendingStatus: progress.delivered ? 'Delivered' : 'Error',
		errorMessage: progress.delivered ? null : `"${progress.user.email}" is not in the allowed domain list`,
		...about('mail', progress, enrollment),
	}),
);

const hasCertificate = ({ status }: Progress, { awardCertificate }: Enrollment) =>
	status === 'Completed' && awardCertificate;
const certificateId = ({ user }: Progress, { resourceId }: Enrollment) =>
	guid(`certificate ${resourceId} ${user.resourceId}`);

const CERTIFICATES = report(
	(progress, enrollment) => {
		if (!hasCertificate(progress, enrollment)) return undefined;
		const { user, score } = progress;
		return {
			resourceId: certificateId(progress, enrollment),
			...person(user),
			certificateName: enrollment.certificateName,
			score,
		};
	},
	(progress, enrollment) => {
		if (!hasCertificate(progress, enrollment)) return undefined;
		const { user, sentTime } = progress;
		const sent = later(sentTime, 50);
		return {
			targetUserResourceId: user.resourceId,
			userEmail: user.email,
			status: 'Sent',
			sentDate: sent,
			userEmailId: certificateId(progress, enrollment),
			createdDate: later(sentTime, 49),
			userEmailSendTime: sent,
			firstSendTime: sent,
			lastSendTime: sent,
			emailDelivery: enrollment.delivery,
			customFieldValues: customFieldValues(user),
		};
	},
	{ text: ['email', 'userEmail'] },
);

const isReminded = ({ status }: Progress, { hasReminder }: Enrollment) => status !== 'Completed' && hasReminder;
const reminderId = ({ user }: Progress, { resourceId }: Enrollment) =>
	guid(`reminder ${resourceId} ${user.resourceId}`);

const REMINDERS = report(
	(progress, enrollment) => {
		if (!isReminded(progress, enrollment)) return undefined;
		const { user, status } = progress;
		return {
			resourceId: reminderId(progress, enrollment),
			...person(user),
			status,
			reminderNumber: 1,
			trainingType: enrollment.type,
		};
	},
	(progress, enrollment) =>
		isReminded(progress, enrollment)
			? {
					userEmailId: reminderId(progress, enrollment),
					email: progress.user.email,
					emailDelivery: enrollment.delivery,
					lastSendingStatus: 'Delivered',
					firstSendDate: later(progress.sentTime, 168),
					lastSendDate: later(progress.sentTime, 336),
				}
			: undefined,
	{
		fields: {
			trainingType: z.string().nullish(),
			reportAllPages: z.boolean().nullish(),
			showByExamStatus: z.string().nullish(),
		},
	},
);

const NOTIFICATIONS = report(
	({ user, delivered, sentTime }, { resourceId }) => ({
		resourceId: guid(`notification ${resourceId} ${user.resourceId}`),
		...person(user),
		type: 'Email',
		status: delivered ? 'Sent' : 'Failed',
		createTime: sentTime,
	}),
	({ user, delivered, sentTime }, { resourceId, companyResourceId, name, trainingName }) => ({
		id: numericId(`${resourceId} ${user.resourceId}`),
		companyId: numericId(companyResourceId),
		tenantId: 'tenant-1',
		targetUserId: numericId(user.resourceId),
		type: 'Email',
		enrollmentId: resourceId,
		tenantUserId: guid(`tenant user ${user.resourceId}`),
		...person(user),
		status: delivered ? 'Sent' : 'Failed',
		lastSendingStatus: delivered ? 'Delivered' : 'Error',
		errorMessage: delivered ? null : 'Mailbox unavailable',
		canResend: !delivered,
		firstSendDate: sentTime,
		lastSendDate: later(sentTime, 1),
		createTime: sentTime,
		retryCount: delivered ? 0 : 3,
		maxRetryCount: 3,
		trainingTitle: trainingName,
		activityContent: name,
		trainingUrl: `https://learn.awareness.example/${resourceId}`,
		fullName: `${user.firstName} ${user.lastName}`,
	}),
	{
		fields: {
			companyId: int32.nullish(),
			enrollmentId: z.string().nullish(),
			status: z.string().nullish(),
			type: z.string().nullish(),
		},
		keep: ({ companyId, status, type }) => {
			const wanted = Object.entries({ companyId, status, type }).filter(([, value]) => value ?? '');
			return (row) => wanted.every(([name, value]) => row[name] === undefined || row[name] === value);
		},
	},
);

/** The report of a survey requires trainingType 0 of a live deployment. It is not documented what that value does in other reports. */
function asSurvey(call: Call, isSurveyAsked: boolean): void {
	if (call.isDeployed && progressOf(call).enrollment.type === 'Survey' && !isSurveyAsked)
		throw invalid('The TrainingType field is not the one of the enrollment.');
}

const STATUS = { NotStarted: 'No Responded', InProgress: 'In Progress', Completed: 'Completed' };
const examStatus = (score: number | null) => (score === null ? 'Incomplete' : score >= 60 ? 'Success' : 'Failed');

const USERS = report(
	({ user, status, score }) => ({
		resourceId: user.resourceId,
		...person(user),
		language: user.language,
		status,
		score,
	}),
	(progress, enrollment) => {
		const { user, status, score, sentTime } = progress;
		const step = status === 'NotStarted' ? null : '1';
		return {
			firstCompletionDate: status === 'Completed' ? later(sentTime, 48) : null,
			lastInteractionDate: status === 'NotStarted' ? null : later(sentTime, 24),
			deliveryType: enrollment.delivery,
			phoneNumber: phoneNumber(user),
			status: STATUS[status],
			examStatusName: examStatus(score),
			examScore: score,
			currentStep: step ?? '0',
			lastInteractedStep: step,
			...about('report', progress, enrollment),
		};
	},
	{
		// The "optional status value" of the contract travels as trainingType, a number or a text; deployed, as a number.
		fields: { trainingType: z.union([int32, z.string()]).nullish() },
		before({ trainingType }, call) {
			if (call.isDeployed && typeof trainingType === 'string') throw invalid('The TrainingType field is not valid.');
			asSurvey(call, trainingType === 0);
		},
	},
);

function interactions(call: Call): unknown {
	asSurvey(call, call.query.trainingType === '0');
	const { enrollment, people } = progressOf(call);
	const id = call.params.targetUserResourceId;
	const { user, status, score, sentTime } = found(
		people.find((entry) => entry.user.resourceId === id),
		'target user',
	);
	const hasBegun = status === 'NotStarted' ? [] : ['Opened', 'Started'];
	const steps = [...hasBegun, ...(status === 'Completed' ? ['Completed'] : [])];
	if (!call.isDeployed)
		return {
			enrollmentName: enrollment.name,
			...person(user),
			status,
			score,
			interactions: ['Sent', ...steps].map((type, at) => ({ type, time: later(sentTime, at) })),
		};
	// The answers to a survey's questions come in fields that the description does not list.
	const answer = enrollment.type === 'Survey' ? { questionText: 'How useful was it?', answerText: 'Very' } : {};
	return steps.map((interaction, at) => ({
		stepCount: steps.length,
		interaction,
		trainingOrder: 1,
		currentStep: String(at + 1),
		eventTime: later(sentTime, at + 1),
		trackingInfo: { browserName: 'Firefox', userAgent: 'Mozilla/5.0', userGeolocation: 'Berlin, Germany' },
		...answer,
	}));
}

const hasFailed = ({ score }: Progress): boolean => score !== null && score < 60;

function summary(call: Call): Row {
	if (call.isDeployed) check(z.object({ trainingType: z.enum(['0']).optional() }).passthrough(), call.query);
	asSurvey(call, call.query.trainingType === '0');
	const { enrollment, people } = progressOf(call);
	const count = (test: (progress: Progress) => boolean) => people.filter(test).length;
	const completedCount = count(({ status }) => status === 'Completed');
	const inProgressCount = count(({ status }) => status === 'InProgress');
	const deliveredCount = count(({ delivered }) => delivered);
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
	const { trainingId, category, type, ...training } = trainingOf(call, enrollment);
	const groups = call.home.targetGroups.filter(({ resourceId }) =>
		enrollment.targetGroupResourceIds.includes(resourceId),
	);
	const trainingDetails = {
		id: trainingId,
		name: trainingName,
		category,
		trainingTypeName: type,
		...pick(training, ['description', 'hasQuiz']),
		companyName: call.home.company.companyName,
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

const DETAILS = {
	ExamStatus: enumOf(['First Attempt', 'Passed Any Attempt', 'Failed Any Attempt']),
	UserStatus: enumOf(['No Responded', 'In Progress', 'Completed']),
};

/** The file of the people, whose type is text and need not be told (deployment beyond). */
const USERS_FILE: Listing = {
	...omit(USERS, ['before']),
	fields: { trainingType: z.string().nullish(), showByExamStatus: z.string().nullish() },
};

/** Contract 4.8. */
export function trainingReportRoutes({ reportUserId }: Personality): Route[] {
	const path = '/api/training-reports/{enrollmentId}';
	const users = { ...USERS, id: reportUserId };
	return [
		search(`POST ${path}/sending-report/search`, SENDING),
		exportOf(`POST ${path}/sending-report/search/export`, SENDING, 'sending-report', false),
		search('POST /api/enrollments/{enrollmentId}/certificates/search', CERTIFICATES),
		search(`POST ${path}/reminder-mails/search`, REMINDERS),
		search('POST /api/notifications/{enrollmentId}/search', NOTIFICATIONS),
		reading(`GET ${path}/summary`, summary),
		search(`POST ${path}/users/search`, users),
		beside(exportOf(`POST ${path}/users/search/export`, USERS_FILE, 'users', false)),
		reading(`GET ${path}/interactions/{targetUserResourceId}`, interactions),
		beside(reading('GET /api/training-reports/form-details', () => DETAILS)),
	];
}

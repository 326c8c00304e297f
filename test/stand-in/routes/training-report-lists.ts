/** The lists of training reports, in the form of the contract and in the form of live deployments. */
import { omit } from 'lodash';
import { z } from 'zod';
import { buildCustomFieldValues, getPersonFields, getPhoneNumber } from '../deployed/lists';
import { createBadRequestError, int32Schema } from '../envelope';
import type { JsonObject, RouteCall } from '../http';
import type { ListDefinition } from '../paging';
import { createRandom, drawInteger, makeGuid, makeNumericId, makeShortId } from '../random';
import type { Enrollment, TargetUser } from '../seed';
import type { World } from '../world';
import { findEnrollment } from './enrollments';

type ProgressStatus = 'NotStarted' | 'InProgress' | 'Completed';

/** The progress of one person in an enrollment. */
export interface Progress {
	user: TargetUser;
	status: ProgressStatus;
	score: number | null;
	/** True if the enrollment's email was delivered to the user. */
	isDelivered: boolean;
	sentTime: string;
	/** The time at which the email was last sent to the user; it is later than `sentTime` if it was resent. */
	lastSentTime: string;
}

/** The time at which an enrollment was last resent to each user, by the user's ID. */
export const resendTimesSchema = z.record(z.string()).default({});
/** The time at which each user was enrolled after the start of the enrollment, for example automatically, by the user's ID. */
const lateEnrollmentsSchema = z.record(z.string()).default({});

/** Returns an enrollment and the progress of everyone in it. Before the enrollment is sent, `people` is empty. */
export function getProgress(call: RouteCall): { enrollment: Enrollment; people: Progress[] } {
	const enrollment = findEnrollment(call, call.params.enrollmentId);
	return { enrollment, people: listProgress(call.world, enrollment) };
}

/** Returns the progress of everyone in an enrollment. Before the enrollment is sent, there is no one. */
export function listProgress(world: World, enrollment: Enrollment): Progress[] {
	const companyData = world.getCompanyData(enrollment.companyResourceId);
	const users = enrollment.sendCount > 0 ? companyData.getGroupMembers(enrollment.targetGroupResourceIds) : [];
	const notes = world.getNotes(enrollment.resourceId);
	const resendTimes = resendTimesSchema.parse(notes.resendTimes);
	const lateEnrollments = lateEnrollmentsSchema.parse(notes.lateEnrollments);
	return users.map((user): Progress => {
		const random = createRandom(`${enrollment.resourceId} ${user.resourceId}`);
		const drawnProgress = random();
		const isCompleted = enrollment.status === 'Completed' || drawnProgress > 0.6;
		let status: ProgressStatus = 'NotStarted';
		if (enrollment.isSeeded && isCompleted) status = 'Completed';
		else if (enrollment.isSeeded && drawnProgress > 0.3) status = 'InProgress';
		const score = status === 'Completed' ? drawInteger(random, 40, 100) : null;
		const sentTime = lateEnrollments[user.resourceId] ?? enrollment.startDate;
		const lastSentTime = resendTimes[user.resourceId] ?? addHours(sentTime, 1);
		return { user, status, score, isDelivered: random() > 0.05, sentTime, lastSentTime };
	});
}

/** The time at which this process started. */
const STARTED_AT = Date.now();

/**
 * Adds hours to a time. The result is at most the time at which this process started, or the time itself if that is
 * later. So it is the same in every answer.
 */
export function addHours(time: string, hours: number): string {
	const start = Date.parse(time);
	return new Date(Math.min(start + hours * 3_600_000, Math.max(start, STARTED_AT))).toISOString();
}

/**
 * A function that builds the row of one person in a report, or returns undefined if the report does not include the
 * person.
 */
type RowBuilder = (progress: Progress, enrollment: Enrollment) => JsonObject | undefined;

/**
 * Defines a report: a list with at most one row for each person. The rows differ between the contract's platform and
 * live deployments.
 */
function defineReportList(
	buildContractRow: RowBuilder,
	buildDeployedRow: RowBuilder,
	options: Partial<ListDefinition> = {},
): ListDefinition {
	return {
		getRows(call) {
			const { enrollment, people } = getProgress(call);
			const buildRow = call.isDeployed ? buildDeployedRow : buildContractRow;
			return people.map((progress) => buildRow(progress, enrollment)).filter((row) => row !== undefined);
		},
		idField: 'resourceId',
		nameField: 'email',
		textFields: ['email', 'firstName', 'lastName'],
		...options,
	};
}

/**
 * Builds the fields of a person that every report of live deployments has. The row's resourceId differs from the user's.
 */
function buildPersonFields(idPrefix: string, { user }: Progress, { resourceId }: Enrollment): JsonObject {
	return {
		enrollmentId: resourceId,
		targetUserResourceId: user.resourceId,
		userId: makeNumericId(user.resourceId),
		resourceId: makeShortId(`${idPrefix} ${resourceId} ${user.resourceId}`),
		...getPersonFields(user),
		isMainScore: true,
		customFieldValues: buildCustomFieldValues(user),
	};
}

export const SENDING_REPORT_LIST = defineReportList(
	({ user, isDelivered, sentTime }, { resourceId, name }) => ({
		resourceId: makeGuid(`mail ${resourceId} ${user.resourceId}`),
		targetUserResourceId: user.resourceId,
		...getPersonFields(user),
		subject: name,
		deliveryStatus: isDelivered ? 'Delivered' : 'Bounced',
		sentTime,
	}),
	(progress, enrollment) => ({
		emailDelivery: enrollment.delivery,
		firstSendDate: progress.sentTime,
		targetUserStatus: 'Active',
		lastSendDate: progress.lastSentTime,
		lastSendingStatus: progress.isDelivered ? 'Delivered' : 'Error',
		errorMessage: progress.isDelivered ? null : `"${progress.user.email}" is not in the allowed domain list`,
		...buildPersonFields('mail', progress, enrollment),
	}),
);

function hasCertificate({ status }: Progress, { awardCertificate }: Enrollment): boolean {
	return status === 'Completed' && awardCertificate;
}

function getCertificateId({ user }: Progress, { resourceId }: Enrollment): string {
	return makeGuid(`certificate ${resourceId} ${user.resourceId}`);
}

export const CERTIFICATES_LIST = defineReportList(
	(progress, enrollment) => {
		if (!hasCertificate(progress, enrollment)) return undefined;
		const { user, score } = progress;
		return {
			resourceId: getCertificateId(progress, enrollment),
			...getPersonFields(user),
			certificateName: enrollment.certificateName,
			score,
		};
	},
	(progress, enrollment) => {
		if (!hasCertificate(progress, enrollment)) return undefined;
		const { user, sentTime } = progress;
		const sentDate = addHours(sentTime, 50);
		return {
			targetUserResourceId: user.resourceId,
			userEmail: user.email,
			status: 'Sent',
			sentDate,
			userEmailId: getCertificateId(progress, enrollment),
			createdDate: addHours(sentTime, 49),
			userEmailSendTime: sentDate,
			firstSendTime: sentDate,
			lastSendTime: sentDate,
			emailDelivery: enrollment.delivery,
			customFieldValues: buildCustomFieldValues(user),
		};
	},
	{ textFields: ['email', 'userEmail'] },
);

function isReminded({ status }: Progress, { hasReminder }: Enrollment): boolean {
	return status !== 'Completed' && hasReminder;
}

function getReminderId({ user }: Progress, { resourceId }: Enrollment): string {
	return makeGuid(`reminder ${resourceId} ${user.resourceId}`);
}

export const REMINDERS_LIST = defineReportList(
	(progress, enrollment) => {
		if (!isReminded(progress, enrollment)) return undefined;
		const { user, status } = progress;
		return {
			resourceId: getReminderId(progress, enrollment),
			...getPersonFields(user),
			status,
			reminderNumber: 1,
			trainingType: enrollment.type,
		};
	},
	(progress, enrollment) =>
		isReminded(progress, enrollment)
			? {
					userEmailId: getReminderId(progress, enrollment),
					email: progress.user.email,
					emailDelivery: enrollment.delivery,
					lastSendingStatus: 'Delivered',
					firstSendDate: addHours(progress.sentTime, 168),
					lastSendDate: addHours(progress.sentTime, 336),
				}
			: undefined,
	{
		extraBodyFields: {
			trainingType: z.string().nullish(),
			reportAllPages: z.boolean().nullish(),
			showByExamStatus: z.string().nullish(),
		},
	},
);

export const NOTIFICATIONS_LIST = defineReportList(
	({ user, isDelivered, sentTime }, { resourceId }) => ({
		resourceId: makeGuid(`notification ${resourceId} ${user.resourceId}`),
		...getPersonFields(user),
		type: 'Email',
		status: isDelivered ? 'Sent' : 'Failed',
		createTime: sentTime,
	}),
	({ user, isDelivered, sentTime }, { resourceId, companyResourceId, name, trainingName }) => ({
		id: makeNumericId(`${resourceId} ${user.resourceId}`),
		companyId: makeNumericId(companyResourceId),
		tenantId: 'tenant-1',
		targetUserId: makeNumericId(user.resourceId),
		type: 'Email',
		enrollmentId: resourceId,
		tenantUserId: makeGuid(`tenant user ${user.resourceId}`),
		...getPersonFields(user),
		status: isDelivered ? 'Sent' : 'Failed',
		lastSendingStatus: isDelivered ? 'Delivered' : 'Error',
		errorMessage: isDelivered ? null : 'Mailbox unavailable',
		canResend: !isDelivered,
		firstSendDate: sentTime,
		lastSendDate: addHours(sentTime, 1),
		createTime: sentTime,
		retryCount: isDelivered ? 0 : 3,
		maxRetryCount: 3,
		trainingTitle: trainingName,
		activityContent: name,
		trainingUrl: `https://learn.awareness.example/${resourceId}`,
		fullName: `${user.firstName} ${user.lastName}`,
	}),
	{
		extraBodyFields: {
			companyId: int32Schema.nullish(),
			enrollmentId: z.string().nullish(),
			status: z.string().nullish(),
			type: z.string().nullish(),
		},
		createRowFilter: ({ companyId, status, type }) => {
			const expectedValues = Object.entries({ companyId, status, type }).filter(([, value]) => value ?? '');
			return (row) => expectedValues.every(([name, value]) => row[name] === undefined || row[name] === value);
		},
	},
);

/**
 * Checks the training type of a request. Live deployments require type 0 for a survey. For other trainings, the documents
 * do not say what that type does, so every type is accepted.
 * @param hasSurveyType true if the request has type 0
 * @throws HttpError 400
 */
export function checkSurveyType(call: RouteCall, hasSurveyType: boolean): void {
	if (call.isDeployed && getProgress(call).enrollment.type === 'Survey' && !hasSurveyType)
		throw createBadRequestError('The TrainingType field is not the one of the enrollment.');
}

const DEPLOYED_PROGRESS_NAMES = { NotStarted: 'No Responded', InProgress: 'In Progress', Completed: 'Completed' };

function getExamStatus(score: number | null): string {
	if (score === null) return 'Incomplete';
	return score >= 60 ? 'Success' : 'Failed';
}

export const USERS_LIST = defineReportList(
	({ user, status, score }) => ({
		resourceId: user.resourceId,
		...getPersonFields(user),
		language: user.language,
		status,
		score,
	}),
	(progress, enrollment) => {
		const { user, status, score, sentTime } = progress;
		const step = status === 'NotStarted' ? null : '1';
		return {
			firstCompletionDate: status === 'Completed' ? addHours(sentTime, 48) : null,
			lastInteractionDate: status === 'NotStarted' ? null : addHours(sentTime, 24),
			deliveryType: enrollment.delivery,
			phoneNumber: getPhoneNumber(user),
			status: DEPLOYED_PROGRESS_NAMES[status],
			examStatusName: getExamStatus(score),
			examScore: score,
			currentStep: step ?? '0',
			lastInteractedStep: step,
			...buildPersonFields('report', progress, enrollment),
		};
	},
	{
		// The field trainingType is what the contract calls an "optional status value". It is a number or a text. Live
		// deployments accept only a number.
		extraBodyFields: { trainingType: z.union([int32Schema, z.string()]).nullish() },
		checkBody({ trainingType }, call) {
			if (call.isDeployed && typeof trainingType === 'string')
				throw createBadRequestError('The TrainingType field is not valid.');
			checkSurveyType(call, trainingType === 0);
		},
	},
);

/**
 * The list of users for their export, which takes the training type as a text (deployment beyond, "Training reports").
 */
export const USERS_EXPORT_LIST: ListDefinition = {
	...omit(USERS_LIST, ['checkBody']),
	extraBodyFields: { trainingType: z.string().nullish(), showByExamStatus: z.string().nullish() },
};

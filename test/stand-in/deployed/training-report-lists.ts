/** The lists of training reports. Each has its own names to sort by. */
import { z } from 'zod';
import { int32, invalid } from '../envelope';
import type { Call, Row } from '../http';
import { guid, numericId, shortId } from '../random';
import { progressOf, type Progress } from '../routes/training-reports';
import type { Enrollment } from '../seed';
import { customFieldValues, person, phoneNumber, type StrictListing } from './lists';

const HOUR = 3_600_000;
export const later = (time: string, hours: number): string => new Date(Date.parse(time) + hours * HOUR).toISOString();

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

/** The fields of a person that every report has. The row's own resourceId is not the person's. */
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

export const sending = report(
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

export const certificates = report(
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

export const reminders = report(
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

export const notifications = report(
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

/** The report of a survey requires trainingType 0. It is not documented what that value does in other reports. */
export function asSurvey(call: Call, isSurveyAsked: boolean): void {
	const { enrollment } = progressOf(call);
	if (enrollment.type === 'Survey' && !isSurveyAsked)
		throw invalid('The TrainingType field is not the one of the enrollment.');
}

export const users = report(
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

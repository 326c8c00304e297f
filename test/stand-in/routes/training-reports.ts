import { z } from 'zod';
import { found, int32 } from '../envelope';
import { ok, type Call, type Route, type Row } from '../http';
import { exportOf, search, type Listing } from '../paging';
import type { Personality } from '../personality';
import { between, guid, seeded } from '../random';
import type { Enrollment, TargetUser } from '../seed';
import { enrollmentOf } from './enrollments';

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
	const company = call.world.company(enrollment.companyResourceId) ?? call.world.reseller;
	const users = enrollment.sendCount > 0 ? call.world.of(company).members(enrollment.targetGroupResourceIds) : [];
	const people = users.map((user): Progress => {
		const next = seeded(`${enrollment.resourceId} ${user.resourceId}`);
		const luck = next();
		const status = !enrollment.seeded
			? 'NotStarted'
			: enrollment.status === 'Completed' || luck > 0.6
				? 'Completed'
				: luck > 0.3
					? 'InProgress'
					: 'NotStarted';
		const score = status === 'Completed' ? between(next, 40, 100) : null;
		return { user, status, score, delivered: next() > 0.05, sentTime: enrollment.startDate };
	});
	return { enrollment, people };
}

function person(user: TargetUser): Row {
	const { firstName, lastName, email, department } = user;
	return { firstName, lastName, email, department };
}

/** The rows of a list: one for each person that it has something to say about. */
function perPerson(row: (progress: Progress, enrollment: Enrollment) => Row | undefined): (call: Call) => Row[] {
	return (call) => {
		const { enrollment, people } = progressOf(call);
		return people.map((progress) => row(progress, enrollment)).filter((shown) => shown !== undefined);
	};
}

function report(rows: Listing['rows'], id: string, fields: z.ZodRawShape = {}, keep?: Listing['keep']): Listing {
	return {
		rows,
		id,
		name: 'email',
		required: 'none',
		filter: 'optional',
		text: ['email', 'firstName', 'lastName'],
		fields,
		...(keep ? { keep } : {}),
	};
}

const sending = report(
	perPerson(({ user, delivered, sentTime }, enrollment) => ({
		resourceId: guid(`mail ${enrollment.resourceId} ${user.resourceId}`),
		targetUserResourceId: user.resourceId,
		...person(user),
		subject: enrollment.name,
		deliveryStatus: delivered ? 'Delivered' : 'Bounced',
		sentTime,
	})),
	'resourceId',
);

const certificates = report(
	perPerson(({ user, status, score }, enrollment) =>
		status === 'Completed' && enrollment.awardCertificate
			? {
					resourceId: guid(`certificate ${enrollment.resourceId} ${user.resourceId}`),
					...person(user),
					certificateName: enrollment.certificateName,
					score,
				}
			: undefined,
	),
	'resourceId',
);

const reminders = report(
	perPerson(({ user, status }, enrollment) =>
		status !== 'Completed' && enrollment.hasReminder
			? {
					resourceId: guid(`reminder ${enrollment.resourceId} ${user.resourceId}`),
					...person(user),
					status,
					reminderNumber: 1,
					trainingType: enrollment.type,
				}
			: undefined,
	),
	'resourceId',
	{ trainingType: z.string().nullish(), reportAllPages: z.boolean().nullish(), showByExamStatus: z.string().nullish() },
);

const notifications = report(
	perPerson(({ user, delivered, sentTime }, enrollment) => ({
		resourceId: guid(`notification ${enrollment.resourceId} ${user.resourceId}`),
		...person(user),
		type: 'Email',
		status: delivered ? 'Sent' : 'Failed',
		createTime: sentTime,
	})),
	'resourceId',
	{
		companyId: int32.nullish(),
		enrollmentId: z.string().nullish(),
		status: z.string().nullish(),
		type: z.string().nullish(),
	},
	({ status, type }) => {
		const same = (wanted: unknown, value: unknown) =>
			typeof wanted !== 'string' || wanted === '' || wanted.toLowerCase() === String(value).toLowerCase();
		return (row) => same(status, row.status) && same(type, row.type);
	},
);

function interactions(call: Call): Row {
	const { enrollment, people } = progressOf(call);
	const id = call.params.targetUserResourceId;
	const { user, status, score, sentTime } = found(
		people.find((entry) => entry.user.resourceId === id),
		'target user',
	);
	const steps = [
		'Sent',
		...(status === 'NotStarted' ? [] : ['Opened', 'Started']),
		...(status === 'Completed' ? ['Completed'] : []),
	];
	const start = Date.parse(sentTime);
	return {
		enrollmentName: enrollment.name,
		...person(user),
		status,
		score,
		interactions: steps.map((type, at) => ({ type, time: new Date(start + at * 3_600_000).toISOString() })),
	};
}

function summary(call: Call): Row {
	const { enrollment, people } = progressOf(call);
	const count = (test: (progress: Progress) => boolean) => people.filter(test).length;
	return {
		enrollmentName: enrollment.name,
		trainingName: enrollment.trainingName,
		status: enrollment.status,
		excludeFromReports: enrollment.excludeFromReports,
		totalTargetUserCount: people.length,
		deliveredCount: count(({ delivered }) => delivered),
		notStartedCount: count(({ status }) => status === 'NotStarted'),
		inProgressCount: count(({ status }) => status === 'InProgress'),
		completedCount: count(({ status }) => status === 'Completed'),
		certificateCount: enrollment.awardCertificate ? count(({ status }) => status === 'Completed') : 0,
	};
}

/** Contract 4.8. */
export function trainingReportRoutes(personality: Personality): Route[] {
	const base = '/api/training-reports/{enrollmentId}';
	const users = report(
		perPerson(({ user, status, score }) => ({
			[personality.reportUserId]: user.resourceId,
			...person(user),
			language: user.language,
			status,
			score,
		})),
		personality.reportUserId,
		// The "optional status value" of the contract travels as trainingType, a number or a text.
		{ trainingType: z.union([int32, z.string()]).nullish() },
	);
	return [
		search(`POST ${base}/sending-report/search`, sending),
		exportOf(`POST ${base}/sending-report/search/export`, sending, 'sending-report', false),
		search('POST /api/enrollments/{enrollmentId}/certificates/search', certificates),
		search(`POST ${base}/reminder-mails/search`, reminders),
		search('POST /api/notifications/{enrollmentId}/search', notifications),
		{ key: `GET ${base}/summary`, access: 'any', takes: 'nothing', handle: (call) => ok(summary(call)) },
		search(`POST ${base}/users/search`, users),
		{
			key: `GET ${base}/interactions/{targetUserResourceId}`,
			access: 'any',
			takes: 'nothing',
			handle: (call) => ok(interactions(call)),
		},
	];
}

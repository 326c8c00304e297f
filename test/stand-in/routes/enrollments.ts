import { pick } from 'lodash';
import { z } from 'zod';
import { check, dateTime, invalid, missing, text } from '../envelope';
import { ok, type Call, type Route, type Row } from '../http';
import { search, type Listing } from '../paging';
import type { Personality } from '../personality';
import { guid } from '../random';
import { ofTraining, type Enrollment, type Training } from '../seed';

/** The target groups of everybody in sight. */
export const targetGroups: Listing = {
	rows: (call) =>
		call.companies.flatMap((company) =>
			call.world
				.of(company)
				.targetGroups.map(({ userResourceIds: _users, companyResourceId: _company, ...shown }) => shown),
		),
	id: 'resourceId',
	name: 'name',
	required: 'pages',
	filter: 'required',
};

/** The trainings that may be used: the shared catalogue and what the companies made themselves. */
export function trainingsOf(call: Call): Training[] {
	return [...call.world.catalogue, ...call.companies.flatMap((company) => call.world.of(company).trainings)];
}

/** All trainings in sight. */
export const trainings: Listing = {
	rows: trainingsOf,
	id: 'trainingId',
	name: 'trainingName',
	required: 'pages',
	filter: 'required',
	text: ['trainingName', 'description', 'tags'],
};

/** An enumeration as form details tell it. */
export function enumOf(names: readonly string[]): Row[] {
	return names.map((displayName, id) => ({
		id: id + 1,
		name: displayName.replaceAll(' ', ''),
		displayName,
		enumResults: [],
	}));
}

/** What GET form-details answers. */
export function formDetails(): Row {
	const kinds = [
		'training',
		'reminder',
		'learningPath',
		'learningPathReminder',
		'poster',
		'infographic',
		'survey',
		'surveyReminder',
		'certificate',
	];
	return {
		enumNameValuePairs: {
			DeliveryType: enumOf(['Email', 'Microsoft Teams', 'Slack']),
			ReminderFrequency: enumOf(['Never', 'Once', 'Every Week']),
			EnrollmentStatus: enumOf(['Draft', 'Scheduled', 'In Progress', 'Completed']),
		},
		...Object.fromEntries(
			kinds.map((kind) => [`${kind}EmailNotificationTemplateTypeResourceId`, guid(`template ${kind}`)]),
		),
		canSaveVendor: false,
	};
}

const creation = z
	.object({
		trainingId: text(100),
		name: text(256),
		targetGroupResourceIds: z.array(text(100)).min(1),
		enrollmentScheduler: z
			.object({
				scheduledDate: dateTime.nullish(),
				scheduledTimeZoneId: z.string().nullish(),
				useOwnTimeZone: z.boolean().nullish(),
				dueDate: dateTime.nullish(),
			})
			.passthrough()
			.nullish(),
		awardCertificate: z.boolean().nullish(),
		markedAsTest: z.boolean().nullish(),
		sendTeamsNotification: z.boolean().nullish(),
		autoEnroll: z.boolean().nullish(),
		hasReminder: z.boolean().nullish(),
		sendTemplatesInPreferredLanguage: z.boolean().nullish(),
	})
	.passthrough();

function create(call: Call): Enrollment {
	const asked = check(creation, call.json);
	const training = trainingsOf(call).find((entry) => entry.trainingId === asked.trainingId);
	if (!training) throw invalid(`The TrainingId is not a training: ${asked.trainingId}.`);
	const groups = call.companies.flatMap((company) => call.world.of(company).targetGroups);
	const chosen = asked.targetGroupResourceIds.map((id) => ({
		id,
		group: groups.find((entry) => entry.resourceId === id),
	}));
	const strangers = chosen.filter((entry) => !entry.group);
	if (strangers.length > 0)
		throw invalid(...strangers.map(({ id }) => `The TargetGroupResourceIds has an unknown target group: ${id}.`));
	const scheduler = asked.enrollmentScheduler;
	const startDate = scheduler?.scheduledDate ?? new Date().toISOString();
	if (scheduler?.dueDate && Date.parse(scheduler.dueDate) < Date.parse(startDate))
		throw invalid('The DueDate must not be before the ScheduledDate.');
	// Without a scope, it belongs to the company of its target groups.
	const owner = call.scope?.companyResourceId ?? chosen[0]?.group?.companyResourceId;
	const company = call.companies.find((entry) => entry.companyResourceId === owner) ?? call.home.company;
	const enrollment: Enrollment = {
		resourceId: call.world.newId('enrollment'),
		name: asked.name,
		companyResourceId: company.companyResourceId,
		...ofTraining(training),
		enrolledBy: 'api@awareness.example',
		delivery: asked.sendTeamsNotification === true ? 'Teams' : 'Email',
		status: scheduler?.scheduledDate ? 'Scheduled' : 'Draft',
		certificateName: asked.awardCertificate === true ? 'Default Certificate' : '',
		startDate,
		dueDate: scheduler?.dueDate ?? null,
		createTime: new Date().toISOString(),
		awardCertificate: asked.awardCertificate ?? false,
		markedAsTest: asked.markedAsTest ?? false,
		excludeFromReports: asked.markedAsTest ?? false,
		autoEnroll: asked.autoEnroll ?? false,
		hasReminder: asked.hasReminder ?? false,
		sendTemplatesInPreferredLanguage: asked.sendTemplatesInPreferredLanguage ?? false,
		targetGroupResourceIds: asked.targetGroupResourceIds,
		sendCount: 0,
		seeded: false,
		asked,
	};
	call.world.of(company).enrollments.push(enrollment);
	return enrollment;
}

/** An enrollment that the caller may see, wherever it belongs. */
export function enrollmentOf(call: Call, id: string | undefined): Enrollment {
	for (const company of call.companies) {
		const enrollment = call.world.of(company).enrollments.find((entry) => entry.resourceId === id);
		if (enrollment) return enrollment;
	}
	throw missing('enrollment');
}

/** An enrollment as the answer to its creation shows it. */
export function created(enrollment: Enrollment, call: Call): Row {
	const company = call.world.company(enrollment.companyResourceId) ?? call.world.reseller;
	return {
		id: enrollment.resourceId,
		...pick(enrollment, [
			'trainingName',
			'category',
			'targetAudience',
			'type',
			'enrolledBy',
			'delivery',
			'status',
			'certificateName',
			'languages',
			'tags',
		]),
		totalTargetUserCount: call.world.of(company).members(enrollment.targetGroupResourceIds).length,
		...pick(enrollment, [
			'startDate',
			'awardCertificate',
			'markedAsTest',
			'autoEnroll',
			'hasReminder',
			'sendTemplatesInPreferredLanguage',
		]),
	};
}

/** Contract 4.7. */
export function enrollmentRoutes(personality: Personality): Route[] {
	const shown = (enrollment: Enrollment): Row => ({
		[personality.enrollmentId]: enrollment.resourceId,
		...pick(enrollment, [
			'name',
			'trainingId',
			'trainingName',
			'type',
			'status',
			'startDate',
			'dueDate',
			'createTime',
			'markedAsTest',
			'excludeFromReports',
		]),
	});
	const enrollments: Listing = {
		rows: (call) => call.companies.flatMap((company) => call.world.of(company).enrollments.map(shown)),
		id: personality.enrollmentId,
		name: 'name',
		required: 'all',
		filter: 'required',
		text: ['name', 'trainingName'],
		fields: { enrollmentType: z.string().nullish() },
		keep: ({ enrollmentType }) =>
			typeof enrollmentType === 'string' && enrollmentType !== ''
				? (row) => String(row.type).toLowerCase() === enrollmentType.toLowerCase()
				: undefined,
	};
	return [
		search('POST /api/trainings/search', trainings),
		search('POST /api/target-groups/search/current-company', targetGroups),
		{ key: 'GET /api/enrollments/form-details', access: 'any', takes: 'nothing', handle: () => ok(formDetails()) },
		{
			key: 'POST /api/enrollments',
			access: 'any',
			takes: 'json',
			write: true,
			handle: (call) => ({ status: 201, data: created(create(call), call) }),
		},
		{
			key: 'POST /api/enrollments/{resourceId}/send',
			access: 'any',
			takes: 'nothing',
			write: true,
			handle(call) {
				const enrollment = enrollmentOf(call, call.params.resourceId);
				enrollment.sendCount++;
				enrollment.status = 'InProgress';
				return ok({ resourceId: enrollment.resourceId });
			},
		},
		search('POST /api/enrollments/search', enrollments),
		{
			key: 'GET /api/enrollments/{resourceId}',
			access: 'any',
			takes: 'nothing',
			handle(call) {
				const enrollment = enrollmentOf(call, call.params.resourceId);
				const { targetGroupResourceIds, delivery, languages, tags, awardCertificate, hasReminder } = enrollment;
				return ok({
					...enrollment.asked,
					...shown(enrollment),
					targetGroupResourceIds,
					delivery,
					languages,
					tags,
					awardCertificate,
					hasReminder,
				});
			},
		},
	];
}

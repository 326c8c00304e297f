import { pick } from 'lodash';
import { z } from 'zod';
import { check, dateTime, found, invalid, missing, text } from '../envelope';
import { acting, beside, isRow, reading, type Call, type Route, type Row } from '../http';
import { exportOf, search, type Listing } from '../paging';
import type { Personality } from '../personality';
import { guid } from '../random';
import { ofTraining, type Enrollment, type Training } from '../seed';

/** The target groups of everybody in sight. */
const TARGET_GROUPS: Listing = {
	rows: (call) =>
		call.companies.flatMap((company) =>
			call.world.of(company).targetGroups.map((group) => ({
				...pick(group, ['resourceId', 'name', 'companyName', 'priority']),
				...pick(group, ['userCount', 'createTime', 'updateTime']),
			})),
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

/** The training of an enrollment. */
export function trainingOf(call: Call, { trainingId }: Enrollment): Training {
	return found(
		trainingsOf(call).find((training) => training.trainingId === trainingId),
		'training',
	);
}

/** All trainings in sight. */
const TRAININGS: Listing = {
	rows: trainingsOf,
	id: 'trainingId',
	name: 'trainingName',
	required: 'pages',
	filter: 'required',
	text: ['trainingName', 'description', 'tags'],
	numbered: { level: ['beginner', 'intermediate', 'expert'] },
	// Known good (deployment behaviour), although no field has that name.
	sorts: ['Name'],
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

/** The kinds of enrollments by their names in a search. Only form-details lists them, except for the survey. */
const TYPES = new Map(
	['Training', 'Survey', 'Poster', 'Infographic', 'Learning Path'].map((name) => [name.replaceAll(' ', ''), name]),
);

const TEMPLATES = [
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

/** What GET form-details answers. */
function formDetails({ isDeployed }: Call): Row {
	return {
		enumNameValuePairs: {
			DeliveryType: enumOf(['Email', 'Microsoft Teams', 'Slack']),
			ReminderFrequency: enumOf(['Never', 'Once', 'Every Week']),
			EnrollmentStatus: enumOf(['Draft', 'Scheduled', 'In Progress', 'Completed']),
			...(isDeployed ? { EnrollmentType: enumOf([...TYPES.values()]) } : {}),
		},
		...Object.fromEntries(
			TEMPLATES.map((kind) => [`${kind}EmailNotificationTemplateTypeResourceId`, guid(`template ${kind}`)]),
		),
		canSaveVendor: false,
	};
}

const flag = z.boolean().nullish();
const creation = z
	.object({
		trainingId: text(100),
		name: text(256),
		targetGroupResourceIds: z.array(text(100)).min(1),
		enrollmentScheduler: z
			.object({
				scheduledDate: dateTime.nullish(),
				scheduledTimeZoneId: z.string().nullish(),
				useOwnTimeZone: flag,
				dueDate: dateTime.nullish(),
			})
			.passthrough()
			.nullish(),
		awardCertificate: flag,
		markedAsTest: flag,
		sendTeamsNotification: flag,
		autoEnroll: flag,
		hasReminder: flag,
		sendTemplatesInPreferredLanguage: flag,
	})
	.passthrough();

function create(call: Call): Enrollment {
	const asked = check(creation, call.json);
	const training = trainingsOf(call).find((entry) => entry.trainingId === asked.trainingId);
	if (!training) throw invalid(`The TrainingId is not a training: ${asked.trainingId}.`);
	const groups = call.companies.flatMap((company) => call.world.of(company).targetGroups);
	const strangers = asked.targetGroupResourceIds.filter((id) => !groups.some(({ resourceId }) => resourceId === id));
	if (strangers.length > 0)
		throw invalid(...strangers.map((id) => `The TargetGroupResourceIds has an unknown target group: ${id}.`));
	const scheduler = asked.enrollmentScheduler;
	const startDate = scheduler?.scheduledDate ?? new Date().toISOString();
	if (scheduler?.dueDate && Date.parse(scheduler.dueDate) < Date.parse(startDate))
		throw invalid('The DueDate must not be before the ScheduledDate.');
	// Without a scope, it belongs to the company of its target groups.
	const [first] = groups.filter(({ resourceId }) => asked.targetGroupResourceIds[0] === resourceId);
	const owner = call.scope?.companyResourceId ?? first?.companyResourceId;
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

function send(call: Call): string {
	const enrollment = enrollmentOf(call, call.params.resourceId);
	enrollment.sendCount++;
	enrollment.status = 'InProgress';
	return enrollment.resourceId;
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
export function created(enrollment: Enrollment, { world }: Call): Row {
	const { resourceId, companyResourceId, targetGroupResourceIds } = enrollment;
	return {
		id: resourceId,
		...pick(enrollment, ['trainingName', 'category', 'targetAudience', 'type', 'enrolledBy', 'delivery', 'status']),
		...pick(enrollment, ['certificateName', 'languages', 'tags']),
		totalTargetUserCount: world.of(companyResourceId).members(targetGroupResourceIds).length,
		...pick(enrollment, ['startDate', 'awardCertificate', 'markedAsTest', 'autoEnroll', 'hasReminder']),
		...pick(enrollment, ['sendTemplatesInPreferredLanguage']),
	};
}

/** A live deployment's names for the status of an enrollment. */
const STATUS: Record<string, string> = { Completed: 'Finished', InProgress: 'Sending' };

function shown(enrollment: Enrollment, call: Call): Row {
	const { resourceId, status, delivery, hasReminder, autoEnroll } = enrollment;
	if (!call.isDeployed)
		return {
			...pick(enrollment, ['resourceId', 'name', 'trainingId', 'trainingName', 'type', 'status', 'startDate']),
			...pick(enrollment, ['dueDate', 'createTime', 'markedAsTest', 'excludeFromReports']),
		};
	const firstFields: Row = {
		enrollmentId: resourceId,
		status: STATUS[status] ?? status,
		delivery,
		deliveryType: delivery,
	};
	return {
		...firstFields,
		...pick(enrollment, ['name', 'trainingName', 'type', 'startDate', 'createTime', 'tags', 'languages']),
		...pick(enrollment, ['enrolledBy', 'category', 'targetAudience', 'sendTemplatesInPreferredLanguage']),
		isReminderActive: hasReminder,
		isAutoEnrollmentActive: autoEnroll,
		recipientType: 'TargetGroup',
		...pick(trainingOf(call, enrollment), ['hasQuiz', 'trainingRoles', 'duration', 'level']),
	};
}

/** Whether the second header has the same company as the first; a live deployment wants it where the first one is sent. */
const agrees = ({ scope, secondHeader, isDeployed }: Call): boolean =>
	!isDeployed || !scope || secondHeader === scope.companyResourceId;

/** @param of where they are: in the list, or in the trash (deployment activity, 8) */
const listing = ({ enrollmentId }: Personality, of: 'enrollments' | 'archive' = 'enrollments'): Listing => ({
	rows: (call) => call.companies.flatMap((company) => call.world.of(company)[of].map((each) => shown(each, call))),
	id: enrollmentId,
	name: 'name',
	required: 'all',
	filter: 'required',
	text: ['name', 'trainingName'],
	fields: { enrollmentType: z.string().nullish() },
	keep: ({ enrollmentType }) =>
		typeof enrollmentType === 'string' && enrollmentType !== ''
			? (row) => row.type === (TYPES.get(enrollmentType) ?? enrollmentType)
			: undefined,
	needsGroups: true,
	before({ enrollmentType }, call) {
		if (!agrees(call)) throw invalid(`The ${call.personality.secondHeader ?? ''} header is required.`);
		if (call.isDeployed && typeof enrollmentType === 'string' && enrollmentType !== '' && !TYPES.has(enrollmentType))
			throw invalid('The EnrollmentType field is not valid.');
	},
});

function scheduler({ asked, startDate, dueDate }: Enrollment): Row {
	const given = isRow(asked.enrollmentScheduler) ? asked.enrollmentScheduler : {};
	return {
		scheduledDate: given.scheduledDate ?? startDate,
		scheduledTimeZoneId: given.scheduledTimeZoneId ?? 'Europe/Istanbul',
		useOwnTimeZone: given.useOwnTimeZone === true,
		dueDate,
	};
}

function record(call: Call): Row {
	if (!agrees(call)) throw missing('enrollment');
	const enrollment = enrollmentOf(call, call.params.resourceId);
	const { asked, type, languages, hasReminder, autoEnroll } = enrollment;
	const own = pick(enrollment, ['name', 'trainingId', 'targetGroupResourceIds', 'awardCertificate', 'markedAsTest']);
	if (!call.isDeployed)
		return {
			...asked,
			...shown(enrollment, call),
			...own,
			...pick(enrollment, ['delivery', 'languages', 'tags', 'hasReminder']),
		};
	const times = hasReminder ? { periodCount: 1, occurrenceCount: 3 } : {};
	return {
		...own,
		trainingOrder: 1,
		languageIds: languages,
		trainingTypeId: type,
		enrollmentScheduler: scheduler(enrollment),
		enrollmentReminder: { ...times, periodType: 'Week', endType: 'Occurrence' },
		enrollmentAutoEnroll: {
			type: autoEnroll ? 'Weekly' : 'None',
			dayOfWeek: 1,
			emailPeriodTypeEnum: 'Week',
			periodCount: 1,
		},
		certificateConfigSendType: 'AfterCompletion',
		distributionDays: asked.distributionDays ?? 0,
	};
}

/** Contract 4.7. */
export function enrollmentRoutes(personality: Personality): Route[] {
	const path = '/api/enrollments';
	const enrollments = listing(personality);
	return [
		search('POST /api/trainings/search', TRAININGS),
		search('POST /api/target-groups/search/current-company', TARGET_GROUPS),
		reading(`GET ${path}/form-details`, formDetails),
		{
			key: `POST ${path}`,
			access: 'any',
			takes: 'json',
			write: true,
			handle: (call) => ({ status: 201, data: created(create(call), call) }),
		},
		acting(`POST ${path}/{resourceId}/send`, send),
		search(`POST ${path}/search`, enrollments),
		beside(exportOf(`POST ${path}/search/export`, enrollments, 'enrollments', true)),
		beside(search(`POST ${path}/archive/search`, { ...listing(personality, 'archive'), required: 'none' })),
		reading(`GET ${path}/{resourceId}`, record),
	];
}

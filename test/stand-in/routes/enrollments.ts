import { pick } from 'lodash';
import { z } from 'zod';
import {
	parseWithSchema,
	dateTimeSchema,
	requireFound,
	createBadRequestError,
	createNotFoundError,
	createTextSchema,
} from '../envelope';
import {
	defineActionRoute,
	markOutsideContract,
	isJsonObject,
	defineReadRoute,
	type RouteCall,
	type Route,
	type JsonObject,
} from '../http';
import { defineExportRoute, defineSearchRoute, type ListDefinition } from '../paging';
import type { PlatformProfile } from '../profile';
import { pickTrainingFields, type Enrollment, type Training } from '../seed';
import { buildFormDetails, TYPE_NAMES } from './enrollment-form-details';

/** The target groups that a call can see. */
const TARGET_GROUP_LIST: ListDefinition = {
	getRows: (call) =>
		call.visibleCompanies.flatMap((company) =>
			call.world.getCompanyData(company).targetGroups.map((group) => ({
				...pick(group, ['resourceId', 'name', 'companyName', 'priority', 'userCount', 'createTime', 'updateTime']),
			})),
		),
	idField: 'resourceId',
	nameField: 'name',
	requiredPaging: 'pages',
	filterRequirement: 'required',
};

/** Lists the trainings that a call can use: the shared catalogue and the companies' own trainings. */
export function listTrainings(call: RouteCall): Training[] {
	return [
		...call.world.catalogue,
		...call.visibleCompanies.flatMap((company) => call.world.getCompanyData(company).trainings),
	];
}

/**
 * Finds the training of an enrollment.
 * @throws HttpError 404
 */
export function findTraining(call: RouteCall, { trainingId }: Enrollment): Training {
	return requireFound(
		listTrainings(call).find((training) => training.trainingId === trainingId),
		'training',
	);
}

/** The trainings that a call can see. */
const TRAINING_LIST: ListDefinition = {
	getRows: listTrainings,
	idField: 'trainingId',
	nameField: 'trainingName',
	requiredPaging: 'pages',
	filterRequirement: 'required',
	textFields: ['trainingName', 'description', 'tags'],
	numberedFields: { level: ['beginner', 'intermediate', 'expert'] },
	// Sorting by Name is known to work (deployment behaviour, "Search bodies"), although no field has that name.
	extraSortNames: ['Name'],
};

const optionalBoolean = z.boolean().nullish();
const enrollmentSchema = z
	.object({
		trainingId: createTextSchema(100),
		name: createTextSchema(256),
		targetGroupResourceIds: z.array(createTextSchema(100)).min(1),
		enrollmentScheduler: z
			.object({
				scheduledDate: dateTimeSchema.nullish(),
				scheduledTimeZoneId: z.string().nullish(),
				useOwnTimeZone: optionalBoolean,
				dueDate: dateTimeSchema.nullish(),
			})
			.passthrough()
			.nullish(),
		awardCertificate: optionalBoolean,
		markedAsTest: optionalBoolean,
		sendTeamsNotification: optionalBoolean,
		autoEnroll: optionalBoolean,
		hasReminder: optionalBoolean,
		sendTemplatesInPreferredLanguage: optionalBoolean,
	})
	.passthrough();

function createEnrollment(call: RouteCall): Enrollment {
	const form = parseWithSchema(enrollmentSchema, call.json);
	const training = listTrainings(call).find((entry) => entry.trainingId === form.trainingId);
	if (!training) throw createBadRequestError(`The TrainingId is not a training: ${form.trainingId}.`);
	const groups = call.visibleCompanies.flatMap((company) => call.world.getCompanyData(company).targetGroups);
	const unknownIds = form.targetGroupResourceIds.filter((id) => !groups.some(({ resourceId }) => resourceId === id));
	if (unknownIds.length > 0)
		throw createBadRequestError(
			...unknownIds.map((id) => `The TargetGroupResourceIds has an unknown target group: ${id}.`),
		);
	const scheduler = form.enrollmentScheduler;
	const startDate = scheduler?.scheduledDate ?? new Date().toISOString();
	if (scheduler?.dueDate && Date.parse(scheduler.dueDate) < Date.parse(startDate))
		throw createBadRequestError('The DueDate must not be before the ScheduledDate.');
	// If the request names no company, the enrollment belongs to the company of its first target group.
	const [firstGroup] = groups.filter(({ resourceId }) => form.targetGroupResourceIds[0] === resourceId);
	const ownerId = call.scopedCompany?.companyResourceId ?? firstGroup?.companyResourceId;
	const company =
		call.visibleCompanies.find((entry) => entry.companyResourceId === ownerId) ?? call.companyData.company;
	const enrollment: Enrollment = {
		resourceId: call.world.createId('enrollment'),
		name: form.name,
		companyResourceId: company.companyResourceId,
		...pickTrainingFields(training),
		enrolledBy: 'api@awareness.example',
		delivery: form.sendTeamsNotification === true ? 'Teams' : 'Email',
		status: scheduler?.scheduledDate ? 'Scheduled' : 'Draft',
		certificateName: form.awardCertificate === true ? 'Default Certificate' : '',
		startDate,
		dueDate: scheduler?.dueDate ?? null,
		createTime: new Date().toISOString(),
		awardCertificate: form.awardCertificate ?? false,
		markedAsTest: form.markedAsTest ?? false,
		excludeFromReports: form.markedAsTest ?? false,
		autoEnroll: form.autoEnroll ?? false,
		hasReminder: form.hasReminder ?? false,
		sendTemplatesInPreferredLanguage: form.sendTemplatesInPreferredLanguage ?? false,
		targetGroupResourceIds: form.targetGroupResourceIds,
		sendCount: 0,
		isSeeded: false,
		requestBody: form,
	};
	call.world.getCompanyData(company).enrollments.push(enrollment);
	return enrollment;
}

function sendEnrollment(call: RouteCall): string {
	const enrollment = findEnrollment(call, call.params.resourceId);
	enrollment.sendCount++;
	enrollment.status = 'InProgress';
	return enrollment.resourceId;
}

/**
 * Finds an enrollment of any company that the call can see.
 * @throws HttpError 404
 */
export function findEnrollment(call: RouteCall, id: string | undefined): Enrollment {
	for (const company of call.visibleCompanies) {
		const enrollment = call.world.getCompanyData(company).enrollments.find((entry) => entry.resourceId === id);
		if (enrollment) return enrollment;
	}
	throw createNotFoundError('enrollment');
}

/** Builds an enrollment for the response to its creation. */
export function buildCreatedEnrollment(enrollment: Enrollment, { world }: RouteCall): JsonObject {
	const { resourceId, companyResourceId, targetGroupResourceIds } = enrollment;
	return {
		id: resourceId,
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
		totalTargetUserCount: world.getCompanyData(companyResourceId).getGroupMembers(targetGroupResourceIds).length,
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

/** The enrollment statuses whose names on live deployments differ from those in the contract. */
const DEPLOYED_STATUS_NAMES: Record<string, string> = { Completed: 'Finished', InProgress: 'Sending' };

function buildEnrollmentRow(enrollment: Enrollment, call: RouteCall): JsonObject {
	const { resourceId, status, delivery, hasReminder, autoEnroll } = enrollment;
	if (!call.isDeployed)
		return pick(enrollment, [
			'resourceId',
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
		]);
	const copiedFields = pick(enrollment, [
		'name',
		'trainingName',
		'type',
		'startDate',
		'createTime',
		'tags',
		'languages',
		'enrolledBy',
		'category',
		'targetAudience',
		'sendTemplatesInPreferredLanguage',
	]);
	return {
		enrollmentId: resourceId,
		status: DEPLOYED_STATUS_NAMES[status] ?? status,
		delivery,
		deliveryType: delivery,
		...copiedFields,
		isReminderActive: hasReminder,
		isAutoEnrollmentActive: autoEnroll,
		recipientType: 'TargetGroup',
		...pick(findTraining(call, enrollment), ['hasQuiz', 'trainingRoles', 'duration', 'level']),
	};
}

/**
 * Returns true if the two company headers name the same company. Live deployments require the second header whenever the
 * first one is sent.
 */
function hasMatchingCompanyHeaders({ scopedCompany, secondCompanyHeader, isDeployed }: RouteCall): boolean {
	return !isDeployed || !scopedCompany || secondCompanyHeader === scopedCompany.companyResourceId;
}

/** Defines the list of enrollments, or the list of deleted enrollments (deployment activity 8). */
const defineEnrollmentList = (
	{ enrollmentIdField }: PlatformProfile,
	source: 'enrollments' | 'deletedEnrollments' = 'enrollments',
): ListDefinition => ({
	getRows: (call) =>
		call.visibleCompanies.flatMap((company) =>
			call.world.getCompanyData(company)[source].map((enrollment) => buildEnrollmentRow(enrollment, call)),
		),
	idField: enrollmentIdField,
	nameField: 'name',
	requiredPaging: 'all',
	filterRequirement: 'required',
	textFields: ['name', 'trainingName'],
	extraBodyFields: { enrollmentType: z.string().nullish() },
	createRowFilter: ({ enrollmentType }) =>
		typeof enrollmentType === 'string' && enrollmentType !== ''
			? (row) => row.type === (TYPE_NAMES.get(enrollmentType) ?? enrollmentType)
			: undefined,
	shouldRequireFilterGroups: true,
	checkBody({ enrollmentType }, call) {
		if (!hasMatchingCompanyHeaders(call))
			throw createBadRequestError(`The ${call.profile.secondCompanyHeader ?? ''} header is required.`);
		if (
			call.isDeployed &&
			typeof enrollmentType === 'string' &&
			enrollmentType !== '' &&
			!TYPE_NAMES.has(enrollmentType)
		)
			throw createBadRequestError('The EnrollmentType field is not valid.');
	},
});

function buildScheduler({ requestBody, startDate, dueDate }: Enrollment): JsonObject {
	const savedScheduler = isJsonObject(requestBody.enrollmentScheduler) ? requestBody.enrollmentScheduler : {};
	return {
		scheduledDate: savedScheduler.scheduledDate ?? startDate,
		scheduledTimeZoneId: savedScheduler.scheduledTimeZoneId ?? 'Europe/Istanbul',
		useOwnTimeZone: savedScheduler.useOwnTimeZone === true,
		dueDate,
	};
}

function buildEnrollmentRecord(call: RouteCall): JsonObject {
	if (!hasMatchingCompanyHeaders(call)) throw createNotFoundError('enrollment');
	const enrollment = findEnrollment(call, call.params.resourceId);
	const { requestBody, type, languages, hasReminder, autoEnroll } = enrollment;
	const commonFields = pick(enrollment, [
		'name',
		'trainingId',
		'targetGroupResourceIds',
		'awardCertificate',
		'markedAsTest',
	]);
	if (!call.isDeployed)
		return {
			...requestBody,
			...buildEnrollmentRow(enrollment, call),
			...commonFields,
			...pick(enrollment, ['delivery', 'languages', 'tags', 'hasReminder']),
		};
	const reminderCounts = hasReminder ? { periodCount: 1, occurrenceCount: 3 } : {};
	return {
		...commonFields,
		trainingOrder: 1,
		languageIds: languages,
		trainingTypeId: type,
		enrollmentScheduler: buildScheduler(enrollment),
		enrollmentReminder: { ...reminderCounts, periodType: 'Week', endType: 'Occurrence' },
		enrollmentAutoEnroll: {
			type: autoEnroll ? 'Weekly' : 'None',
			dayOfWeek: 1,
			emailPeriodTypeEnum: 'Week',
			periodCount: 1,
		},
		certificateConfigSendType: 'AfterCompletion',
		distributionDays: requestBody.distributionDays ?? 0,
	};
}

/** Creates the routes of contract 4.7. */
export function enrollmentRoutes(profile: PlatformProfile): Route[] {
	const path = '/api/enrollments';
	const enrollmentList = defineEnrollmentList(profile);
	return [
		defineSearchRoute('POST /api/trainings/search', TRAINING_LIST),
		defineSearchRoute('POST /api/target-groups/search/current-company', TARGET_GROUP_LIST),
		defineReadRoute(`GET ${path}/form-details`, buildFormDetails),
		{
			key: `POST ${path}`,
			access: 'any',
			bodyType: 'json',
			isWrite: true,
			handle: (call) => ({ status: 201, data: buildCreatedEnrollment(createEnrollment(call), call) }),
		},
		defineActionRoute(`POST ${path}/{resourceId}/send`, sendEnrollment),
		defineSearchRoute(`POST ${path}/search`, enrollmentList),
		markOutsideContract(defineExportRoute(`POST ${path}/search/export`, enrollmentList, 'enrollments', true)),
		markOutsideContract(
			defineSearchRoute(`POST ${path}/archive/search`, {
				...defineEnrollmentList(profile, 'deletedEnrollments'),
				requiredPaging: 'none',
			}),
		),
		defineReadRoute(`GET ${path}/{resourceId}`, buildEnrollmentRecord),
	];
}

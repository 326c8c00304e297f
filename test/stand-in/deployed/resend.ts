/**
 * Routes that resend messages and stop automatic sending (deployment activity 4). The recipients are recorded in the
 * notes of the campaign or enrollment.
 */
import { z } from 'zod';
import { parseWithSchema, requireFound, int32Schema, createBadRequestError } from '../envelope';
import {
	defineActionRoute,
	markOutsideContract,
	defineWriteRoute,
	type RouteCall,
	type Route,
	type JsonObject,
} from '../http';
import { SIMULATORS, type Simulator } from '../profile';
import { makeShortId } from '../random';
import { listCampaigns, wasSent } from '../routes/campaigns';
import { getJobPeople, type JobPerson } from '../routes/campaign-people';
import { buildCreatedEnrollment, findEnrollment } from '../routes/enrollments';
import { getProgress, resendTimesSchema, type Progress } from '../routes/training-report-lists';
import type { Campaign, Enrollment, TargetUser } from '../seed';

const idsSchema = z.array(z.string());
/**
 * The fields that select the recipients of a resend. If selectAll is true, these are all people whom the filter
 * matches. An empty selection is valid.
 */
const selectionSchema = z.object({
	selectAll: z.boolean().nullish(),
	excludedItems: idsSchema.nullish(),
	filter: z.record(z.unknown()).optional(),
});

/**
 * Records a resend in the notes of a campaign or enrollment.
 * @returns the ID of the campaign or enrollment
 */
function recordResend({ world }: RouteCall, resourceId: string, resend: JsonObject): string {
	const { resent: earlierResends } = world.getNotes(resourceId);
	const resends: unknown[] = Array.isArray(earlierResends) ? [...earlierResends, resend] : [resend];
	world.addNote(resourceId, { resent: resends });
	return resourceId;
}

/**
 * Finds the campaign job that the path identifies.
 * @throws HttpError 404 if it does not exist, 400 if its campaign is not running
 */
function findRunningJob(call: RouteCall, simulator: Simulator): { campaign: Campaign; group: number } {
	const campaign = requireFound(
		listCampaigns(call, simulator).find(
			(candidate) => candidate.resourceId === call.params.resourceId && wasSent(candidate),
		),
		`${simulator} campaign job`,
	);
	const group = requireFound(
		campaign.instanceGroups.find((instanceGroup) => String(instanceGroup) === call.params.instanceGroup),
		`${simulator} campaign job`,
	);
	if (campaign.status !== 'Running')
		throw createBadRequestError('The campaign is completed, so it cannot be sent again.');
	return { campaign, group };
}

const statusSchema = z.object({ types: z.array(z.union([int32Schema, z.string()])).min(1) }).passthrough();

/**
 * Says who has each status, by the number of the status (deployment activity 4). Status 5 is missing, because every
 * message of the stand-in is delivered.
 */
const RESEND_STATUSES: Readonly<Record<string, (person: JobPerson) => boolean>> = {
	1: ({ activities: { opened, clicked, submitted, attachmentOpened } }) =>
		opened.length > 0 && [clicked, submitted, attachmentOpened].every((list) => list.length === 0),
	2: ({ activities }) => activities.clicked.length > 0,
	3: ({ activities }) => activities.submitted.length > 0,
	4: ({ activities }) => Object.values(activities).every((list) => list.length === 0),
	7: ({ activities }) => activities.attachmentOpened.length > 0,
};

/** Records that the message of a campaign job was sent now to some of its people. */
function recordSendingTime(people: JobPerson[], isRecipient: (person: JobPerson) => boolean): void {
	const time = new Date().toISOString();
	for (const person of people.filter(isRecipient)) person.lastSentTime = time;
}

/** Resends the messages of a campaign job to the people with the requested statuses. */
function resendByStatus(call: RouteCall, simulator: Simulator): string {
	const { campaign, group } = findRunningJob(call, simulator);
	const { types } = parseWithSchema(statusSchema, call.json);
	recordSendingTime(getJobPeople(call.world, campaign, group), (person) =>
		types.some((type) => RESEND_STATUSES[String(type)]?.(person)),
	);
	return recordResend(call, campaign.resourceId, { types });
}

const peopleSelectionSchema = selectionSchema
	.extend({ items: idsSchema, searchType: z.string().nullish() })
	.passthrough();

/** Resends the messages of a campaign job to selected people. */
function resendToPeople(call: RouteCall, simulator: Simulator): string {
	const { campaign, group } = findRunningJob(call, simulator);
	const { items, selectAll } = parseWithSchema(peopleSelectionSchema, call.json);
	const people = getJobPeople(call.world, campaign, group);
	const knownIds = people.map(({ resourceId }) => resourceId);
	const unknownId = items.find((id) => !knownIds.includes(id));
	if (unknownId !== undefined) throw createBadRequestError(`The Items field has an unknown user: ${unknownId}.`);
	const recipientIds = selectAll === true ? knownIds : items;
	recordSendingTime(people, ({ resourceId }) => recipientIds.includes(resourceId));
	return recordResend(call, campaign.resourceId, { items: recipientIds });
}

/**
 * Finds an enrollment that was sent and is not stopped.
 * @throws HttpError 400 or 404
 */
function findRunningEnrollment(call: RouteCall): Enrollment {
	const enrollment = findEnrollment(call, call.params.enrollmentId);
	if (enrollment.sendCount === 0 || enrollment.status === 'Stopped')
		throw createBadRequestError('The enrollment is not in progress, so it cannot be sent again.');
	return enrollment;
}

/** Records that an enrollment was resent now to these users. The sending report then shows it (deployment shapes, "Training reports"). */
function recordResendTime({ world }: RouteCall, enrollmentId: string, userIds: string[]): void {
	const earlierTimes = resendTimesSchema.parse(world.getNotes(enrollmentId).resendTimes);
	const time = new Date().toISOString();
	const newTimes = Object.fromEntries(userIds.map((id) => [id, time]));
	world.addNote(enrollmentId, { resendTimes: { ...earlierTimes, ...newTimes } });
}

/** Says who has each status, by the number of the status (deployment activity 4). No one of the stand-in has only opened the email. */
const RESEND_TYPES: Readonly<Record<number, (progress: Progress) => boolean>> = {
	1: ({ isDelivered }) => !isDelivered,
	4: ({ status }) => status === 'InProgress',
	6: ({ score }) => score !== null && score < 60,
	7: ({ status }) => status === 'NotStarted',
};

const typesSchema = z.object({ resendTypes: z.array(int32Schema).min(1) }).passthrough();

function resendByType(call: RouteCall): JsonObject {
	const { resendTypes: requestedTypes } = parseWithSchema(typesSchema, call.json);
	const { resourceId } = findRunningEnrollment(call);
	const recipients = getProgress(call).people.filter((progress) =>
		requestedTypes.some((type) => RESEND_TYPES[type]?.(progress)),
	);
	recordResendTime(
		call,
		resourceId,
		recipients.map(({ user }) => user.resourceId),
	);
	return { resourceId: recordResend(call, resourceId, { types: requestedTypes }) };
}

/** Row IDs are generated from keys. For each list, this is the first word of these keys. */
const ID_PREFIX_BY_TAB: Record<string, string> = { users: 'report', 'sending-report': 'mail' };

const rowSelectionSchema = selectionSchema.extend({ selectedItems: idsSchema }).passthrough();

/** Resends the messages of an enrollment to the people in selected rows of a list. */
function resendToRows(call: RouteCall): JsonObject {
	const { resourceId, targetGroupResourceIds } = findRunningEnrollment(call);
	const { selectedItems, selectAll } = parseWithSchema(rowSelectionSchema, call.json);
	const idPrefix = ID_PREFIX_BY_TAB[call.params.tab ?? ''];
	if (idPrefix === undefined) throw createBadRequestError('The Tab field is not valid.');
	const members = call.companyData.getGroupMembers(targetGroupResourceIds);
	const getRowId = (user: TargetUser) => makeShortId(`${idPrefix} ${resourceId} ${user.resourceId}`);
	const knownIds = members.map(getRowId);
	const unknownId = selectedItems.find((id) => !knownIds.includes(id));
	if (unknownId !== undefined) throw createBadRequestError(`The SelectedItems field has an unknown row: ${unknownId}.`);
	const recipients = members.filter((user) => selectAll === true || selectedItems.includes(getRowId(user)));
	recordResendTime(
		call,
		resourceId,
		recipients.map((user) => user.resourceId),
	);
	return { resourceId: recordResend(call, resourceId, { items: selectAll === true ? knownIds : selectedItems }) };
}

const certificatesSchema = z.array(z.object({ targetUserResourceId: z.string(), enrollmentId: z.string() })).min(1);

function resendCertificates(call: RouteCall): JsonObject {
	for (const { targetUserResourceId: id, enrollmentId } of parseWithSchema(certificatesSchema, call.json)) {
		const { resourceId, targetGroupResourceIds } = findEnrollment(call, enrollmentId);
		const members = call.companyData.getGroupMembers(targetGroupResourceIds);
		if (!members.some((user) => user.resourceId === id)) throw createBadRequestError(`The user is unknown: ${id}.`);
		recordResend(call, resourceId, { certificate: id });
	}
	return {};
}

/** Defines a route that permanently turns off a setting of an enrollment. */
const defineStopRoute = (action: string, field: 'hasReminder' | 'autoEnroll'): Route =>
	defineWriteRoute(
		`POST /api/enrollments/{resourceId}/${action}`,
		(call) =>
			buildCreatedEnrollment(Object.assign(findEnrollment(call, call.params.resourceId), { [field]: false }), call),
		{ bodyType: 'nothing' },
	);

function simulatorRoutes(simulator: Simulator): Route[] {
	const resendPath = `POST /api/${simulator}-simulator/${simulator}-campaign-job/resend`;
	const jobPath = '{resourceId}/{instanceGroup}';
	return [
		{ ...defineActionRoute(`${resendPath}/${jobPath}`, (call) => resendByStatus(call, simulator)), bodyType: 'json' },
		{
			...defineActionRoute(`${resendPath}/list/${jobPath}`, (call) => resendToPeople(call, simulator)),
			bodyType: 'json',
		},
	];
}

/** Creates the routes that resend messages and stop automatic sending. */
export function resendRoutes(): Route[] {
	const reportPath = 'POST /api/training-reports/{enrollmentId}';
	return [
		...SIMULATORS.flatMap(simulatorRoutes),
		defineWriteRoute(`${reportPath}/resend`, resendByType),
		defineWriteRoute(`${reportPath}/{tab}/resend`, resendToRows),
		defineWriteRoute('POST /api/enrollments/resend-certificate', resendCertificates),
		defineStopRoute('stop-reminder', 'hasReminder'),
		defineStopRoute('stop-autoenroll', 'autoEnroll'),
	].map(markOutsideContract);
}

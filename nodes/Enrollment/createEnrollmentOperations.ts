import { isEqual, omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { rejectReplacedFields } from '../core/fields/jsonFields';
import { toError, RequestError, type RequestErrorDetails } from '../core/http/errors';
import { defineComposite, defineOperation, type OperationHelpers } from '../core/operation/defineOperation';
import { createOutputChoice } from '../core/response/outputFields';
import { recordResponse } from '../core/response/recordResponse';
import { createPartialFailure } from '../core/run/failures';
import { isEmpty, parseNumber, readId, toItemJson } from '../core/values';
import { getTrainingSummaryOperation } from '../domain/enrollments/trainingSummaryOperation';
import { ENROLLMENT_ID_FIELDS, TARGET_GROUP_ID_FIELDS } from '../domain/pickers/resourcePickers';
import {
	addTargetGroupMembersOperation,
	createTargetGroupOperation,
	deleteTargetGroupOperation,
	groupMembersPicker,
	targetGroupPriorityField,
} from '../domain/targetGroups/sharedTargetGroupOperations';
import {
	describeFailedPeopleCount,
	describeUnknownPeopleCount,
	describeWrite,
	readRecordIfPossible,
} from '../domain/writeReport';
import {
	buildEnrollmentCreationBody,
	CREATED_ENROLLMENT_FIELDS,
	enrollmentCreationFields,
	enrollmentOperationBase,
	sentEnrollmentFields,
	toListedEnrollment,
} from './enrollmentFields';

export const createEnrollmentOperation = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create enrollment',
	description: 'Enroll target groups in a training that you send later',
	outputNote:
		"This operation doesn't send the training. To send the training, use 'Send enrollment'. If you enter a start date, the platform may send the training at that date.",
	endpoint: 'POST /api/enrollments',
	scope: 'company',
	fields: enrollmentCreationFields,
	request: (values) => ({ body: buildEnrollmentCreationBody(values) }),
	response: recordResponse({ outputFields: CREATED_ENROLLMENT_FIELDS, valueField: 'id' }),
	transformOutput: (json, values) => toListedEnrollment(json, buildEnrollmentCreationBody(values)),
});

export const sendEnrollmentOperation = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send enrollment',
	description: "Send an enrollment's training to everyone in the enrollment now, even a second time",
	outputNote:
		'Each execution sends the emails again. In the output, peopleCount is the number of people in the enrollment.',
	endpoint: 'POST /api/enrollments/{resourceId}/send',
	...enrollmentOperationBase,
	perform: async ({ enrollment }, helpers) => {
		const results = await helpers.send();
		const sentFields = describeWrite('sent', helpers.context.timezone);
		const path = { enrollmentId: enrollment.id };
		const { addHint } = helpers.context;
		const summary = await readRecordIfPossible(getTrainingSummaryOperation, { path }, helpers, (reason) =>
			addHint(describeFailedPeopleCount(reason)),
		);
		const name = readId(summary, ['name', 'enrollmentName']) ?? (enrollment.name || null);
		const summaryFields = { ...toItemJson(summary.reportDetail ?? {}), ...summary };
		const peopleCount = readPeopleCount(summaryFields.totalTargetUserCount);
		// If the summary could not be read, there is a hint already.
		if (peopleCount === null && !isEqual(summary, {})) addHint(PEOPLE_COUNT_NOT_SHOWN_HINT);
		const sentEnrollment = { name: name ?? null, ...sentFields, peopleCount };
		return results.map(({ json }) => ({ json: { ...sentEnrollment, ...json } }));
	},
});

const PEOPLE_COUNT_NOT_SHOWN_HINT = describeUnknownPeopleCount(
	'the platform does not show how many people are in the enrollment',
);

/** Reads the number of people in an enrollment. @returns null if the platform doesn't show it */
function readPeopleCount(totalTargetUserCount: unknown): number | null {
	const count = isEmpty(totalTargetUserCount) ? NaN : parseNumber(totalTargetUserCount);
	return Number.isNaN(count) ? null : count;
}

const MISSING_ENROLLMENT_ID_DETAILS = { reason: 'the platform returned no ID, so it could not be sent', advice: '' };

/**
 * The output fields of an enrollment that was created and sent. `status` is missing, because the platform returned it before the enrollment
 * was sent.
 */
const SENT_ENROLLMENT_FIELDS = {
	id: ['enrollmentId'],
	simplified: [
		'name',
		'trainingName',
		'result',
		'time',
		'timeZone',
		'peopleCount',
		'dueDate',
		'delivery',
		'type',
		'enrolledBy',
		'markedAsTest',
		'autoEnroll',
		'enrollmentId',
	],
};
const sentEnrollmentOutput = createOutputChoice(SENT_ENROLLMENT_FIELDS);
const sentToPeopleOutput = createOutputChoice({
	...SENT_ENROLLMENT_FIELDS,
	simplified: [...SENT_ENROLLMENT_FIELDS.simplified, 'targetGroupResourceId'],
});

/**
 * Returns the first words of the advice that a user gets if an enrollment was created but not sent.
 * @param mayHaveBeenSent true if no response arrived, so that the platform may have sent the enrollment
 */
function getSendAdviceStart(resourceId: string | undefined, mayHaveBeenSent: boolean): string {
	if (resourceId === undefined) return 'Find it on the platform, and send';
	return mayHaveBeenSent ? 'Check on the platform if it was sent. If not, send' : 'Send';
}

/**
 * Sends an enrollment that was just created.
 * @param creationData the data of the response to the request that created the enrollment
 * @returns the fields of the enrollment, and the report of what was done
 * @throws RequestError if the enrollment can't be sent. The error says that it was created, and how to send it.
 */
async function sendCreatedEnrollment(creationData: unknown, helpers: OperationHelpers): Promise<IDataObject> {
	const { totalTargetUserCount, ...enrollment } = omit(toItemJson(creationData, 'id'), 'status');
	const resourceId = readId(enrollment, ENROLLMENT_ID_FIELDS);
	const createNotSentError = (errorDetails: RequestErrorDetails) => {
		const completedStep = `the enrollment was created${resourceId ? ` with the ID '${resourceId}'` : ''}`;
		const adviceStart = getSendAdviceStart(resourceId, errorDetails.mayHaveBeenApplied === true);
		const advice = `${adviceStart} it with 'Send enrollment'. Don't run this node again, because that would create a second enrollment.`;
		return createPartialFailure(errorDetails, completedStep, advice);
	};
	if (resourceId === undefined) throw createNotSentError(MISSING_ENROLLMENT_ID_DETAILS);
	await helpers.callOperation(sendEnrollmentOperation, { path: { resourceId } }).catch((error: unknown) => {
		if (error instanceof RequestError) throw createNotSentError(error.details);
		throw toError(error);
	});
	const sentFields = describeWrite('sent', helpers.context.timezone);
	return { ...enrollment, ...sentFields, peopleCount: readPeopleCount(totalTargetUserCount) };
}

export const createAndSendEnrollmentOperation = defineComposite({
	value: 'createAndSend',
	name: 'Create and Send',
	action: 'Create and send enrollment',
	description: 'Enroll target groups in a training, and send the training to everyone in the groups now',
	outputNote:
		"Each execution creates a new enrollment and sends it to everyone in the target groups. To send to individual people, use 'Send enrollment to people'. To send an existing enrollment, use 'Send enrollment'.",
	scope: 'company',
	fields: { ...sentEnrollmentFields, ...sentEnrollmentOutput.fields },
	isReadOnly: false,
	dependencies: [createEnrollmentOperation, sendEnrollmentOperation],
	transformOutput: (json, values) => toListedEnrollment(json, buildEnrollmentCreationBody(values)),
	check: (values) => buildEnrollmentCreationBody(values),
	run: async (values, helpers) => {
		const body = buildEnrollmentCreationBody(values);
		const { data } = await helpers.callOperation(createEnrollmentOperation, { body });
		const sentEnrollment = await sendCreatedEnrollment(data, helpers);
		if (sentEnrollment.peopleCount === null) helpers.context.addHint(PEOPLE_COUNT_NOT_SHOWN_HINT);
		return [sentEnrollmentOutput.createItemMapper(values)(sentEnrollment)];
	},
});

/** Creates the error for a new target group if the platform didn't return the group's ID, which the enrollment needs. */
const createMissingGroupIdError = (name: string): RequestError =>
	createPartialFailure(
		{ reason: 'the platform returned no ID', advice: '' },
		`the target group '${name}' was created`,
		"No one was enrolled. Find the group with 'Get many target groups', add the people with 'Add target group members', and enroll the group with 'Create and send enrollment'. Don't run this node again, because that would create a second group.",
	);

/**
 * Deletes a new target group after the request to enroll it failed. If the platform may have created the enrollment all the same, the
 * group is kept, because the enrollment needs it.
 * @param error the error of the failed request
 * @throws Error always: `error` itself if the group was deleted, or a RequestError that says that the group was kept
 */
async function deleteUnusedGroup(error: unknown, groupId: string, helpers: OperationHelpers): Promise<never> {
	if (!(error instanceof RequestError)) throw toError(error);
	const groupKeptError = createPartialFailure(
		error.details,
		`the target group was created with the ID '${groupId}'`,
		"Check on the platform if there is an enrollment with this name. If not, delete the group with 'Delete target group', and run this node again.",
	);
	if (error.details.mayHaveBeenApplied) throw groupKeptError;
	await helpers.callOperation(deleteTargetGroupOperation, { path: { resourceId: groupId } }).catch(() => {
		throw groupKeptError;
	});
	throw error;
}

const { additionalFields, ...mainCreationFields } = omit(sentEnrollmentFields, 'targetGroups');

const newGroupPriorityField = {
	...targetGroupPriorityField,
	property: {
		...targetGroupPriorityField.property,
		displayName: 'Target Group Priority',
		hint: 'This operation creates a target group for the people. The group gets this priority.',
	},
};

/**
 * Builds the request body of an enrollment whose target group doesn't exist yet.
 * @throws InvalidInputError if the JSON names target groups
 */
function buildBodyWithoutGroups(values: Omit<Parameters<typeof buildEnrollmentCreationBody>[0], 'targetGroups'>) {
	const path = ['additionalFields', 'additionalFieldsJson'];
	rejectReplacedFields(values.additionalFields.additionalFieldsJson ?? {}, { targetGroupResourceIds: true }, { path });
	return buildEnrollmentCreationBody({ ...values, targetGroups: [] });
}

/**
 * Enrolls people instead of target groups. The platform can only enroll target groups (contract 4.7), so the operation creates a group for
 * the people.
 */
export const createAndSendEnrollmentToPeopleOperation = defineComposite({
	value: 'sendToPeople',
	name: 'Send to People',
	action: 'Send enrollment to people',
	description: 'Send a training now to people that you select',
	outputNote:
		'Each execution creates a target group for the people that you select, because the platform can only enroll groups. The group has the name of the enrollment and stays on the platform.',
	scope: 'company',
	fields: {
		...mainCreationFields,
		people: groupMembersPicker('The people to send the training to'),
		priority: newGroupPriorityField,
		additionalFields,
		...sentToPeopleOutput.fields,
	},
	isReadOnly: false,
	dependencies: [
		createTargetGroupOperation,
		addTargetGroupMembersOperation,
		createEnrollmentOperation,
		sendEnrollmentOperation,
		deleteTargetGroupOperation,
	],
	transformOutput: (json, values) => toListedEnrollment(json, buildBodyWithoutGroups(values)),
	check: (values) => buildBodyWithoutGroups(values),
	run: async (values, helpers) => {
		const { name, priority, people } = values;
		const body = buildBodyWithoutGroups(values);
		const { data: groupData } = await helpers.callOperation(createTargetGroupOperation, { body: { name, priority } });
		const groupId = readId(toItemJson(groupData, 'resourceId'), TARGET_GROUP_ID_FIELDS);
		if (groupId === undefined) throw createMissingGroupIdError(name);
		const targetGroupResourceIds = [groupId];
		const enrollGroup = async () => {
			await helpers.callOperation(addTargetGroupMembersOperation, {
				body: { targetUserResourceIds: people, targetGroupResourceIds },
			});
			return await helpers.callOperation(createEnrollmentOperation, { body: { ...body, targetGroupResourceIds } });
		};
		const { data } = await enrollGroup().catch((error: unknown) => deleteUnusedGroup(error, groupId, helpers));
		const sentEnrollment = {
			...(await sendCreatedEnrollment(data, helpers)),
			peopleCount: new Set(people).size,
			targetGroupResourceId: groupId,
		};
		return [sentToPeopleOutput.createItemMapper(values)(sentEnrollment)];
	},
});

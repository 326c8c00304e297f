import { omit } from 'lodash';

import type { FieldValues } from '../core/fields/field';
import { toError, RequestError, type RequestErrorDetails } from '../core/http/errors';
import { defineComposite, defineOperation, type OperationHelpers } from '../core/operation/defineOperation';
import { createOutputChoice } from '../core/response/outputFields';
import { recordResponse } from '../core/response/recordResponse';
import type { ResultItem } from '../core/response/responseHandler';
import { createPartialFailure } from '../core/run/failures';
import { readId, toItemJson } from '../core/values';
import { ENROLLMENT_ID_FIELDS, TARGET_GROUP_ID_FIELDS } from '../domain/pickers/resourcePickers';
import {
	addTargetGroupMembersOperation,
	createTargetGroupOperation,
	deleteTargetGroupOperation,
	groupMembersPicker,
	targetGroupPriorityField,
} from '../domain/targetGroups/sharedTargetGroupOperations';
import {
	buildEnrollmentCreationBody,
	CREATED_ENROLLMENT_FIELDS,
	enrollmentCreationFields,
	enrollmentOperationBase,
	toListedEnrollment,
} from './enrollmentFields';

export const createEnrollmentOperation = defineOperation({
	value: 'create',
	name: 'Create Enrollment',
	description: 'Enroll target groups in a training; it is sent at its start date, or when you send it',
	endpoint: 'POST /api/enrollments',
	scope: 'company',
	fields: enrollmentCreationFields,
	request: (values) => ({ body: buildEnrollmentCreationBody(values) }),
	response: recordResponse({ outputFields: CREATED_ENROLLMENT_FIELDS, valueField: 'id' }),
	transformOutput: (json, values) => toListedEnrollment(json, buildEnrollmentCreationBody(values)),
});

export const sendEnrollmentOperation = defineOperation({
	value: 'send',
	name: 'Send Enrollment',
	description: 'Send an enrollment at once to everybody in it, again if it was sent before; each run sends it again',
	endpoint: 'POST /api/enrollments/{resourceId}/send',
	...enrollmentOperationBase,
});

const MISSING_ENROLLMENT_ID_DETAILS = { reason: 'the service returned no ID, so it could not be sent', advice: '' };

/**
 * The output fields of an enrollment that was created and sent. The field `sent` replaces `status`, which the platform returned before the
 * enrollment was sent.
 */
const sentEnrollmentOutput = createOutputChoice({
	...CREATED_ENROLLMENT_FIELDS,
	simplified: CREATED_ENROLLMENT_FIELDS.simplified.map((name) => (name === 'status' ? 'sent' : name)),
});

/**
 * Returns the first words of the advice that a user gets if an enrollment was created but not sent.
 * @param mayHaveBeenSent true if no response arrived, so that the platform may have sent the enrollment
 */
function getSendAdviceStart(resourceId: string | undefined, mayHaveBeenSent: boolean): string {
	if (resourceId === undefined) return 'Find it in the platform, and send';
	return mayHaveBeenSent ? 'Look in the platform whether it was sent. If not, send' : 'Send';
}

/**
 * Sends an enrollment that was just created.
 * @param creationData the data of the response to the request that created the enrollment
 * @throws RequestError if the enrollment can't be sent. The error says that it was created, and how to send it.
 */
async function sendCreatedEnrollment(
	creationData: unknown,
	values: FieldValues<typeof sentEnrollmentOutput.fields>,
	helpers: OperationHelpers,
): Promise<ResultItem[]> {
	const enrollment = omit(toItemJson(creationData, 'id'), 'status');
	const resourceId = readId(enrollment, ['id', ...ENROLLMENT_ID_FIELDS]);
	const createNotSentError = (details: RequestErrorDetails) => {
		const completedStep = `the enrollment was created${resourceId ? ` with the ID '${resourceId}'` : ''}`;
		const adviceStart = getSendAdviceStart(resourceId, details.mayHaveBeenApplied === true);
		const advice = `${adviceStart} it with the operation 'Send Enrollment'; running this one again would create a second.`;
		return createPartialFailure(details, completedStep, advice);
	};
	if (resourceId === undefined) throw createNotSentError(MISSING_ENROLLMENT_ID_DETAILS);
	await helpers.callOperation(sendEnrollmentOperation, { path: { resourceId } }).catch((error: unknown) => {
		if (error instanceof RequestError) throw createNotSentError(error.details);
		throw toError(error);
	});
	const item = sentEnrollmentOutput.createItemMapper(values)(enrollment);
	return [{ ...item, json: { ...item.json, sent: true } }];
}

export const createAndSendEnrollmentOperation = defineComposite({
	value: 'createAndSend',
	name: 'Create and Send Enrollment',
	description:
		'Enroll target groups in a training and send it to them at once; for an existing enrollment: Send Enrollment',
	scope: 'company',
	fields: { ...enrollmentCreationFields, ...sentEnrollmentOutput.fields },
	isReadOnly: false,
	dependencies: [createEnrollmentOperation, sendEnrollmentOperation],
	transformOutput: (json, values) => toListedEnrollment(json, buildEnrollmentCreationBody(values)),
	check: (values) => buildEnrollmentCreationBody(values),
	run: async (values, helpers) => {
		const body = buildEnrollmentCreationBody(values);
		const { data } = await helpers.callOperation(createEnrollmentOperation, { body });
		return await sendCreatedEnrollment(data, values, helpers);
	},
});

/** Creates the error for a new target group if the platform didn't return the group's ID, which the enrollment needs. */
const createMissingGroupIdError = (name: string): RequestError =>
	createPartialFailure(
		{ reason: 'the service returned no ID', advice: '' },
		`the target group '${name}' was created`,
		"Nobody was enrolled. Find the group with 'Get Many Target Groups', add the people with 'Add Target Group Members', and enroll the group with 'Create and Send Enrollment'. Don't run this node again, because that would create a second group.",
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
		"Look in the platform whether there is an enrollment of that name. If not, delete the group with 'Delete Target Group', and run this one again.",
	);
	if (error.details.mayHaveBeenApplied) throw groupKeptError;
	await helpers.callOperation(deleteTargetGroupOperation, { path: { resourceId: groupId } }).catch(() => {
		throw groupKeptError;
	});
	throw error;
}

const { additionalFields, ...mainCreationFields } = omit(enrollmentCreationFields, 'targetGroups');

/** Builds the request body of an enrollment whose target group doesn't exist yet. */
const buildBodyWithoutGroups = (values: Omit<Parameters<typeof buildEnrollmentCreationBody>[0], 'targetGroups'>) =>
	buildEnrollmentCreationBody({ ...values, targetGroups: [] });

/**
 * Enrolls people instead of target groups. The platform can only enroll target groups (contract 4.7), so the operation creates a group for
 * the people.
 */
export const createAndSendEnrollmentToPeopleOperation = defineComposite({
	value: 'createAndSendToPeople',
	name: 'Create and Send Enrollment to Chosen People',
	description: 'Put people in a new target group, and send it a training at once, each time anew',
	outputNote: 'The target group has the name of the enrollment. If there can be no enrollment, it is deleted again.',
	scope: 'company',
	fields: {
		...mainCreationFields,
		people: groupMembersPicker,
		priority: targetGroupPriorityField,
		additionalFields,
		...sentEnrollmentOutput.fields,
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
		return await sendCreatedEnrollment(data, values, helpers);
	},
});

import { omit } from 'lodash';

import type { Answered } from '../core/response/responseHandler';
import { recordOutput } from '../core/response/outputFields';
import type { Values } from '../core/fields/field';
import { halfDone } from '../core/run/failures';
import { defineComposite, type Operation, type Tools } from '../core/operation/defineOperation';
import { ENROLLMENT_ID, TARGET_GROUP_ID } from '../domain/pickers/resourcePickers';
import { rethrow, ServiceError, type ServiceErrorDetails } from '../core/http/errors';
import {
	addMembers,
	create as createGroup,
	deleteOne as deleteGroup,
	people,
	priority,
} from '../TargetGroup/operations';
import { asListed, CREATED_ENROLLMENT, enrollmentBody, enrollmentFields } from './enrollmentFields';
import { identityOf, toJson } from '../core/values';

const NO_ID = { reason: 'the service returned no ID, so it could not be sent', advice: '' };

// The status was that of before it was sent.
const output = recordOutput({
	...CREATED_ENROLLMENT,
	simplified: CREATED_ENROLLMENT.simplified.map((name) => (name === 'status' ? 'sent' : name)),
});

/** Sends an enrollment. @param data what its creation was answered with @throws ServiceError that says how to send it */
async function sentAtOnce(
	data: unknown,
	chosen: Values<typeof output.fields>,
	send: Operation,
	{ ask }: Tools,
): Promise<Answered[]> {
	const created = omit(toJson(data, 'id'), 'status');
	const resourceId = identityOf(created, ['id', ...ENROLLMENT_ID]);
	const createdOnly = (details: ServiceErrorDetails) => {
		const done = `the enrollment was created${resourceId ? ` with the ID '${resourceId}'` : ''}`;
		// A request that was not answered may have sent it.
		const look = details.mayHaveBeenApplied ? 'Look in the platform whether it was sent. If not, send' : 'Send';
		const find = resourceId === undefined ? 'Find it in the platform, and send' : look;
		const how = "it with the operation 'Send Enrollment'; running this one again would create a second.";
		return halfDone(details, done, `${find} ${how}`);
	};
	if (resourceId === undefined) throw createdOnly(NO_ID);
	await ask(send, { path: { resourceId } }).catch((error: unknown) =>
		rethrow(error instanceof ServiceError ? createdOnly(error.details) : error),
	);
	const item = output.of(chosen)(created);
	return [{ ...item, json: { ...item.json, sent: true } }];
}

/** The operation that creates an enrollment and sends it. */
export const createAndSendOf = (create: Operation, send: Operation): Operation =>
	defineComposite({
		value: 'createAndSend',
		name: 'Create and Send Enrollment',
		description:
			'Enroll target groups in a training and send it to them at once; for an existing enrollment: Send Enrollment',
		scope: 'company',
		fields: { ...enrollmentFields, ...output.fields },
		reads: false,
		uses: [create, send],
		output: (json, values) => asListed(json, enrollmentBody(values)),
		check: (values) => enrollmentBody(values),
		run: async (values, tools) => {
			const { data } = await tools.ask(create, { body: enrollmentBody(values) });
			return await sentAtOnce(data, values, send, tools);
		},
	});

/** Takes back a group that nothing could be made of. @throws ServiceError that says why, and that the group is left if it is */
async function withoutGroup(error: unknown, group: string, { ask }: Tools): Promise<never> {
	if (!(error instanceof ServiceError)) return await rethrow(error);
	const left = halfDone(
		error.details,
		`the target group was created with the ID '${group}'`,
		"Look in the platform whether there is an enrollment of that name. If not, delete the group with 'Delete Target Group', and run this one again.",
	);
	// What may be there needs its group.
	if (error.details.mayHaveBeenApplied) throw left;
	await ask(deleteGroup, { path: { resourceId: group } }).catch(() => rethrow(left));
	throw error;
}

/** Creates the error for a group that was created without the service returning its ID. Another run would create a second group. */
const createGroupIdError = (name: string): ServiceError =>
	halfDone(
		{ ...NO_ID, reason: 'the service returned no ID' },
		`the target group '${name}' was created`,
		"Nobody was enrolled. Find the group with 'Get Many Target Groups', add the people with 'Add Target Group Members', and enroll the group with 'Create and Send Enrollment'. Don't run this node again, because that would create a second group.",
	);

const { additionalFields, ...named } = omit(enrollmentFields, 'targetGroups');

/** The operation that does it for people: only target groups can be enrolled (contract 4.7), so they get one of their own. */
export const createAndSendToPeopleOf = (create: Operation, send: Operation): Operation =>
	defineComposite({
		value: 'createAndSendToPeople',
		name: 'Create and Send Enrollment to Chosen People',
		description: 'Put people in a new target group, and send it a training at once, each time anew',
		outputNote: 'The target group has the name of the enrollment. If there can be no enrollment, it is deleted again.',
		scope: 'company',
		fields: { ...named, people, priority, additionalFields, ...output.fields },
		reads: false,
		uses: [createGroup, addMembers, create, send, deleteGroup],
		output: (json, values) => asListed(json, enrollmentBody({ ...values, targetGroups: [] })),
		check: (values) => enrollmentBody({ ...values, targetGroups: [] }),
		run: async (values, tools) => {
			const body = enrollmentBody({ ...values, targetGroups: [] });
			const made = await tools.ask(createGroup, { body: { name: values.name, priority: values.priority } });
			const group = identityOf(toJson(made.data, 'resourceId'), TARGET_GROUP_ID);
			if (group === undefined) throw createGroupIdError(values.name);
			const targetGroupResourceIds = [group];
			const join = { targetUserResourceIds: values.people, targetGroupResourceIds };
			const created = tools
				.ask(addMembers, { body: join })
				.then(async () => tools.ask(create, { body: { ...body, targetGroupResourceIds } }));
			const { data } = await created.catch(async (error: unknown) => withoutGroup(error, group, tools));
			return await sentAtOnce(data, values, send, tools);
		},
	});

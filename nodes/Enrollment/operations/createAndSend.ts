import { identityOf } from '../../shared/answer/paging';
import { recordOutput } from '../../shared/answer/output';
import { defineComposite } from '../../shared/operation/composite';
import { ENROLLMENT_ID } from '../../shared/pickers/enrollment';
import { toJson } from '../../shared/transport/envelope';
import { rethrow, ServiceError, type ServiceErrorDetails } from '../../shared/transport/errors';
import { create } from './create';
import { asListed, CREATED_ENROLLMENT, enrollmentBody, enrollmentFields } from '../fields';
import { send } from './send';

const NO_ID = {
	reason: 'the service returned no ID, so it could not be sent',
	advice: 'Find it in the platform.',
	cause: 'refused',
	mayHaveBeenApplied: true,
	transient: false,
} as const;

const output = recordOutput({ ...CREATED_ENROLLMENT, others: [...CREATED_ENROLLMENT.others, 'sent'] });

export const createAndSend = defineComposite({
	value: 'createAndSend',
	name: 'Create and Send Enrollment',
	action: 'Create and send enrollment',
	description: 'Enroll target groups in a training and send it to them at once',
	scope: 'company',
	fields: { ...enrollmentFields, ...output.fields },
	reads: false,
	steps: [create, send],
	output: (json, values) => asListed(json, enrollmentBody(values)),
	run: async (values, { ask }) => {
		const { data } = await ask(create, { body: enrollmentBody(values) });
		const created = toJson(data, 'id');
		const resourceId = identityOf(created, ['id', ...ENROLLMENT_ID]);
		const createdOnly = (details: ServiceErrorDetails) =>
			new ServiceError({
				...details,
				reason: `the enrollment was created${resourceId ? ` with the ID '${resourceId}'` : ''}, but ${details.reason}`,
				advice: `${details.advice} Send it with the operation 'Send Enrollment'; running this one again would create a second.`,
			});
		if (resourceId === undefined) throw createdOnly(NO_ID);
		await ask(send, { path: { resourceId } }).catch((error: unknown) =>
			rethrow(error instanceof ServiceError ? createdOnly(error.details) : error),
		);
		const item = output.of(values)(created);
		return [{ ...item, json: { ...item.json, sent: true } }];
	},
});

import { identityOf } from '../../shared/answer/paging';
import { defineComposite } from '../../shared/operation/define';
import { ENROLLMENT_ID } from '../../shared/pickers/enrollment';
import { toJson } from '../../shared/transport/envelope';
import { ServiceProblem } from '../../shared/transport/problem';
import { create } from './create';
import { enrollmentBody, enrollmentFields } from './enrollment';
import { send } from './send';

export const createAndSend = defineComposite({
	value: 'createAndSend',
	name: 'Create and Send Enrollment',
	action: 'Create and send enrollment',
	description: 'Enroll target groups in a training and send it to them at once',
	scope: 'company',
	fields: enrollmentFields,
	reads: false,
	steps: [create, send],
	run: async (values, { ask }) => {
		const created = toJson((await ask(create, { body: enrollmentBody(values) })).data);
		const resourceId = identityOf(created, ['id', ...ENROLLMENT_ID]);
		const half = (reason: string, advice: string) =>
			new ServiceProblem({
				reason: `the enrollment was created${resourceId ? ` with the ID '${resourceId}'` : ''}, but ${reason}`,
				advice: `${advice} Send it with the operation 'Send Enrollment'; running this one again would create a second.`,
				cause: 'refused',
				mayHaveLanded: true,
				transient: false,
			});
		if (resourceId === undefined) throw half('the service gave no ID to send it by', 'Look it up in the platform.');
		await ask(send, { path: { resourceId } }).catch((error: unknown) => {
			const told = error instanceof ServiceProblem ? error.facts : { reason: 'it could not be sent', advice: '' };
			return Promise.reject(half(told.reason, told.advice));
		});
		return [{ json: { ...created, sent: true } }];
	},
});

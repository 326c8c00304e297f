import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { asListed, CREATED_ENROLLMENT, enrollmentBody, enrollmentFields } from '../fields';

export const create = defineOperation({
	value: 'create',
	name: 'Create Enrollment',
	action: 'Create enrollment',
	description: 'Enroll target groups in a training; it is sent at its start date, or when you send it',
	contract: 'POST /api/enrollments',
	scope: 'company',
	fields: enrollmentFields,
	request: (values) => ({ body: enrollmentBody(values) }),
	answer: record({ known: CREATED_ENROLLMENT, as: 'id' }),
	output: (json, values) => asListed(json, enrollmentBody(values)),
});

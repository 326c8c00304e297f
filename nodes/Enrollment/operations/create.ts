import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { asListed, ENROLLMENT_ESSENTIALS, enrollmentBody, enrollmentFields } from '../fields';

export const create = defineOperation({
	value: 'create',
	name: 'Create Enrollment',
	action: 'Create enrollment',
	description: 'Enroll target groups in a training; it is sent at its start date, or when you send it',
	contract: 'POST /api/enrollments',
	scope: 'company',
	fields: enrollmentFields,
	request: (values) => ({ body: enrollmentBody(values) }),
	answer: record({ essentials: ENROLLMENT_ESSENTIALS, as: 'id' }),
	output: (json, { name }) => asListed(json, name),
});

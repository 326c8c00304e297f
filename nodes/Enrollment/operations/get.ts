import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { ENROLLMENT_ID, enrollmentPicker, withEnrollmentId } from '../../shared/pickers/enrollment';
import { ENROLLMENT_ESSENTIALS } from '../fields';

export const get = defineOperation({
	value: 'get',
	name: 'Get Enrollment',
	action: 'Get enrollment',
	description: 'Get one enrollment',
	contract: 'GET /api/enrollments/{resourceId}',
	scope: 'company',
	fields: { enrollment: enrollmentPicker() },
	request: ({ enrollment }) => ({ path: { resourceId: enrollment.id } }),
	answer: record({
		// Records of live deployments do not have their ID (deployment shapes).
		identity: { names: ENROLLMENT_ID, as: 'enrollmentId' },
		essentials: ['name', ...ENROLLMENT_ESSENTIALS.slice(0, 7), 'resourceId', 'enrollmentId', 'enrollmentScheduler'],
	}),
	output: withEnrollmentId,
});

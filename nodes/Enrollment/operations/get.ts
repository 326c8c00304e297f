import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { enrollmentPicker } from '../../shared/pickers/enrollment';
import { ENROLLMENT_ESSENTIALS } from './enrollment';

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
		essentials: ['name', ...ENROLLMENT_ESSENTIALS.slice(0, 7), 'resourceId', 'enrollmentId', 'enrollmentScheduler'],
	}),
});

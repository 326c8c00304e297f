import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { enrollmentPicker } from '../../shared/pickers/enrollment';

export const send = defineOperation({
	value: 'send',
	name: 'Send Enrollment',
	action: 'Send enrollment',
	description: 'Send an enrollment at once to everybody it is for; each run of the node sends it again',
	contract: 'POST /api/enrollments/{resourceId}/send',
	noBody: true,
	scope: 'company',
	fields: { enrollment: enrollmentPicker() },
	request: ({ enrollment }) => ({ path: { resourceId: enrollment.id } }),
	answer: record({ as: 'resourceId' }),
});

import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { ENROLLMENT_ID, enrollmentPicker, withEnrollmentId } from '../../shared/pickers/enrollment';
import { CREATED_ENROLLMENT } from '../fields';

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
		known: {
			id: ['enrollmentId'],
			essentials: [
				'name',
				...CREATED_ENROLLMENT.essentials.slice(0, 7),
				...['resourceId', 'enrollmentId', 'enrollmentScheduler'],
			],
			others: [
				...['awardCertificate', 'createTime', 'dueDate', 'excludeFromReports', 'hasReminder', 'languages'],
				...['markedAsTest', 'tags', 'targetGroupResourceIds', 'trainingId'],
			],
		},
	}),
	output: withEnrollmentId,
});

import { defineOperation } from '../core/operation/defineOperation';
import { emptyResponse } from '../core/response/recordResponse';
import { enrollmentListResponse } from '../domain/enrollments/enrollmentReadOperations';
import { addEnrollmentId, resourcePicker } from '../domain/pickers/resourcePickers';
import { enrollmentOperationBase } from './enrollmentFields';

export const getDeletedEnrollmentsOperation = defineOperation({
	value: 'getManyDeleted',
	name: 'Get Many Deleted Enrollments',
	description: 'List the enrollments in the trash, where they stay for 30 days',
	endpoint: 'POST /api/enrollments/archive/search',
	scope: 'companies',
	response: enrollmentListResponse,
	transformOutput: addEnrollmentId,
});

/** The properties that the definitions of all operations on one deleted enrollment share. */
const deletedEnrollmentOperationBase = {
	...enrollmentOperationBase,
	fields: { enrollment: resourcePicker('deletedEnrollments') },
};

export const restoreEnrollmentOperation = defineOperation({
	value: 'restore',
	name: 'Restore Enrollment',
	description: 'Bring a deleted enrollment back from the trash',
	endpoint: 'POST /api/enrollments/archive/{resourceId}/restore',
	...deletedEnrollmentOperationBase,
});

export const deleteEnrollmentForGoodOperation = defineOperation({
	value: 'deleteForGood',
	name: 'Delete Enrollment for Good',
	description: 'Remove an enrollment that is in the trash; this cannot be undone',
	endpoint: 'DELETE /api/enrollments/archive/{resourceId}',
	...deletedEnrollmentOperationBase,
	response: emptyResponse({ deleted: true }),
});

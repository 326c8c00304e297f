import { done } from '../core/response/recordResponse';
import { defineOperation } from '../core/operation/defineOperation';
import { pickerOf, withEnrollmentId } from '../domain/pickers/resourcePickers';
import { enrollmentPages, ofOne } from './enrollmentFields';

const deleteOne = defineOperation({
	value: 'delete',
	name: 'Delete Enrollment',
	description: 'Put an enrollment in the trash: Restore it in 30 days, or Delete it for Good',
	outputNote:
		"People can no longer open the training. For 30 days 'Get Many Deleted Enrollments' lists it, 'Restore Enrollment' brings it back, and 'Delete Enrollment for Good' removes it at once.",
	endpoint: 'DELETE /api/enrollments/{resourceId}',
	...ofOne,
	answer: done({ deleted: true }),
});

const getManyDeleted = defineOperation({
	value: 'getManyDeleted',
	name: 'Get Many Deleted Enrollments',
	description: 'List the enrollments in the trash, where they stay for 30 days',
	endpoint: 'POST /api/enrollments/archive/search',
	scope: 'companies',
	answer: enrollmentPages,
	output: withEnrollmentId,
});

/** What acts on an enrollment in the trash. */
const ofDeleted = { ...ofOne, fields: { enrollment: pickerOf('deletedEnrollments') } };

const restore = defineOperation({
	value: 'restore',
	name: 'Restore Enrollment',
	description: 'Bring a deleted enrollment back from the trash',
	endpoint: 'POST /api/enrollments/archive/{resourceId}/restore',
	...ofDeleted,
});

const deleteForGood = defineOperation({
	value: 'deleteForGood',
	name: 'Delete Enrollment for Good',
	description: 'Remove an enrollment that is in the trash; this cannot be undone',
	endpoint: 'DELETE /api/enrollments/archive/{resourceId}',
	...ofDeleted,
	answer: done({ deleted: true }),
});

export const archiveOperations = [deleteForGood, deleteOne, getManyDeleted, restore];

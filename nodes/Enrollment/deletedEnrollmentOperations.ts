import { defineOperation } from '../core/operation/defineOperation';
import { emptyResponse } from '../core/response/recordResponse';
import { enrollmentListResponse } from '../domain/enrollments/enrollmentReadOperations';
import { addEnrollmentId, resourcePicker } from '../domain/pickers/resourcePickers';
import { describeWrite } from '../domain/writeReport';
import { enrollmentOperationBase } from './enrollmentFields';
import { readEnrollmentName } from './readEnrollmentName';

export const getDeletedEnrollmentsOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many deleted enrollments',
	description: 'List the enrollments in the trash, where the platform keeps them for 30 days',
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
	name: 'Restore',
	action: 'Restore deleted enrollment',
	description: 'Restore an enrollment from the trash',
	endpoint: 'POST /api/enrollments/archive/{resourceId}/restore',
	...deletedEnrollmentOperationBase,
	perform: async ({ enrollment }, helpers) => {
		const results = await helpers.send();
		const restoredFields = describeWrite('restored', helpers.context.timezone);
		const report = { name: await readEnrollmentName(enrollment, helpers), ...restoredFields };
		return results.map(({ json }) => ({ json: { ...report, ...json } }));
	},
});

export const deleteEnrollmentForGoodOperation = defineOperation({
	value: 'deletePermanently',
	name: 'Delete Permanently',
	action: 'Delete enrollment permanently',
	description: "Delete an enrollment from the trash permanently. This can't be undone.",
	endpoint: 'DELETE /api/enrollments/archive/{resourceId}',
	...deletedEnrollmentOperationBase,
	response: emptyResponse({ deleted: true }),
	transformOutput: (json, { enrollment }) => addEnrollmentId({ name: enrollment.name || null, ...json }),
});

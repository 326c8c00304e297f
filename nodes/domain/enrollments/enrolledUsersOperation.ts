import { platformNumberPicker } from '../pickers/platformLists';
import { addProgressFields, PROGRESS_FIELDS, readEnrollmentContext } from './enrolledUserProgress';
import { defineReportListOperation } from './trainingReportFields';

export const getEnrolledUsersOperation = defineReportListOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many enrolled users',
	description: 'List the people of an enrollment with their progress',
	endpoint: 'POST /api/training-reports/{enrollmentId}/users/search',
	outputFields: PROGRESS_FIELDS,
	perform: async ({ enrollment }, helpers) => {
		const items = await helpers.send();
		if (items.length === 0) return [];
		const enrollmentContext = await readEnrollmentContext(enrollment.id, helpers);
		return items.map((item) => ({ ...item, json: addProgressFields(item.json, enrollmentContext) }));
	},
	filterFields: {
		trainingType: platformNumberPicker('trainingTypeNumbers', {
			displayName: 'Training Type',
			description: 'Only return results of the training type with this number, such as 0 for a survey',
			default: 0,
			idExample: '0',
		}),
	},
});

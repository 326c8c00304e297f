import { defineUserActivityOperation } from '../domain/userActivity';

export const getTrainingActivityOperation = defineUserActivityOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many training user activities',
	description: 'List what people did in a period; no ID of a person or an enrollment',
	outputNote:
		"The rows have no person's ID and no enrollment's ID. To act on who is how far, use 'Get training progress by period'.",
	endpoint: 'POST /api/training-reports/activity-users/search',
	outputFields: {
		simplified: [
			'email',
			'firstName',
			'lastName',
			'enrollmentName',
			'trainingStatus',
			'examScore',
			'enrolledOn',
			'startedOn',
			'completedOn',
			'completedCount',
			'notCompletedCount',
		],
		additional: [
			'contentType',
			'createTime',
			'lastOpenedDate',
			'lastClickedDate',
			'openedTrainingEmail',
			'clickedTrainingEmail',
		],
	},
});

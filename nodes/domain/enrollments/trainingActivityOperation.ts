import { defineUserActivityOperation } from '../userActivity';

export const getTrainingActivityOperation = defineUserActivityOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many training user activities',
	description: "List what people did in trainings during a period: each action, or each person's totals",
	outputNote:
		"The output items have no IDs of people or enrollments. If the next node needs IDs, use 'Get training progress by period'.",
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

import { trainingTypeNumberPicker } from '../../shared/pickers/trainingForm';
import { reportList } from '../report';

export const getUsers = reportList({
	value: 'getUsers',
	name: 'Get Enrolled Users',
	action: 'Get enrolled users',
	description: 'List the people of an enrollment and how far they got',
	contract: 'POST /api/training-reports/{enrollmentId}/users/search',
	filterable: [
		'Email',
		'DeliveryType',
		'Department',
		'ExamScore',
		'ExamStatusName',
		'FirstCompletionDate',
		'FirstName',
		'LastInteractionDate',
		'LastName',
		'Status',
	],
	narrowing: {
		trainingType: trainingTypeNumberPicker({
			displayName: 'Training Type',
			description: 'Only this type of training, by its number; 0 is a survey',
		}),
	},
});

import { wholeNumber } from '../../shared/fields/basic';
import { reportList } from './report';

export const getUsers = reportList({
	value: 'getUsers',
	name: 'Get Enrolled Users',
	action: 'Get enrolled users',
	description: 'List the people of an enrollment and how far they got',
	contract: 'POST /api/training-reports/{enrollmentId}/users/search',
	narrowing: {
		trainingType: wholeNumber({
			displayName: 'Training Type',
			description: 'Only this type, by its number; 0 is a survey',
			default: 0,
			min: 0,
		}),
	},
});

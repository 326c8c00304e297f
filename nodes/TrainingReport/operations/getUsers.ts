import { pages } from '../../shared/answer/pages';
import { collection, wholeNumber } from '../../shared/fields/basic';
import { defineOperation } from '../../shared/operation/define';
import { aboutEnrollment, BY_EMAIL, REPORT_SORT } from './report';

export const getUsers = defineOperation({
	value: 'getUsers',
	name: 'Get Enrolled Users',
	action: 'Get enrolled users',
	description: 'List the people of an enrollment and how far they got',
	contract: 'POST /api/training-reports/{enrollmentId}/users/search',
	scope: 'company',
	fields: aboutEnrollment,
	request: ({ enrollment }) => ({ path: { enrollmentId: enrollment.id } }),
	answer: pages({ identity: [], sortable: REPORT_SORT, usually: BY_EMAIL,
		fields: {
			reportOptions: collection({
				displayName: 'Report Options',
				button: 'Add Option',
				fields: {
					trainingType: wholeNumber({
						displayName: 'Training Type',
						description: 'Only this type, by its number; 0 is a survey',
						default: 0,
						min: 0,
					}),
				},
			}),
		},
		narrow: ({ reportOptions }) => ({ body: reportOptions }),
	 }),
});

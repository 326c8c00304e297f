import { pages } from '../../shared/answer/pages';
import { collection, text, wholeNumber } from '../../shared/fields/basic';
import { defineOperation } from '../../shared/operation/define';
import { aboutEnrollment, BY_EMAIL, REPORT_SORT } from './report';

export const getNotifications = defineOperation({
	value: 'getNotifications',
	name: 'Get Notifications',
	action: 'Get notifications',
	description: 'List what was sent to whom for an enrollment, and what became of it',
	contract: 'POST /api/notifications/{enrollmentId}/search',
	scope: 'company',
	fields: aboutEnrollment,
	request: ({ enrollment }) => ({ path: { enrollmentId: enrollment.id } }),
	answer: pages({ identity: [], sortable: REPORT_SORT, usually: BY_EMAIL,
		fields: {
			reportOptions: collection({
				displayName: 'Report Options',
				button: 'Add Option',
				fields: {
					companyId: wholeNumber({
						displayName: 'Company Number',
						description: "The company by the platform's number for it, which is not its resource ID",
						default: 0,
						min: 0,
					}),
					enrollmentId: text({
						displayName: 'Enrollment ID in Filter',
						description: 'Only notifications of this enrollment, where it is another than the one chosen',
					}),
					status: text({
						displayName: 'Status',
						description: "Only notifications with this status, by the platform's name for it",
					}),
					type: text({
						displayName: 'Type',
						description: "Only notifications of this type, by the platform's name for it",
					}),
				},
			}),
		},
		narrow: ({ reportOptions }) => ({ body: reportOptions }),
	 }),
});

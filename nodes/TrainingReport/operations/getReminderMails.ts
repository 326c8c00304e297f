import { pages } from '../../shared/answer/pages';
import { collection, text, toggle } from '../../shared/fields/basic';
import { defineOperation } from '../../shared/operation/define';
import { aboutEnrollment, BY_EMAIL, REPORT_SORT } from './report';

export const getReminderMails = defineOperation({
	value: 'getReminderMails',
	name: 'Get Reminder Mails',
	action: 'Get reminder mails',
	description: 'List the reminders sent for an enrollment',
	contract: 'POST /api/training-reports/{enrollmentId}/reminder-mails/search',
	scope: 'company',
	fields: aboutEnrollment,
	request: ({ enrollment }) => ({ path: { enrollmentId: enrollment.id } }),
	answer: pages({ identity: [], sortable: REPORT_SORT, usually: BY_EMAIL,
		fields: {
			reportOptions: collection({
				displayName: 'Report Options',
				button: 'Add Option',
				fields: {
					reportAllPages: toggle({
						displayName: 'Report All Pages',
						description: 'Whether to ask the service for everything at once',
						default: true,
					}),
					showByExamStatus: text({
						displayName: 'Exam Status',
						description: "Only people whose exam has this status, by the platform's name for it",
					}),
					trainingType: text({
						displayName: 'Training Type',
						description: "Only this type of training, by the platform's name for it",
					}),
				},
			}),
		},
		narrow: ({ reportOptions }) => ({ body: reportOptions }),
	 }),
});

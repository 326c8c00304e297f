import { text, toggle } from '../../shared/fields/basic';
import { reportList } from './report';

export const getReminderMails = reportList({
	value: 'getReminderMails',
	name: 'Get Reminder Mails',
	action: 'Get reminder mails',
	description: 'List the reminders sent for an enrollment',
	contract: 'POST /api/training-reports/{enrollmentId}/reminder-mails/search',
	narrowing: {
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
});

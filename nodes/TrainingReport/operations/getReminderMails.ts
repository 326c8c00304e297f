import { toggle } from '../../shared/form/toggle';
import { examStatusPicker, trainingTypePicker } from '../../shared/pickers/trainingForm';
import { reportList } from '../report';

export const getReminderMails = reportList({
	value: 'getReminderMails',
	name: 'Get Reminder Mails',
	action: 'Get reminder mails',
	description: 'List the reminders sent for an enrollment',
	contract: 'POST /api/training-reports/{enrollmentId}/reminder-mails/search',
	filterable: ['Email', 'EmailDelivery', 'FirstSendDate', 'LastSendDate', 'LastSendingStatus'],
	narrowing: {
		reportAllPages: toggle({
			displayName: 'Report All Pages',
			description: 'Whether to ask the service for everything at once',
			default: true,
		}),
		showByExamStatus: examStatusPicker({
			displayName: 'Exam Status',
			description: 'Only people whose exam has this status',
		}),
		trainingType: trainingTypePicker({
			displayName: 'Training Type',
			description: 'Only this type of training',
		}),
	},
});

import { wholeNumber } from '../../shared/form/number';
import { text } from '../../shared/form/text';
import { reportList } from '../report';

export const getNotifications = reportList({
	value: 'getNotifications',
	name: 'Get Notifications',
	action: 'Get notifications',
	description: 'List what was sent to whom for an enrollment, and what became of it',
	contract: 'POST /api/notifications/{enrollmentId}/search',
	narrowing: {
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
});

import { wholeNumber } from '../../shared/form/number';
import { text } from '../../shared/form/text';
import { reportList } from '../report';

export const getNotifications = reportList({
	value: 'getNotifications',
	name: 'Get Notifications',
	action: 'Get notifications',
	description: 'List the notifications sent for an enrollment, each with its recipient and status',
	contract: 'POST /api/notifications/{enrollmentId}/search',
	filterable: [
		'Email',
		'CreateTime',
		'Department',
		'FirstName',
		'LastName',
		'LastSendDate',
		'LastSendingStatus',
		'Status',
		'Type',
	],
	narrowing: {
		companyId: wholeNumber({
			displayName: 'Company Number',
			description: "The platform's number of the company, which is not its resource ID",
			default: 0,
			min: 0,
		}),
		enrollmentId: text({
			displayName: 'Enrollment ID in Filter',
			description: 'Only notifications of this enrollment, if it is not the one chosen above',
		}),
		status: text({
			displayName: 'Status',
			description: "Only notifications with this status, in the platform's spelling",
		}),
		type: text({
			displayName: 'Type',
			description: "Only notifications of this type, in the platform's spelling",
		}),
	},
});

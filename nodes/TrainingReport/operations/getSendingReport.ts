import { reportList, SENDING_FILTERABLE } from '../report';

export const getSendingReport = reportList({
	value: 'getSendingReport',
	name: 'Get Sending Report',
	action: 'Get sending report',
	description: 'List the mails sent for an enrollment and whether they arrived',
	contract: 'POST /api/training-reports/{enrollmentId}/sending-report/search',
	filterable: SENDING_FILTERABLE,
});

import { pages } from '../../shared/answer/pages';
import { defineOperation } from '../../shared/operation/define';
import { aboutEnrollment, BY_EMAIL, REPORT_SORT } from './report';

export const getSendingReport = defineOperation({
	value: 'getSendingReport',
	name: 'Get Sending Report',
	action: 'Get sending report',
	description: 'List the mails sent for an enrollment and whether they arrived',
	contract: 'POST /api/training-reports/{enrollmentId}/sending-report/search',
	scope: 'company',
	fields: aboutEnrollment,
	request: ({ enrollment }) => ({ path: { enrollmentId: enrollment.id } }),
	answer: pages({ identity: [], sortable: REPORT_SORT, usually: BY_EMAIL }),
});

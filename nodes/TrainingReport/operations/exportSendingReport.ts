import { file } from '../../shared/answer/file';
import { defineOperation } from '../../shared/operation/define';
import { aboutEnrollment, BY_EMAIL, REPORT_SORT, SENDING_FILTERABLE } from '../report';

export const exportSendingReport = defineOperation({
	value: 'exportSendingReport',
	name: 'Export Sending Report',
	action: 'Export sending report',
	description: 'Get the mails sent for an enrollment, and whether they arrived, as a CSV or Excel file',
	contract: 'POST /api/training-reports/{enrollmentId}/sending-report/search/export',
	scope: 'company',
	fields: aboutEnrollment,
	request: ({ enrollment }) => ({ path: { enrollmentId: enrollment.id } }),
	answer: file({
		name: 'sending-report',
		sortable: REPORT_SORT,
		filterable: SENDING_FILTERABLE,
		defaultOrder: BY_EMAIL,
		countedBy: 'POST /api/training-reports/{enrollmentId}/sending-report/search',
	}),
});

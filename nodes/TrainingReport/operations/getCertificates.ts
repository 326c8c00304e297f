import { pages } from '../../shared/answer/pages';
import { defineOperation } from '../../shared/operation/define';
import { aboutEnrollment, BY_EMAIL, REPORT_SORT } from './report';

export const getCertificates = defineOperation({
	value: 'getCertificates',
	name: 'Get Certificates',
	action: 'Get certificates',
	description: 'List the certificates that people earned in an enrollment',
	contract: 'POST /api/enrollments/{enrollmentId}/certificates/search',
	scope: 'company',
	fields: aboutEnrollment,
	request: ({ enrollment }) => ({ path: { enrollmentId: enrollment.id } }),
	answer: pages({ identity: [], sortable: REPORT_SORT, usually: BY_EMAIL }),
});

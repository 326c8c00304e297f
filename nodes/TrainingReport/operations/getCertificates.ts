import { reportList } from '../report';

export const getCertificates = reportList({
	value: 'getCertificates',
	name: 'Get Certificates',
	action: 'Get certificates',
	description: 'List the certificates that people earned in an enrollment',
	contract: 'POST /api/enrollments/{enrollmentId}/certificates/search',
	filterable: ['UserEmail', 'CreatedDate', 'SentDate', 'Status'],
});

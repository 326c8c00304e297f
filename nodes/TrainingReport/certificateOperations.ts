import { defineReportListOperation } from './trainingReportFields';

export const getCertificatesOperation = defineReportListOperation({
	value: 'getCertificates',
	name: 'Get Certificates',
	description: 'List the certificates that people earned in an enrollment',
	endpoint: 'POST /api/enrollments/{enrollmentId}/certificates/search',
	outputFields: {
		id: ['targetUserResourceId'],
		simplified: [
			'userEmail',
			'status',
			'emailDelivery',
			'createdDate',
			'sentDate',
			'firstSendTime',
			'lastSendTime',
			'enrollmentId',
			'targetUserResourceId',
			'userEmailId',
		],
		additional: ['userEmailSendTime', 'customFieldValues'],
	},
});

import { defineReportListOperation } from '../domain/enrollments/trainingReportFields';

export const getCertificatesOperation = defineReportListOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many training certificates',
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

import {
	SORTED_BY_FIRST_NAME,
	SEARCH_NEWEST_FIRST,
	SEARCH_SORTED_BY_EMAIL,
	type EndpointTable,
} from '../endpointTraits';

/** The endpoints of training reports, and of the emails that enrollments send. */
export const TRAINING_REPORT_ENDPOINTS = {
	'POST /api/notifications/{enrollmentId}/search': SEARCH_NEWEST_FIRST,
	'GET /api/training-reports/{enrollmentId}/interactions/{targetUserResourceId}': { surveyTrainingType: 0 },
	'POST /api/training-reports/{enrollmentId}/{tab}/resend': { isOptional: true },
	'POST /api/training-reports/activity-users/search': {
		...SEARCH_SORTED_BY_EMAIL,
		isOptional: true,
		defaultOrder: SORTED_BY_FIRST_NAME,
	},
	'POST /api/training-reports/{enrollmentId}/reminder-mails/search': SEARCH_SORTED_BY_EMAIL,
	'POST /api/training-reports/{enrollmentId}/resend': { isOptional: true },
	'POST /api/training-reports/{enrollmentId}/sending-report/search': SEARCH_SORTED_BY_EMAIL,
	'POST /api/training-reports/{enrollmentId}/sending-report/search/export': {
		...SEARCH_SORTED_BY_EMAIL,
		isExport: true,
	},
	'GET /api/training-reports/{enrollmentId}/summary': { surveyTrainingType: 0 },
	'POST /api/training-reports/{enrollmentId}/users/search': { ...SEARCH_SORTED_BY_EMAIL, surveyTrainingType: 0 },
	'POST /api/training-reports/{enrollmentId}/users/search/export': {
		...SEARCH_SORTED_BY_EMAIL,
		isOptional: true,
		isExport: true,
	},
	'GET /api/training-reports/form-details': { isOptional: true },
} satisfies EndpointTable;

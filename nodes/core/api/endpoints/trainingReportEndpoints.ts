import { SORTED_BY_FIRST_NAME, SEARCH, SEARCH_SORTED_BY_EMAIL, type EndpointTable } from '../endpointTraits';

/** The endpoints of training reports and the emails of enrollments. */
export const TRAINING_REPORT_ENDPOINTS = {
	'POST /api/notifications/{enrollmentId}/search': SEARCH,
	'GET /api/training-reports/{enrollmentId}/interactions/{targetUserResourceId}': { surveyTrainingType: 0 },
	'POST /api/training-reports/{enrollmentId}/{tab}/resend': { optional: true },
	'POST /api/training-reports/activity-users/search': {
		...SEARCH_SORTED_BY_EMAIL,
		optional: true,
		defaultOrder: SORTED_BY_FIRST_NAME,
	},
	'POST /api/training-reports/{enrollmentId}/reminder-mails/search': SEARCH_SORTED_BY_EMAIL,
	'POST /api/training-reports/{enrollmentId}/resend': { optional: true },
	'POST /api/training-reports/{enrollmentId}/sending-report/search': SEARCH_SORTED_BY_EMAIL,
	'POST /api/training-reports/{enrollmentId}/sending-report/search/export': {
		...SEARCH_SORTED_BY_EMAIL,
		isExport: true,
	},
	'GET /api/training-reports/{enrollmentId}/summary': { surveyTrainingType: 0 },
	'POST /api/training-reports/{enrollmentId}/users/search': { ...SEARCH_SORTED_BY_EMAIL, surveyTrainingType: 0 },
	'POST /api/training-reports/{enrollmentId}/users/search/export': {
		...SEARCH_SORTED_BY_EMAIL,
		optional: true,
		isExport: true,
	},
	'GET /api/training-reports/form-details': { optional: true },
} satisfies EndpointTable;

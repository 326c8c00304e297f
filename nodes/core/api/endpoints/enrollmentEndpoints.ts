import { SORTED_BY_USER_EMAIL, SEARCH, type EndpointTable } from '../endpointTraits';

/** The endpoints of enrollments. */
export const ENROLLMENT_ENDPOINTS = {
	'POST /api/enrollments': { needsSecondCompanyHeader: true },
	'POST /api/enrollments/{enrollmentId}/certificates/search': {
		...SEARCH,
		defaultOrder: SORTED_BY_USER_EMAIL,
		needsSecondCompanyHeader: true,
	},
	'DELETE /api/enrollments/{resourceId}': { optional: true, needsSecondCompanyHeader: true },
	'GET /api/enrollments/{resourceId}': { needsSecondCompanyHeader: true },
	'PUT /api/enrollments/{resourceId}': { optional: true, needsSecondCompanyHeader: true },
	'POST /api/enrollments/{resourceId}/send': { hasBody: false, needsSecondCompanyHeader: true },
	'POST /api/enrollments/{resourceId}/stop': { optional: true, hasBody: false, needsSecondCompanyHeader: true },
	'POST /api/enrollments/{resourceId}/stop-autoenroll': {
		optional: true,
		hasBody: false,
		needsSecondCompanyHeader: true,
	},
	'POST /api/enrollments/{resourceId}/stop-reminder': {
		optional: true,
		hasBody: false,
		needsSecondCompanyHeader: true,
	},
	'DELETE /api/enrollments/archive/{resourceId}': { optional: true, needsSecondCompanyHeader: true },
	'POST /api/enrollments/archive/{resourceId}/restore': {
		optional: true,
		hasBody: false,
		needsSecondCompanyHeader: true,
	},
	'POST /api/enrollments/archive/search': { ...SEARCH, optional: true, needsSecondCompanyHeader: true },
	'GET /api/enrollments/form-details': { needsSecondCompanyHeader: true },
	'POST /api/enrollments/resend-certificate': { optional: true, bodyField: 'people', needsSecondCompanyHeader: true },
	'POST /api/enrollments/search': { ...SEARCH, needsSecondCompanyHeader: true },
	'POST /api/enrollments/search/export': { ...SEARCH, optional: true, needsSecondCompanyHeader: true, isExport: true },
} satisfies EndpointTable;

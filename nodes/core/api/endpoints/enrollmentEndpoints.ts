import { SORTED_BY_USER_EMAIL, SEARCH_NEWEST_FIRST, type EndpointTable } from '../endpointTraits';

export const ENROLLMENT_ENDPOINTS = {
	'POST /api/enrollments': { needsBothCompanyHeaders: true },
	'POST /api/enrollments/{enrollmentId}/certificates/search': {
		...SEARCH_NEWEST_FIRST,
		defaultOrder: SORTED_BY_USER_EMAIL,
		needsBothCompanyHeaders: true,
	},
	'DELETE /api/enrollments/{resourceId}': { isOptional: true, needsBothCompanyHeaders: true },
	'GET /api/enrollments/{resourceId}': { needsBothCompanyHeaders: true },
	'PUT /api/enrollments/{resourceId}': { isOptional: true, needsBothCompanyHeaders: true },
	'POST /api/enrollments/{resourceId}/send': { hasBody: false, needsBothCompanyHeaders: true },
	'POST /api/enrollments/{resourceId}/stop': { isOptional: true, hasBody: false, needsBothCompanyHeaders: true },
	'POST /api/enrollments/{resourceId}/stop-autoenroll': {
		isOptional: true,
		hasBody: false,
		needsBothCompanyHeaders: true,
	},
	'POST /api/enrollments/{resourceId}/stop-reminder': {
		isOptional: true,
		hasBody: false,
		needsBothCompanyHeaders: true,
	},
	'DELETE /api/enrollments/archive/{resourceId}': { isOptional: true, needsBothCompanyHeaders: true },
	'POST /api/enrollments/archive/{resourceId}/restore': {
		isOptional: true,
		hasBody: false,
		needsBothCompanyHeaders: true,
	},
	'POST /api/enrollments/archive/search': { ...SEARCH_NEWEST_FIRST, isOptional: true, needsBothCompanyHeaders: true },
	'GET /api/enrollments/form-details': { needsBothCompanyHeaders: true },
	'POST /api/enrollments/resend-certificate': { isOptional: true, bodyField: 'people', needsBothCompanyHeaders: true },
	'POST /api/enrollments/search': { ...SEARCH_NEWEST_FIRST, needsBothCompanyHeaders: true },
	'POST /api/enrollments/search/export': {
		...SEARCH_NEWEST_FIRST,
		isOptional: true,
		needsBothCompanyHeaders: true,
		isExport: true,
	},
} satisfies EndpointTable;

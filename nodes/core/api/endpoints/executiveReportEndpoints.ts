import { SEARCH_NEWEST_FIRST, type EndpointTable } from '../endpointTraits';

/** The endpoints of executive reports and their schedules. */
export const EXECUTIVE_REPORT_ENDPOINTS = {
	'GET /api/executive-report/{resourceId}': { isOptional: true },
	'POST /api/executive-report/get-widget-datas': SEARCH_NEWEST_FIRST,
	'GET /api/executive-report/metrics': { isOptional: true },
	'POST /api/executive-report/search': SEARCH_NEWEST_FIRST,
	'POST /api/report-scheduling': { isOptional: true },
	'DELETE /api/report-scheduling/{resourceId}/{reportType}': { isOptional: true },
	'GET /api/report-scheduling/{resourceId}': { isOptional: true },
	'PUT /api/report-scheduling/{resourceId}': { isOptional: true },
	'PUT /api/report-scheduling/{resourceId}/status/{statusId}': { isOptional: true, hasBody: false },
	'POST /api/report-scheduling/search': { ...SEARCH_NEWEST_FIRST, isOptional: true },
} satisfies EndpointTable;

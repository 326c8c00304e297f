import { SEARCH, type EndpointTable } from '../endpointTraits';

/** The endpoints of executive reports and their schedules. */
export const EXECUTIVE_REPORT_ENDPOINTS = {
	'GET /api/executive-report/{resourceId}': { optional: true },
	'POST /api/executive-report/get-widget-datas': SEARCH,
	'GET /api/executive-report/metrics': { optional: true },
	'POST /api/executive-report/search': SEARCH,
	'POST /api/report-scheduling': { optional: true },
	'DELETE /api/report-scheduling/{resourceId}/{reportType}': { optional: true },
	'GET /api/report-scheduling/{resourceId}': { optional: true },
	'PUT /api/report-scheduling/{resourceId}': { optional: true },
	'PUT /api/report-scheduling/{resourceId}/status/{statusId}': { optional: true, hasBody: false },
	'POST /api/report-scheduling/search': { ...SEARCH, optional: true },
} satisfies EndpointTable;

import type { EndpointTable } from '../endpointTraits';

/** The endpoints of lists that are the same for every company, such as time zones. */
export const LOOKUP_ENDPOINTS = {
	'GET /api/codetypes': { optional: true, isPlatformWide: true },
	'GET /api/lookups/{typeId}': { optional: true, isPlatformWide: true },
	'GET /api/lookups/licenses': { optional: true, isPlatformWide: true },
	'GET /api/timezone/timezones': { optional: true, isPlatformWide: true },
} satisfies EndpointTable;

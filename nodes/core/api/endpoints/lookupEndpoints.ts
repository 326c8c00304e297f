import type { EndpointTable } from '../endpointTraits';

/** The endpoints of lists that are the same for every company, such as time zones. */
export const LOOKUP_ENDPOINTS = {
	'GET /api/codetypes': { isOptional: true, isPlatformWide: true },
	'GET /api/lookups/{typeId}': { isOptional: true, isPlatformWide: true },
	'GET /api/lookups/licenses': { isOptional: true, isPlatformWide: true },
	'GET /api/timezone/timezones': { isOptional: true, isPlatformWide: true },
} satisfies EndpointTable;

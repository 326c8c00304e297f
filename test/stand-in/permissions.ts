import { isMissingRoute, type RuntimeOptions, type Route } from './http';
import { hasResellerRole } from './tokens';
import type { ApiClientRecord } from './companyData';

/** Converts an operation's key to the permission for it: the path without /api/, a bar, and the method. */
export function toPermission(key: string): string {
	const [method = '', path = ''] = key.split(' ');
	return `${path.replace(/^\/api\//, '')}|${method}`;
}

/** Lists the permissions of a client, as its token response contains them. */
export function listPermissions(client: ApiClientRecord, routes: readonly Route[], options: RuntimeOptions): string[] {
	const isReseller = hasResellerRole(client);
	return routes
		.filter((route) => (isReseller || route.access !== 'reseller') && !isMissingRoute(route, options))
		.map((route) => toPermission(route.key))
		.filter((permission) => !client.missingPermissions.includes(permission));
}

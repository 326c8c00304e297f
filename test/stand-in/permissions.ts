import type { LiveOptions, Route } from './http';
import { isReseller } from './tokens';
import type { ApiClientRecord } from './holdings';

/** A permission in the token's own notation. */
export function permission(key: string): string {
	const [method = '', path = ''] = key.split(' ');
	return `${path.replace(/^\/api\//, '')}|${method}`;
}

/** The permissions of a client, as its token response lists them. */
export function permissionsOf(client: ApiClientRecord, routes: readonly Route[], options: LiveOptions): string[] {
	const reseller = isReseller(client);
	return routes
		.filter((route) => (reseller || route.access !== 'reseller') && (options.helpers || !route.beside))
		.map((route) => permission(route.key))
		.filter((entry) => !client.lacks.includes(entry));
}

/**
 * The requests in the contract's table, and how the stand-in service, which is written from the contract, describes
 * each.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Route } from '../stand-in/http';
import { personality, SIMULATORS } from '../stand-in/personality';
import { allRoutes } from '../stand-in/routes';
import { describedIn } from '../stand-in/shapes';

function keysOfTable(): string[] {
	const text = readFileSync(join(__dirname, '../../docs/facts/reseller-management-api.md'), 'utf8');
	const [, section = ''] = /^## 4\.(.*?)^## 5\./ms.exec(text) ?? [];
	const rows = [...section.matchAll(/^\| (GET|POST|PUT|PATCH|DELETE) \| (\/\S+) \|/gm)];
	return rows
		.map(([, method = '', path = '']) => `${method} ${path}`)
		.flatMap((key) =>
			key.includes('/phishing-') ? SIMULATORS.map((simulator) => key.replaceAll('phishing-', `${simulator}-`)) : [key],
		);
}

/** The rows of the contract's section 4 as "POST /api/scim/search"; those of 4.9 once for each simulator. */
export const CONTRACT_KEYS: readonly string[] = keysOfTable();

// A live deployment has more than the contract.
const ROUTES = new Map(
	[...allRoutes(personality('deployed')), ...allRoutes(personality('contract'))].map((route) => [route.key, route]),
);

/** How the stand-in service serves a request. @throws Error where it does not */
export function routeOf(key: string): Route {
	const route = ROUTES.get(key);
	if (!route)
		throw new Error(`The stand-in service does not serve ${key}: it has no route for it in test/stand-in/routes`);
	return route;
}

/** The requests that the contract does not have but some deployments do: some are told of among the lists to choose from. */
export const BESIDE_KEYS: readonly string[] = [
	...new Set([...describedIn('deployment-beyond.md'), ...describedIn('deployment-shapes.md')].map(({ key }) => key)),
].filter((key) => !CONTRACT_KEYS.includes(key));

/** Whether a request changes nothing. */
export const isRead = (key: string): boolean => routeOf(key).write !== true;

/** Whether only a Reseller may make a request (contract 5.5). */
export const isResellers = (key: string): boolean => routeOf(key).access === 'reseller';

/** Whether a request takes a body. */
export const hasBody = (key: string): boolean => routeOf(key).takes !== 'nothing';

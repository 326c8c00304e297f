/**
 * Lists the endpoints in the contract, and looks up their properties in the simulated platform, which implements the contract. A key is the
 * method and the path of an endpoint.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Route } from '../stand-in/http';
import { getProfile, SIMULATORS } from '../stand-in/profile';
import { listRoutes } from '../stand-in/routes';
import { readDescriptions } from '../stand-in/endpointDescriptions';

/**
 * Reads the keys of the endpoints in section 4 of the contract. Of the simulators, the contract lists only the
 * endpoints of the phishing simulator. Their keys are also added for the other simulators.
 */
function readContractKeys(): string[] {
	const text = readFileSync(join(__dirname, '../../docs/facts/reseller-management-api.md'), 'utf8');
	const [, section = ''] = /^## 4\.(.*?)^## 5\./ms.exec(text) ?? [];
	const rows = [...section.matchAll(/^\| (GET|POST|PUT|PATCH|DELETE) \| (\/\S+) \|/gm)];
	const keys = rows.map(([, method = '', path = '']) => `${method} ${path}`);
	return keys.flatMap((key) => {
		if (!key.includes('/phishing-')) return [key];
		return SIMULATORS.map((simulator) => key.replaceAll('phishing-', `${simulator}-`));
	});
}

/** The keys of the endpoints in section 4 of the contract: "POST /api/scim/search". A key of section 4.9 is listed once per simulator. */
export const CONTRACT_KEYS: readonly string[] = readContractKeys();

// A live deployment has endpoints that the contract lacks. For an endpoint in both, the contract's route is used.
const ROUTES_BY_KEY = new Map(
	[...listRoutes(getProfile('deployed')), ...listRoutes(getProfile('contract'))].map((route) => [route.key, route]),
);

/** Returns the simulated platform's route for an endpoint. @throws Error if it has none */
export function getRoute(key: string): Route {
	const route = ROUTES_BY_KEY.get(key);
	if (!route)
		throw new Error(
			`The stand-in has no route for ${key}. Add one in test/stand-in/routes, or in test/stand-in/deployed if the contract lacks the endpoint.`,
		);
	return route;
}

/** The keys of the endpoints that the contract lacks and some live deployments have, according to the files about deployments. */
export const KEYS_BEYOND_CONTRACT: readonly string[] = [
	...new Set(
		[...readDescriptions('deployment-beyond.md'), ...readDescriptions('deployment-shapes.md')].map(({ key }) => key),
	),
].filter((key) => !CONTRACT_KEYS.includes(key));

/** Returns true if requests to an endpoint change nothing. */
export const isReadOnlyKey = (key: string): boolean => getRoute(key).isWrite !== true;

/** Returns true if only a Reseller may send requests to an endpoint (contract 5.5). */
export const isResellerOnly = (key: string): boolean => getRoute(key).access === 'reseller';

/** Returns true if requests to an endpoint have a body. */
export const hasBody = (key: string): boolean => getRoute(key).bodyType !== 'nothing';

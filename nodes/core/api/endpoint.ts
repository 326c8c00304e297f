import { FACTS, type EndpointKey, type Facts, type Order } from './endpoints';

export type { EndpointKey } from './endpoints';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** The {placeholders} in the path of an endpoint. */
export type PathNames<K extends string> = K extends `${string}{${infer Name}}${infer Rest}`
	? Name | PathNames<Rest>
	: never;

/** One operation of the service: its method and path, and every fact about it. */
export interface Endpoint extends Omit<Facts, 'isExport' | 'elsewhere'> {
	key: EndpointKey;
	method: Method;
	/** With {placeholders}. */
	path: string;
	/** In the notation of the token's permissions: "companies/search|POST" (contract 5.2). */
	permission: string;
	optional: boolean;
	reads: boolean;
	hasBody: boolean;
	order: Order;
	/** The search whose records an export has. */
	exportOf?: EndpointKey;
	elsewhere?: EndpointKey;
}

const NEWEST_FIRST: Order = { orderBy: 'CreateTime', ascending: false };

/** @throws TypeError for a key that the table does not have, which the compiler prevents */
const known = (key: string): EndpointKey => {
	if (!FACTS.has(key)) throw new TypeError(`There is no endpoint ${key}`);
	return key as EndpointKey;
};

function parseEndpoint(key: string, facts: Facts): Endpoint {
	const [word, path = ''] = key.split(' ');
	const method = METHODS.find((each) => each === word) ?? 'GET';
	const { isExport = false, elsewhere, optional = false, reads = method === 'GET', order = NEWEST_FIRST } = facts;
	const { hasBody = method !== 'GET' && method !== 'DELETE' } = facts;
	return {
		...facts,
		key: known(key),
		method,
		path,
		optional,
		reads,
		hasBody,
		order,
		permission: `${path.slice('/api/'.length)}|${method}`,
		exportOf: isExport ? known(key.replace(/\/export(?=\/|$)/, '')) : undefined,
		elsewhere: elsewhere === undefined ? undefined : known(elsewhere),
	};
}

const ENDPOINTS = new Map([...FACTS].map(([key, facts]) => [key, parseEndpoint(key, facts)]));

/** The endpoint of a key. */
export function endpointOf(key: EndpointKey): Endpoint {
	const endpoint = ENDPOINTS.get(key);
	if (!endpoint) throw new TypeError(`There is no endpoint ${key}`);
	return endpoint;
}

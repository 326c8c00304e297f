import type { EndpointTraits, SortOrder } from './endpointTraits';
import { ENDPOINT_TRAITS, type EndpointKey } from './endpoints';

export type { EndpointKey } from './endpoints';

const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** The names of the {placeholders} in an endpoint's path. */
export type PathParameterName<Key extends string> = Key extends `${string}{${infer Name}}${infer Rest}`
	? Name | PathParameterName<Rest>
	: never;

/** One endpoint of the platform, with all its traits. */
export interface Endpoint extends Omit<EndpointTraits, 'isExport' | 'alternativeEndpoint'> {
	key: EndpointKey;
	method: HttpMethod;
	/** The path, with {placeholders}. */
	path: string;
	/** The permission in the notation of the token: "companies/search|POST" (contract 5.2). */
	permission: string;
	isOptional: boolean;
	isReadOnly: boolean;
	hasBody: boolean;
	defaultOrder: SortOrder;
	/** The search whose records the file of an export contains. It is undefined if the endpoint isn't an export. */
	exportedSearch?: EndpointKey;
	alternativeEndpoint?: EndpointKey;
}

const NEWEST_RECORD_FIRST: SortOrder = { orderBy: 'CreateTime', ascending: false };

/** Checks that a text is the key of an endpoint. @throws TypeError if it isn't */
function parseEndpointKey(key: string): EndpointKey {
	if (!ENDPOINT_TRAITS.has(key)) throw new TypeError(`There is no endpoint ${key}`);
	return key as EndpointKey;
}

/** Builds an endpoint from its key and its row in the endpoint tables. */
function buildEndpoint(key: string, traits: EndpointTraits): Endpoint {
	const [methodName, path = ''] = key.split(' ');
	const method = HTTP_METHODS.find((name) => name === methodName) ?? 'GET';
	const { isExport = false, alternativeEndpoint, ...otherTraits } = traits;
	return {
		...otherTraits,
		key: parseEndpointKey(key),
		method,
		path,
		permission: `${path.slice('/api/'.length)}|${method}`,
		isOptional: traits.isOptional ?? false,
		isReadOnly: traits.isReadOnly ?? method === 'GET',
		hasBody: traits.hasBody ?? (method !== 'GET' && method !== 'DELETE'),
		defaultOrder: traits.defaultOrder ?? NEWEST_RECORD_FIRST,
		exportedSearch: isExport ? parseEndpointKey(key.replace(/\/export(?=\/|$)/, '')) : undefined,
		alternativeEndpoint: alternativeEndpoint === undefined ? undefined : parseEndpointKey(alternativeEndpoint),
	};
}

const ENDPOINTS_BY_KEY = new Map([...ENDPOINT_TRAITS].map(([key, traits]) => [key, buildEndpoint(key, traits)]));

/** Returns the endpoint with this key. @throws TypeError if no table has the key */
export function getEndpoint(key: EndpointKey): Endpoint {
	const endpoint = ENDPOINTS_BY_KEY.get(key);
	if (!endpoint) throw new TypeError(`There is no endpoint ${key}`);
	return endpoint;
}

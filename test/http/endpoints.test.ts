/**
 * Compares the endpoint tables with the contract's list of endpoints, and with the routes of the stand-in, the simulated platform.
 */
import { getEndpoint, type Endpoint, type EndpointKey } from '../../nodes/core/api/endpoint';
import { ENDPOINT_TRAITS, SIMULATORS } from '../../nodes/core/api/endpoints';
import { CONTRACT_KEYS, hasBody, isReadOnlyKey, KEYS_BEYOND_CONTRACT } from '../contract/keys';

const allEndpoints = [...ENDPOINT_TRAITS.keys()].map((key) => getEndpoint(key as EndpointKey));
const endpointsWithAlternative = allEndpoints.flatMap((endpoint) =>
	endpoint.alternativeEndpoint ? [{ endpoint, alternative: getEndpoint(endpoint.alternativeEndpoint) }] : [],
);
/** All endpoints except the alternatives of other endpoints. */
const endpoints = allEndpoints.filter(
	(endpoint) => !endpointsWithAlternative.some(({ alternative }) => alternative === endpoint),
);
const findKeys = (isMatch: (endpoint: Endpoint) => boolean) => endpoints.filter(isMatch).map(({ key }) => key);

test('every endpoint of the contract is in a table, and every other endpoint is optional', () => {
	const requiredKeys = findKeys(({ isOptional }) => !isOptional);
	expect(requiredKeys.sort()).toEqual([...CONTRACT_KEYS].sort());
	expect(findKeys(({ key, isOptional }) => isOptional && !KEYS_BEYOND_CONTRACT.includes(key))).toEqual([]);
});

test('only requests that change nothing are read-only, and only requests that take a body have one', () => {
	expect(findKeys(({ key, isReadOnly }) => isReadOnly !== isReadOnlyKey(key))).toEqual([]);
	expect(findKeys((endpoint) => endpoint.hasBody !== hasBody(endpoint.key))).toEqual([]);
});

test('every export names the read-only search whose records it returns', () => {
	const exportedSearches = endpoints.flatMap(({ exportedSearch }) => exportedSearch ?? []);
	expect(exportedSearches.length).toBeGreaterThan(10);
	expect(exportedSearches.filter((key) => !getEndpoint(key).isReadOnly)).toEqual([]);
	// The file of a campaign job is requested with GET, and no search returns its records.
	const isExport = ({ method, path }: Endpoint) => method === 'POST' && /\/export(\/|$)/.test(path);
	expect(findKeys((endpoint) => isExport(endpoint) && endpoint.exportedSearch === undefined)).toEqual([]);
});

test('no path mixes one simulator with another', () => {
	const findSimulators = ({ key }: Endpoint) => SIMULATORS.filter((simulator) => key.includes(simulator));
	expect(endpoints.filter((endpoint) => findSimulators(endpoint).length > 1)).toEqual([]);
	const counts = SIMULATORS.map((simulator) => endpoints.filter(({ key }) => key.includes(simulator)).length);
	expect(Math.min(...counts)).toBeGreaterThan(10);
});

test('an alternative endpoint is optional, and otherwise like the endpoint that it replaces', () => {
	expect(endpointsWithAlternative).toHaveLength(4);
	for (const { endpoint, alternative } of endpointsWithAlternative) {
		const { method, isReadOnly, hasBody: isBodySent, defaultOrder } = endpoint;
		expect(alternative).toMatchObject({ method, isReadOnly, hasBody: isBodySent, defaultOrder, isOptional: true });
	}
});

test('a permission is written as tokens list it', () => {
	expect(getEndpoint('POST /api/companies/search').permission).toBe('companies/search|POST');
	expect(getEndpoint('GET /api/scim/{resourceId}').permission).toBe('scim/{resourceId}|GET');
});

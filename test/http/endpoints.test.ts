/** The table of endpoints, held against the contract's table and what the stand-in, which is written from the facts, does. */
import { endpointOf, type Endpoint, type EndpointKey } from '../../nodes/core/api/endpoint';
import { FACTS, SIMULATORS } from '../../nodes/core/api/endpoints';
import { BESIDE_KEYS, CONTRACT_KEYS, hasBody, isRead } from '../contract/keys';

const all = [...FACTS.keys()].map((key) => endpointOf(key as EndpointKey));
const elsewhere = all.flatMap((endpoint) =>
	endpoint.elsewhere ? [{ endpoint, other: endpointOf(endpoint.elsewhere) }] : [],
);
/** Those that are not merely the other address of one. */
const endpoints = all.filter((endpoint) => !elsewhere.some(({ other }) => other === endpoint));
const keysOf = (wanted: (endpoint: Endpoint) => boolean) => endpoints.filter(wanted).map(({ key }) => key);

test('what the contract has is there, and what is not in it is optional', () => {
	const inContract = keysOf(({ optional }) => !optional);
	expect(inContract.sort()).toEqual([...CONTRACT_KEYS].sort());
	const told: readonly string[] = BESIDE_KEYS;
	expect(keysOf(({ key, optional }) => optional && !told.includes(key))).toEqual([]);
});

test('what changes nothing may be sent twice, and what takes no body has none', () => {
	expect(keysOf(({ key, reads }) => reads !== isRead(key))).toEqual([]);
	expect(keysOf(({ key, hasBody: takesBody }) => takesBody !== hasBody(key))).toEqual([]);
});

test('an export has a search of its own, of which it gives the records', () => {
	const searches = endpoints.flatMap(({ exportOf }) => exportOf ?? []);
	expect(searches.length).toBeGreaterThan(10);
	expect(searches.filter((key) => !endpointOf(key).reads)).toEqual([]);
	// The file of a job is fetched: it has no search.
	const isExport = ({ method, path }: Endpoint) => method === 'POST' && /\/export(\/|$)/.test(path);
	expect(keysOf((endpoint) => isExport(endpoint) && endpoint.exportOf === undefined)).toEqual([]);
});

test('no path mixes one simulator with another', () => {
	const namesIn = ({ key }: Endpoint) => SIMULATORS.filter((simulator) => key.includes(simulator));
	expect(endpoints.filter((endpoint) => namesIn(endpoint).length > 1)).toEqual([]);
	const counts = SIMULATORS.map((simulator) => endpoints.filter(({ key }) => key.includes(simulator)).length);
	expect(Math.min(...counts)).toBeGreaterThan(10);
});

test('the other address of an endpoint is optional, and of the same kind', () => {
	expect(elsewhere).toHaveLength(4);
	for (const { endpoint, other } of elsewhere) {
		const { method, reads, hasBody: takesBody, order } = endpoint;
		expect(other).toMatchObject({ method, reads, hasBody: takesBody, order, optional: true });
	}
});

test('a permission is written as tokens list it', () => {
	expect(endpointOf('POST /api/companies/search').permission).toBe('companies/search|POST');
	expect(endpointOf('GET /api/scim/{resourceId}').permission).toBe('scim/{resourceId}|GET');
});

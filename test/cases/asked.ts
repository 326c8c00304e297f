/** Compares the requests of a run with those that it must send and those that it can send. */
import { CONTRACT_KEYS } from '../contract/keys';
import type { LoggedRequest } from '../stand-in';
import type { CaseRun } from './case';

/** Removes the entries of one list from another, each as often as it occurs. */
function removeEntries(list: string[], removedEntries: string[]): string[] {
	const remainingEntries = [...removedEntries];
	return list.filter((entry) => {
		const index = remainingEntries.indexOf(entry);
		if (index >= 0) remainingEntries.splice(index, 1);
		return index < 0;
	});
}

/** The lists that are read once to look up a name. An ID that is not a GUID is looked up, too, because it can be a name. */
export const NAME_LOOKUP_REQUESTS = [
	'POST /api/target-groups/search/current-company',
	'POST /api/companies/search',
	'POST /api/target-users/search',
	'GET /api/roles',
	'GET /api/executive-report/metrics',
	'POST /api/training-reports/{enrollmentId}/users/search',
	'POST /api/training-reports/{enrollmentId}/sending-report/search',
	'POST /api/enrollments/{enrollmentId}/certificates/search',
	...['smishing', 'quishing', 'phishing'].flatMap((simulator) => [
		`POST /api/${simulator}-simulator/${simulator}-scenario/search`,
		`POST /api/${simulator}-simulator/${simulator}-campaign-job-report/{searchType}/search/{resourceId}/{instanceGroup}`,
	]),
];

/** The part of a case that states the expected requests. */
type ExpectedRequests = Pick<CaseRun, 'requiredRequests' | 'optionalRequests' | 'rejectedRequests'>;

/**
 * Compares the requests that were sent with the expected ones. The order does not matter, because composites send requests
 * in parallel.
 * @returns the missing, the unexpected and the unexpectedly rejected requests
 */
export function compareRequests(
	requests: LoggedRequest[],
	{ requiredRequests = [], optionalRequests = [], rejectedRequests = [] }: ExpectedRequests,
) {
	const routes = requests.map(({ route }) => route);
	const refused = requests
		.filter(({ route, status }) => route !== 'unknown' && status >= 300)
		.map(({ route }) => route);
	return {
		missing: removeEntries(requiredRequests, routes),
		unexpected: removeEntries(routes, [...requiredRequests, ...optionalRequests, ...rejectedRequests]),
		refused: removeEntries(refused, rejectedRequests),
	};
}

/**
 * Describes the requests that a run needed beyond the contract, each once: rejected requests, and requests to endpoints
 * outside the contract.
 */
export function describeExtraRequests(requests: LoggedRequest[]): string {
	const rejected = requests
		.filter(({ status }) => status >= 300)
		.map(({ route, path, status }) => `${route === 'unknown' ? path : route} (${status})`);
	const outsideContract = requests
		.filter(({ route, status }) => status < 300 && route.includes(' /api/') && !CONTRACT_KEYS.includes(route))
		.map(({ route }) => route);
	return [...new Set([...rejected, ...outsideContract])].join(', ');
}

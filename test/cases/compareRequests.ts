/** Compares the requests of a run with those that it must send and those that it can send. */
import { CONTRACT_KEYS } from '../contract/keys';
import type { LoggedRequest } from '../stand-in';
import type { CaseRun } from './case';

/**
 * Returns a copy of a list without the entries in `entriesToRemove`. Each of these removes at most one entry of the
 * list.
 */
function removeEntries(list: string[], entriesToRemove: string[]): string[] {
	const remainingEntries = [...entriesToRemove];
	return list.filter((entry) => {
		const index = remainingEntries.indexOf(entry);
		if (index >= 0) remainingEntries.splice(index, 1);
		return index < 0;
	});
}

/**
 * Requests that look up a name. Each can occur once in any run. An ID that is not a GUID is also looked up,
 * because it could be a name.
 */
export const NAME_LOOKUP_REQUESTS = [
	'POST /api/target-groups/search/current-company',
	'POST /api/companies/search',
	'POST /api/target-users/search',
	'POST /api/notified-emails/search',
	'POST /api/notified-emails/search',
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

/** The part of a case run that describes the expected requests. */
type ExpectedRequests = Pick<CaseRun, 'requiredRequests' | 'optionalRequests' | 'rejectedRequests'>;

/**
 * Compares the requests that were sent with the expected ones. Their order is ignored, because some operations send
 * requests in parallel.
 * @returns the missing, the unexpected and the unexpectedly rejected requests
 */
export function compareRequests(
	requests: LoggedRequest[],
	{ requiredRequests = [], optionalRequests = [], rejectedRequests = [] }: ExpectedRequests,
) {
	const routes = requests.map(({ route }) => route);
	const rejectedRoutes = requests
		.filter(({ route, status }) => route !== 'unknown' && status >= 300)
		.map(({ route }) => route);
	return {
		missing: removeEntries(requiredRequests, routes),
		unexpected: removeEntries(routes, [...requiredRequests, ...optionalRequests, ...rejectedRequests]),
		rejected: removeEntries(rejectedRoutes, rejectedRequests),
	};
}

/**
 * Describes the requests of a run that the contract does not explain, each once: rejected requests, and requests to
 * endpoints outside the contract.
 */
export function describeExtraRequests(requests: LoggedRequest[]): string {
	const rejectedTexts = requests
		.filter(({ status }) => status >= 300)
		.map(({ route, path, status }) => `${route === 'unknown' ? path : route} (${status})`);
	const extraRoutes = requests
		.filter(({ route, status }) => status < 300 && route.includes(' /api/') && !CONTRACT_KEYS.includes(route))
		.map(({ route }) => route);
	return [...new Set([...rejectedTexts, ...extraRoutes])].join(', ');
}

/** Compares the requests that a run sent with those that it must and may send. */
import { CONTRACT_KEYS } from '../contract/keys';
import type { LoggedRequest } from '../stand-in';
import type { CaseRun } from './case';

/** What is in the first list and not in the second, each as often as it is there. */
function subtractEntries(list: string[], others: string[]): string[] {
	const left = [...others];
	return list.filter((entry) => {
		const at = left.indexOf(entry);
		if (at >= 0) left.splice(at, 1);
		return at < 0;
	});
}

/** The lists that are read once to look up a name. An ID that is no GUID is looked up, too, because it may be a name. */
export const NAME_LOOKUP_REQUESTS = [
	'POST /api/target-groups/search/current-company',
	'POST /api/companies/search',
	'POST /api/target-users/search',
	'GET /api/roles',
	'GET /api/executive-report/metrics',
	'POST /api/training-reports/{enrollmentId}/users/search',
	'POST /api/training-reports/{enrollmentId}/sending-report/search',
	'POST /api/enrollments/{enrollmentId}/certificates/search',
	...['smishing', 'quishing', 'phishing'].flatMap((each) => [
		`POST /api/${each}-simulator/${each}-scenario/search`,
		`POST /api/${each}-simulator/${each}-campaign-job-report/{searchType}/search/{resourceId}/{instanceGroup}`,
	]),
];

/**
 * The differences between the requests that were sent and those that a run must and may send; the order does not count,
 * because composites send requests in parallel.
 */
export function compareRequests(
	asked: LoggedRequest[],
	{ requiredRequests: requests = [], optionalRequests: also = [], rejectedRequests: again = [] }: Pick<CaseRun, 'requiredRequests' | 'optionalRequests' | 'rejectedRequests'>,
) {
	const routes = asked.map(({ route }) => route);
	const refused = asked.filter(({ route, status }) => route !== 'unknown' && status >= 300).map(({ route }) => route);
	return {
		missing: subtractEntries(requests, routes),
		unexpected: subtractEntries(routes, [...requests, ...also, ...again]),
		refused: subtractEntries(refused, again),
	};
}

/** What a run needed besides the contract's rows, each once: what was refused and asked in another way, and what the contract does not have. */
export function describeExtraRequests(asked: LoggedRequest[]): string {
	const refused = asked
		.filter(({ status }) => status >= 300)
		.map(({ route, path, status }) => `${route === 'unknown' ? path : route} (${status})`);
	const beside = asked
		.filter(({ route, status }) => status < 300 && route.includes(' /api/') && !CONTRACT_KEYS.includes(route))
		.map(({ route }) => route);
	return [...new Set([...refused, ...beside])].join(', ');
}

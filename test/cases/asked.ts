/** What a run asked of the service, against what it must and may ask. */
import { CONTRACT_KEYS } from '../contract/keys';
import type { LoggedRequest } from '../stand-in';
import type { Run } from './case';

/** What is in the first list and not in the second, each as often as it is there. */
function without(list: string[], others: string[]): string[] {
	const left = [...others];
	return list.filter((entry) => {
		const at = left.indexOf(entry);
		if (at >= 0) left.splice(at, 1);
		return at < 0;
	});
}

/** How what was asked differs from what a run must and may ask; composites ask side by side, so no order counts. */
export function askedOtherwise(
	asked: LoggedRequest[],
	{ requests = [], also = [], again = [] }: Pick<Run, 'requests' | 'also' | 'again'>,
) {
	const routes = asked.map(({ route }) => route);
	const refused = asked.filter(({ route, status }) => route !== 'unknown' && status >= 300).map(({ route }) => route);
	return {
		missing: without(requests, routes),
		unexpected: without(routes, [...requests, ...also, ...again]),
		refused: without(refused, again),
	};
}

/** What a run needed besides the contract's rows, each once: what was refused and asked in another way, and what the contract does not have. */
export function neededOf(asked: LoggedRequest[]): string {
	const refused = asked
		.filter(({ status }) => status >= 300)
		.map(({ route, path, status }) => `${route === 'unknown' ? path : route} (${status})`);
	const beside = asked
		.filter(({ route, status }) => status < 300 && route.includes(' /api/') && !CONTRACT_KEYS.includes(route))
		.map(({ route }) => route);
	return [...new Set([...refused, ...beside])].join(', ');
}

import { isAllowed, parseUrl } from './connection';
import type { HttpResponse } from './n8nClient';
import { ServiceError } from './errors';
import { discard } from './stream';

/** Where a file lies: at the service itself, or with someone who is to learn nothing of the credential. */
export interface RedirectTarget {
	url: URL;
	isOwn: boolean;
}

const MOST_FORWARDS = 5;
const FORWARDS = [301, 302, 303, 307, 308];

const problem = (reason: string, advice: string, more: { status?: number; transient?: boolean } = {}) =>
	new ServiceError({
		reason,
		advice,
		cause: more.transient ? 'temporarily-unavailable' : 'configuration-invalid',
		mayHaveBeenApplied: false,
		transient: false,
		...more,
	});

/**
 * Follows where the service forwards a download to: at most five times, by GET, and by https only (by plain http only
 * from plain http, where data may go so). Once off the service's own address, nothing of the credential goes along, not
 * even back to it.
 * @param first what the service answered at `from`
 * @param get asks for a further place
 * @throws ServiceError when it leads nowhere
 */
export async function followRedirects(
	first: HttpResponse,
	from: URL,
	allowPlainHttp: boolean,
	get: (place: RedirectTarget) => Promise<HttpResponse>,
): Promise<HttpResponse> {
	let answer = first;
	let at: RedirectTarget = { url: from, isOwn: true };
	for (let forwards = 1; FORWARDS.includes(answer.status) && typeof answer.headers.location === 'string'; forwards++) {
		if (forwards > MOST_FORWARDS)
			throw problem(
				`the file is forwarded more than ${MOST_FORWARDS} times`,
				'Try again later. If it goes on, ask the platform about it.',
			);
		at = next(at, answer.headers.location, allowPlainHttp);
		discard(answer.body);
		answer = await get(at);
	}
	const { status } = answer;
	if (at.isOwn || (status >= 200 && status < 300)) return answer;
	discard(answer.body);
	throw problem(
		`${at.url.host}, where the service keeps the file, answered with status ${status}`,
		'Run the node again: the service makes a new address each time. If it goes on, ask the platform about it.',
		{ status, transient: status === 429 || status >= 500 },
	);
}

function next({ url, isOwn }: RedirectTarget, location: string, allowPlainHttp: boolean): RedirectTarget {
	const to = parseUrl(location, url);
	if (to === undefined || !isAllowed(to, allowPlainHttp) || (to.protocol === 'http:' && url.protocol !== 'http:'))
		throw problem(
			`the service forwards the file to an address that is not https${to === undefined ? '' : ` (${to.host || to.protocol})`}`,
			'Nothing was asked there, because anyone on the way could read it. Ask the platform about it.',
		);
	return { url: to, isOwn: isOwn && to.origin === url.origin };
}

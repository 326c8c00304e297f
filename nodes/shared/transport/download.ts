import { isAllowed, parseUrl } from './connection';
import type { HttpResponse } from './n8nClient';
import { ServiceError } from './errors';
import { discard } from './stream';

/** Where a file is stored: at the service itself, or on another host, which must not get anything of the credential. */
export interface RedirectTarget {
	url: URL;
	isService: boolean;
}

const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES = [301, 302, 303, 307, 308];

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
 * Follows the redirects of a download: at most five, by GET, and by https only (http only after http, where the credential
 * allows it). After the first redirect to another host nothing of the credential is sent, not even back to the service.
 * @param first the service's answer at `from`
 * @param allowPlainHttp whether http is allowed for hosts other than this machine
 * @param get requests the next address
 * @returns the answer that is no redirect
 * @throws ServiceError for too many redirects, an address that is not https, or an error from another host
 */
export async function followRedirects(
	first: HttpResponse,
	from: URL,
	allowPlainHttp: boolean,
	get: (target: RedirectTarget) => Promise<HttpResponse>,
): Promise<HttpResponse> {
	let answer = first;
	let target: RedirectTarget = { url: from, isService: true };
	for (
		let redirects = 1;
		REDIRECT_STATUSES.includes(answer.status) && typeof answer.headers.location === 'string';
		redirects++
	) {
		if (redirects > MAX_REDIRECTS)
			throw problem(
				`the file is forwarded more than ${MAX_REDIRECTS} times`,
				'Try again later. If it goes on, ask the platform about it.',
			);
		target = nextTarget(target, answer.headers.location, allowPlainHttp);
		discard(answer.body);
		answer = await get(target);
	}
	const { status } = answer;
	if (target.isService || (status >= 200 && status < 300)) return answer;
	discard(answer.body);
	throw problem(
		`${target.url.host}, where the service keeps the file, answered with status ${status}`,
		'Run the node again: the service makes a new address each time. If it goes on, ask the platform about it.',
		{ status, transient: status === 429 || status >= 500 },
	);
}

function nextTarget({ url, isService }: RedirectTarget, location: string, allowPlainHttp: boolean): RedirectTarget {
	const to = parseUrl(location, url);
	if (to === undefined || !isAllowed(to, allowPlainHttp) || (to.protocol === 'http:' && url.protocol !== 'http:'))
		throw problem(
			`the service forwards the file to an address that is not https${to === undefined ? '' : ` (${to.host || to.protocol})`}`,
			'Nothing was requested from there, because others could read it on the way. Ask the platform about it.',
		);
	return { url: to, isService: isService && to.origin === url.origin };
}

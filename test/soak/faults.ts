import type { FaultKind, LoggedRequest, StandIn } from '../service';
import { TOKEN } from '../operations/ground';

type Next = () => number;

/** What goes wrong, and the Retry-After it may come with. */
const KINDS: ReadonlyArray<{ kind: FaultKind; retryAfter?: string }> = [
	{ kind: 'status-429' },
	{ kind: 'status-429', retryAfter: '1' },
	{ kind: 'status-500' },
	{ kind: 'html-502' },
	{ kind: 'status-503' },
	{ kind: 'status-503', retryAfter: '0' },
	{ kind: 'reset-before' },
	{ kind: 'reset-after' },
	{ kind: 'truncate' },
	{ kind: 'truncate-chunked' },
	{ kind: 'expired-token' },
	{ kind: 'stall' },
];
/** What goes wrong with a token request; all of it is over with the next try. */
const TOKEN_KINDS: FaultKind[] = ['status-429', 'html-502', 'status-503', 'reset-before', 'truncate'];

/** How long a node waits for an answer, in seconds; what stalls does so for longer. */
export const TIMEOUT = 6;

/** Lets `share` of the next `requests` requests go wrong, at random places, in place of what was set before. */
export function arm(service: StandIn, next: Next, share: number, requests: number): void {
	service.clearFaults();
	const rules = (kinds: ReadonlyArray<{ kind: FaultKind; retryAfter?: string }>, count: number, route?: string) => {
		for (let after = 0; after < count; after++) {
			if (next() >= share) continue;
			const rule = kinds[Math.floor(next() * kinds.length)];
			if (rule) service.fault({ ...rule, after, ...(route === undefined ? {} : { route }) });
		}
	};
	rules(KINDS, requests);
	rules(TOKEN_KINDS.map((kind) => ({ kind })), requests / 20, TOKEN);
}

/** What a request is, however often it is sent. */
const printOf = ({ route, path, companyId, body, query }: LoggedRequest) => JSON.stringify([route, path, companyId, body, query]);

/** After these a read is not asked again, and a write neither: it may have landed. */
const FINAL_FOR_READS: string[] = ['status-500'];
const FINAL_FOR_WRITES: string[] = ['status-500', 'html-502', 'status-503', 'reset-before', 'reset-after', 'truncate', 'truncate-chunked', 'stall'];
const TRIES = 5;

/**
 * Whether the faults among these requests are reason enough for a failure.
 * @param isWrite whether the operation may not be repeated
 */
export function excuse(log: readonly LoggedRequest[], isWrite: boolean): boolean {
	const final = isWrite ? FINAL_FOR_WRITES : FINAL_FOR_READS;
	const ofTokens = log.filter(({ route, fault }) => route === TOKEN && fault).length;
	const tries = new Map<string, { faults: number; refused: number }>();
	for (const entry of log) {
		if (entry.route === TOKEN) continue;
		if (entry.fault !== undefined && final.includes(entry.fault)) return true;
		const there = tries.get(printOf(entry)) ?? { faults: 0, refused: 0 };
		tries.set(printOf(entry), there);
		if (entry.fault !== undefined) there.faults++;
		// A token that expires voids the requests of all others too; each is given one further token.
		if (entry.status === 401) there.refused++;
	}
	return [...tries.values()].some(({ faults, refused }) => faults + ofTokens >= TRIES || refused > 1);
}

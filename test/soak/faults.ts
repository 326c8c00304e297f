import { z } from 'zod';
import type { FaultKind, LoggedRequest, StandIn } from '../stand-in';
import type { LiveOptions } from '../stand-in/http';
import { TOKEN } from '../cases/operationFixture';

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
const TOKEN_KINDS: FaultKind[] = ['status-429', 'html-502', 'status-503', 'reset-before', 'truncate', 'stall'];

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
	rules(
		TOKEN_KINDS.map((kind) => ({ kind })),
		requests / 20,
		TOKEN,
	);
}

const page = z
	.object({ data: z.object({ pageNumber: z.number(), totalNumberOfRecords: z.number() }).passthrough() })
	.passthrough();

/** Makes something else of the answers that are pages. */
const ofPages =
	(change: (data: Record<string, unknown>, pageNumber: number, total: number) => object) => (envelope: unknown) => {
		const parsed = page.safeParse(envelope);
		if (!parsed.success) return envelope;
		const { data } = parsed.data;
		return { ...parsed.data, data: change(data, data.pageNumber, data.totalNumberOfRecords) };
	};

/** How a list may count itself wrongly, or be cut, without a record being lost to whoever reads on. */
const LIES: ReadonlyArray<() => Pick<LiveOptions, 'maxPageSize' | 'garble'>> = [
	() => ({ maxPageSize: 7, garble: undefined }),
	// Cut at 30, and counted as if it were not.
	() => ({
		maxPageSize: 30,
		garble: ofPages((data, _page, total) => ({ ...data, totalNumberOfPages: Math.ceil(total / 100) })),
	}),
	() => ({ maxPageSize: 20, garble: ofPages((data) => ({ ...data, totalNumberOfPages: 1 })) }),
	() => ({
		maxPageSize: 20,
		garble: ofPages(({ totalNumberOfPages, totalNumberOfRecords, ...data }, pageNumber) =>
			pageNumber === 1 ? { ...data, totalNumberOfPages, totalNumberOfRecords } : data,
		),
	}),
	() => ({
		maxPageSize: 20,
		garble: ofPages(({ totalNumberOfPages: _pages, totalNumberOfRecords: _records, ...data }) => data),
	}),
	() => {
		let isEmptied = false;
		// Once, a page in the middle comes without its records.
		const empty = ofPages((data, pageNumber) => {
			if (isEmptied || pageNumber !== 2) return data;
			isEmptied = true;
			return { ...data, results: [] };
		});
		return { maxPageSize: 20, garble: empty };
	},
];

/** Makes the counts of the service's lists wrong in half of the runs. @returns makes them right again */
export function lie(service: StandIn, next: Next): () => void {
	const one = next() < 0.5 ? LIES[Math.floor(next() * LIES.length)] : undefined;
	if (one) service.setOptions(one());
	return () => service.setOptions({ maxPageSize: Infinity, garble: undefined });
}

/** What a request is, however often it is sent. */
const printOf = ({ route, path, companyId, body, query }: LoggedRequest) =>
	JSON.stringify([route, path, companyId, body, query]);

/** Faults after which a write is not sent again: it may have been carried out. */
const FINAL_FOR_WRITES: string[] = [
	'status-500',
	'html-502',
	'status-503',
	'reset-before',
	'reset-after',
	'truncate',
	'truncate-chunked',
	'stall',
];
const TRIES = 5;
/** A read is sent no more often if the last answer was a 500. */
const TRIES_OF_500 = 3;
/** A token is requested three times; then all requests that wait for it fail with the same error. */
const TOKEN_TRIES = 3;

/**
 * Whether the faults among these requests explain a failure.
 * @param isWrite whether the operation must not be repeated
 */
export function excuse(log: readonly LoggedRequest[], isWrite: boolean): boolean {
	const ofTokens = log.filter(({ route, fault }) => route === TOKEN && fault).length;
	if (ofTokens >= TOKEN_TRIES) return true;
	const tries = new Map<string, { faults: number; refused: number; most: number }>();
	for (const entry of log) {
		if (entry.route === TOKEN) continue;
		if (isWrite && entry.fault !== undefined && FINAL_FOR_WRITES.includes(entry.fault)) return true;
		const there = tries.get(printOf(entry)) ?? { faults: 0, refused: 0, most: TRIES };
		tries.set(printOf(entry), there);
		if (entry.fault !== undefined) there.faults++;
		if (entry.fault === 'status-500') there.most = TRIES_OF_500;
		// A token that expires voids the requests of all others too; each is given one further token.
		if (entry.status === 401) there.refused++;
	}
	return [...tries.values()].some(({ faults, refused, most }) => faults + ofTokens >= most || refused > 1);
}

/** All faults that a test can ask for. */
export const FAULT_KINDS = [
	// An error response with the status of the rule.
	'status',
	// A response whose Content-Encoding header does not match its body.
	'undecodable',
	'status-401',
	'status-429',
	'status-500',
	'status-503',
	'forbidden-company',
	// A response with status 403: the customer doesn't let its reseller in (deployment activity 10).
	'closed-access',
	// A response with status 401. The token of the request is then revoked.
	'expired-token',
	// A web page instead of JSON.
	'html-200',
	'html-502',
	'html-504',
	// An error envelope with status 200.
	'error-envelope',
	// JSON without an envelope.
	'wrong-shape',
	// A response without a body.
	'empty',
	'redirect',
	// A pause before the operation takes effect.
	'stall',
	// A pause after half of the response body.
	'stall-body',
	// A pause between the operation and its response.
	'slow',
	// A cut connection, before or after the operation takes effect.
	'reset-before',
	'reset-after',
	// A connection that is cut after half of the response body, with or without a Content-Length header.
	'truncate',
	'truncate-chunked',
] as const;

/** One way in which the stand-in can fail. */
export type FaultKind = (typeof FAULT_KINDS)[number];

/** A fault, and conditions for the requests that it applies to. */
export interface FaultRule {
	/**
	 * The operation's method and path in the contract. By default, the rule applies to every operation except the token
	 * endpoint.
	 */
	route?: string | undefined;
	/** Limits the rule to requests that name this company. */
	companyId?: string | undefined;
	kind: FaultKind;
	/** The number of times the fault happens. The default is 1; Infinity is allowed. */
	times?: number | undefined;
	/** The number of matching requests that are answered normally before the first fault. The default is 0. */
	skipCount?: number | undefined;
	/** The Retry-After header as text: seconds or an HTTP date. */
	retryAfter?: string | undefined;
	/** The duration of 'stall', 'stall-body' and 'slow' in milliseconds. */
	durationMs?: number | undefined;
	/** Limits the rule to requests for this page. */
	pageNumber?: number | undefined;
	/** The target of a redirect. */
	redirectUrl?: string | undefined;
	/** The HTTP status of 'redirect' (default 302), 'undecodable' (default 200) or 'status' (default 500). */
	status?: number | undefined;
	/** True if the operation takes effect before the fault, as when a gateway stops waiting for the response. */
	shouldTakeEffect?: boolean | undefined;
}

/** The method and path of the token endpoint in the contract. */
export const TOKEN_ROUTE = 'POST /connect/token';

/** The active fault rules, with the number of requests each has matched. */
export class ActiveFaults {
	#rules: Array<{ rule: FaultRule; skippedCount: number; usedCount: number }> = [];

	/** Adds a rule after the existing ones. */
	add(rule: FaultRule): void {
		this.#rules.push({ rule, skippedCount: 0, usedCount: 0 });
	}

	clear(): void {
		this.#rules = [];
	}

	/** Returns the first rule that applies to a request, and counts its use. */
	takeMatchingRule(
		route: string,
		companyId: string | undefined,
		pageNumber: number | undefined,
	): FaultRule | undefined {
		for (const entry of this.#rules) {
			const { rule } = entry;
			if (rule.route === undefined ? route === TOKEN_ROUTE : rule.route !== route) continue;
			if (rule.companyId !== undefined && rule.companyId !== companyId) continue;
			if (rule.pageNumber !== undefined && rule.pageNumber !== pageNumber) continue;
			if (entry.usedCount >= (rule.times ?? 1)) continue;
			if (entry.skippedCount < (rule.skipCount ?? 0)) {
				entry.skippedCount++;
				continue;
			}
			entry.usedCount++;
			return rule;
		}
		return undefined;
	}
}

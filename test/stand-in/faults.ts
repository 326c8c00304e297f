/** Everything that the service can be made to do wrong. */
export const FAULT_KINDS = [
	...([
		'status',
		'undecodable',
		'status-401',
		'status-429',
		'status-500',
		'status-503',
		'forbidden-company',
		'expired-token',
	] as const),
	...(['html-200', 'html-502', 'html-504', 'error-envelope', 'wrong-shape', 'empty', 'redirect'] as const),
	...(['stall', 'stall-body', 'slow', 'reset-before', 'reset-after', 'truncate', 'truncate-chunked'] as const),
] as const;

/** One way to go wrong. */
export type FaultKind = (typeof FAULT_KINDS)[number];

/** When a fault happens, and which. */
export interface FaultRule {
	/** A contract key; any operation (but not the token endpoint) when missing. */
	route?: string | undefined;
	/** Only for requests scoped to this company. */
	company?: string | undefined;
	kind: FaultKind;
	/** How often; 1 when missing, Infinity allowed. */
	times?: number | undefined;
	/** How many matching requests are answered normally before the first fault. */
	after?: number | undefined;
	/** The Retry-After header as text: seconds or an HTTP date. */
	retryAfter?: string | undefined;
	/** How long to stall or be slow. */
	ms?: number | undefined;
	/** Only for this pageNumber. */
	page?: number | undefined;
	/** Where a redirect leads. */
	to?: string | undefined;
	/** The status of a redirect (302, unless given), of a body that cannot be decompressed (200), or of `status` (500). */
	status?: number | undefined;
	/** Whether the operation is carried out before this answer, as if a gateway had not waited long enough. */
	landed?: boolean | undefined;
}

/** The contract's way to name the token endpoint. */
export const TOKEN_ROUTE = 'POST /connect/token';

/** The active rules, each with how often it was used. */
export class Faults {
	#rules: Array<{ rule: FaultRule; passed: number; fired: number }> = [];

	/** Adds a rule after those that are there. */
	add(rule: FaultRule): void {
		this.#rules.push({ rule, passed: 0, fired: 0 });
	}

	/** Drops all rules. */
	clear(): void {
		this.#rules = [];
	}

	/** The first rule that matches this request; the match is counted. */
	take(route: string, company: string | undefined, page: number | undefined): FaultRule | undefined {
		for (const entry of this.#rules) {
			const { rule } = entry;
			if (rule.route === undefined ? route === TOKEN_ROUTE : rule.route !== route) continue;
			if (rule.company !== undefined && rule.company !== company) continue;
			if (rule.page !== undefined && rule.page !== page) continue;
			if (entry.fired >= (rule.times ?? 1)) continue;
			if (entry.passed < (rule.after ?? 0)) {
				entry.passed++;
				continue;
			}
			entry.fired++;
			return rule;
		}
		return undefined;
	}
}

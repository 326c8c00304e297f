import type { IncomingHttpHeaders } from 'node:http';

/** What the service noted of one request. */
export interface LoggedRequest {
	id: number;
	at: number;
	/** The contract's key, also when it came by another path; 'unknown' when there is no such operation. */
	route: string;
	method: string;
	path: string;
	query: Record<string, string>;
	/** As sent, but with a number in place of the token. */
	headers: Record<string, string>;
	companyId?: string;
	clientId?: string;
	/** Ordinal of the token that was used (or, at the token endpoint, given out). */
	token?: number;
	body: unknown;
	/** The request's body fields that no document describes, if it has any. */
	undescribed?: string[];
	/** The status of the answer; 0 if none was sent (the request stalled, or the connection was cut before). */
	status: number;
	/** Whether a write took effect. */
	landed: boolean;
	bytesSent: number;
	/** Of a file that was sent whole. */
	sha256?: string;
	/** Requests in flight when this one came, itself included. */
	inFlight: number;
	fault?: string;
}

/** The list of all requests, in the order they came. */
export class RequestLog {
	// One array for the service's whole life, so that whoever holds it sees every entry.
	readonly entries: LoggedRequest[] = [];
	#inFlight = 0;
	#lastId = 0;

	/** Notes a request that just came. */
	open(route: string, method: string, path: string, headers: IncomingHttpHeaders): LoggedRequest {
		const entry: LoggedRequest = {
			id: ++this.#lastId,
			at: Date.now(),
			route,
			method,
			path,
			query: {},
			headers: Object.fromEntries(
				Object.entries(headers).map(([name, value]) => [name, name === 'authorization' ? 'present' : String(value)]),
			),
			body: undefined,
			status: 0,
			landed: false,
			bytesSent: 0,
			inFlight: ++this.#inFlight,
		};
		this.entries.push(entry);
		return entry;
	}

	/** One request less in flight. */
	close(): void {
		this.#inFlight--;
	}

	/** Forgets all entries. */
	clear(): void {
		this.entries.length = 0;
	}

	/** The entries of one operation, or all. */
	of(route: string | undefined): LoggedRequest[] {
		return this.entries.filter((entry) => route === undefined || entry.route === route);
	}
}

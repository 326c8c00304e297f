import type { IncomingHttpHeaders } from 'node:http';

/** One request as the log records it. */
export interface LoggedRequest {
	id: number;
	/** The time the request arrived, in milliseconds. */
	receivedAt: number;
	/**
	 * The operation's method and path in the contract, even if the profile serves it at another path; 'unknown' if there
	 * is no such operation.
	 */
	route: string;
	method: string;
	path: string;
	query: Record<string, string>;
	/** The headers as they were sent, with a placeholder instead of the token. */
	headers: Record<string, string>;
	/** The ID of the company that the request names by header or query. */
	companyId?: string;
	clientId?: string;
	/** The ordinal of the access token that the request used or that the token endpoint issued. */
	tokenOrdinal?: number;
	body: unknown;
	/** The paths of the body fields that no document describes and no test accepts. */
	undocumentedFields?: string[];
	/** The HTTP status of the response; 0 if none was sent because the request stalled or the connection was cut. */
	status: number;
	/** True if the request changed data. */
	hasChangedData: boolean;
	/** The number of bytes of the response body that were sent. */
	bytesSent: number;
	/** The SHA-256 hash of a file that was sent completely. */
	sha256?: string;
	/** The number of requests in progress when this one arrived, including itself. */
	inFlightCount: number;
	/** The kind of the fault that was applied. */
	fault?: string;
}

/** The log of all requests, in order of arrival. */
export class RequestLog {
	// The array stays the same while the stand-in runs, so that a reference to it always shows every entry.
	readonly entries: LoggedRequest[] = [];
	#inFlightCount = 0;
	#lastId = 0;

	/** Adds a request that has just arrived. */
	startRequest(route: string, method: string, path: string, headers: IncomingHttpHeaders): LoggedRequest {
		const entry: LoggedRequest = {
			id: ++this.#lastId,
			receivedAt: Date.now(),
			route,
			method,
			path,
			query: {},
			headers: Object.fromEntries(
				Object.entries(headers).map(([name, value]) => [name, name === 'authorization' ? 'present' : String(value)]),
			),
			body: undefined,
			status: 0,
			hasChangedData: false,
			bytesSent: 0,
			inFlightCount: ++this.#inFlightCount,
		};
		this.entries.push(entry);
		return entry;
	}

	/** Reduces the number of requests in progress by one. */
	endRequest(): void {
		this.#inFlightCount--;
	}

	clear(): void {
		this.entries.length = 0;
	}

	/** Returns the requests to one operation, or all requests. */
	getRequestsTo(route: string | undefined): LoggedRequest[] {
		return this.entries.filter((entry) => route === undefined || entry.route === route);
	}
}

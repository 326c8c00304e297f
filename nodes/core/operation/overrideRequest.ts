import type { ApiRequest } from '../http/request';

/** Changes to an operation's request. Whatever is absent here stays unchanged, also single fields of `query` and `body`. */
export type RequestOverrides = Partial<Pick<ApiRequest, 'endpoint' | 'path' | 'query' | 'body' | 'multipart'>>;

/** Creates a copy of a request with some parts changed. */
export function overrideRequest(request: ApiRequest, overrides: RequestOverrides): ApiRequest {
	const changedRequest: ApiRequest = { ...request, ...overrides };
	changedRequest.query = { ...request.query, ...overrides.query };
	if (overrides.body) changedRequest.body = { ...request.body, ...overrides.body };
	return changedRequest;
}

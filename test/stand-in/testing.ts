/** What the tests of the service itself share: a service and who asks it, its lists, and the keys of the operations asked most. */
import { ApiClient } from './apiClient';
import type { Row } from './http';
import { startService, type StandIn } from './index';

export const SEARCH = 'POST /api/companies/search';
export const GROUPS = 'POST /api/target-groups/search/current-company';
export const BOARD = 'POST /api/leaderboard/get-all/export';

/** A service as the contract has it, and two who are signed in. */
export async function startSignedIn(): Promise<{ service: StandIn; reseller: ApiClient; admin: ApiClient }> {
	const service = await startService();
	return {
		service,
		reseller: await new ApiClient(service, service.clients.reseller).signIn(),
		admin: await new ApiClient(service, service.clients.companyAdmin).signIn(),
	};
}

/** The service as it was when it started. */
export function restore(service: StandIn): void {
	service.reset();
	service.setOptions({ latencyMs: 0, maxPageSize: Infinity, newTokenVoidsFormer: false, tokenLifetimeSeconds: 3600 });
}

/** A company by its place in the listing. @throws Error where there are not so many */
export function companyIn(service: StandIn, at: number) {
	const company = service.state.companies[at];
	if (!company) throw new Error('too few companies');
	return company;
}

export function ids(rows: Row[], field = 'companyResourceId'): unknown[] {
	return rows.map((row) => row[field]);
}

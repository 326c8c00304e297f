/** What the tests of the stand-in service share: a service with clients that are signed in, and the operations used most. */
import fc from 'fast-check';
import { ApiClient } from './apiClient';
import { isRow, type Row } from './http';
import { startService, type StandIn } from './index';

export const SEARCH = 'POST /api/companies/search';
export const GROUPS = 'POST /api/target-groups/search/current-company';
export const BOARD = 'POST /api/leaderboard/get-all/export';

interface SignedIn {
	service: StandIn;
	reseller: ApiClient;
	admin: ApiClient;
}

/**
 * Starts a service with the contract's personality for the tests of a file, restores it before each test, and closes it
 * after the last one.
 * @param onStart gets the service, and a Reseller's and a Company Admin's client, both signed in
 * @returns a function that returns a company by its index in the list of companies; it throws an Error if there is none
 */
export function useSignedIn(onStart: (started: SignedIn) => void) {
	let service: StandIn;
	beforeAll(async () => {
		service = await startService();
		onStart({
			service,
			reseller: await new ApiClient(service, service.clients.reseller).signIn(),
			admin: await new ApiClient(service, service.clients.companyAdmin).signIn(),
		});
	});
	beforeEach(() => {
		service.reset();
		service.setOptions({ latencyMs: 0, maxPageSize: Infinity, newTokenVoidsFormer: false, tokenLifetimeSeconds: 3600 });
	});
	afterAll(async () => await service.close());
	return (index: number) => {
		const company = service.state.companies[index];
		if (!company) throw new Error(`There is no company with the index ${index}`);
		return company;
	};
}

export function ids(rows: Row[], field = 'companyResourceId'): unknown[] {
	return rows.map((row) => row[field]);
}

/**
 * Sends random input to every operation, and expects no status of 500 or more.
 * @param apiClient sends the requests
 * @param started fields that each body begins with, so that searches get past the check of required fields
 */
export async function expectNoCrash(service: StandIn, apiClient: ApiClient, started: Row): Promise<void> {
	const keys = service.routes.filter((key) => !key.includes('/companies/clients/search'));
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(...keys),
			fc.jsonValue({ maxDepth: 4 }),
			fc.webSegment(),
			fc.option(fc.jsonValue({ maxDepth: 3 })),
			async (key, input, segment, filter) => {
				const path = key.replace(/\{\w+\}/g, segment === '' ? 'x' : segment);
				const body = key.startsWith('GET')
					? undefined
					: JSON.stringify(isRow(input) ? { ...started, ...input, filter } : input);
				expect((await apiClient.ask(path, body)).status).toBeLessThan(500);
			},
		),
		{ numRuns: 30, seed: 7 },
	);
}

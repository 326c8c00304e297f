/** Runs against a service whose answers are changed on their way, for tests of searches and lists. */
import type { IDataObject, INodeType } from 'n8n-workflow';
import { runNode, type CredentialStore } from '../n8n-core';
import { PollingFixture } from '../polling/pollingFixture';
import { startService, type StandIn } from '../stand-in';
import { between } from '../stand-in/between';

/** A service for the tests of one file, as seeded before each of them, and what stands between it and the nodes. */
export function searchRuns() {
	let service: StandIn;
	let fixture: PollingFixture;
	let store: CredentialStore;
	beforeAll(async () => {
		service = await startService({ companies: 60 });
		fixture = new PollingFixture(service);
	});
	const front = between(() => service);
	beforeEach(() => {
		service.reset();
		store = front.store;
		jest.spyOn(Math, 'random').mockReturnValue(0);
	});
	afterEach(() => jest.restoreAllMocks());
	afterAll(async () => await service.close());

	const run = async (node: new () => INodeType, parameters: IDataObject) =>
		await runNode({ node: new node(), parameters, credential: store });
	const askedOf = (end: string) => front.asked.filter(({ path }) => path.endsWith(end));
	return {
		get service() {
			return service;
		},
		get fixture() {
			return fixture;
		},
		/** A credential for what stands between, which a test's runs share, and with it the token. */
		get store() {
			return store;
		},
		front,
		run,
		/** The parameters for one company, by its place in the listing. */
		one: (index: number) => ({
			companyScope: 'one',
			company: { __rl: true, mode: 'id', value: fixture.company(index).id },
		}),
		askedOf,
	};
}

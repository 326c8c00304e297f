/** Opens lists beside the contract, at deployments that have them or have not. */
import type { IDataObject } from 'n8n-workflow';
import { callListSearch, callLoadOptions, type CredentialStore } from '../n8n-core';
import { closeOdd, type NodeClass } from '../n8n-core/nodeFixture';

/** Before and after each test of a file: no chance in times between tries, no deployment left running. */
export function useDeployments(): void {
	beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
	afterEach(() => {
		jest.restoreAllMocks();
		closeOdd();
	});
}

const OWN = { companyScope: 'own' };
export const FOR_ONE = { companyScope: 'one', company: { mode: 'id', value: 'customer-1' } };

export async function search(
	node: NodeClass,
	method: string,
	store: CredentialStore,
	more: { filter?: string; parameters?: IDataObject; paginationToken?: string } = {},
) {
	return await callListSearch({ node: new node(), credential: store, method, parameters: OWN, ...more });
}
export const found = async (...args: Parameters<typeof search>) =>
	(await search(...args)).results.map(({ name, value }) => [name, value]);
export const loaded = async (
	node: NodeClass,
	method: string,
	credential: CredentialStore,
	parameters: IDataObject = OWN,
) =>
	(await callLoadOptions({ node: new node(), credential, method, parameters })).map(({ name, value }) => [name, value]);

export const typeIt = (plural: string) => [
	`This platform does not list its ${plural}: choose 'By ID' and enter it`,
	'',
];

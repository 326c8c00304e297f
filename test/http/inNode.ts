/** The HTTP client in a node's own context, for tests of what is built on it. */
import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { Service } from '../../nodes/core/http/client';
import { SecurityAwarenessAccount } from '../../nodes/Account/SecurityAwarenessAccount.node';
import { runNode, type CredentialStore } from '../n8n-core';

/**
 * Runs a node that does nothing but `use` the client.
 * @param signal presses Stop; n8n then ends the run with an error of its own, which does not matter here
 * @returns what `use` gave, or what it threw
 */
export async function inNode<T>(
	credential: CredentialStore,
	use: (service: Service) => Promise<T>,
	signal?: AbortSignal,
): Promise<unknown> {
	const outcomes: unknown[] = [];
	const node: INodeType = {
		description: new SecurityAwarenessAccount().description,
		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			const used = use(await Service.open(this));
			outcomes.push(await used.catch((error: unknown) => error));
			return [[]];
		},
	};
	await runNode({ node, parameters: {}, credential, ...(signal ? { signal } : {}) }).catch(() => undefined);
	expect(outcomes).toHaveLength(1);
	return outcomes[0];
}

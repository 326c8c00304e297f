/** Runs the HTTP client inside a node's own context, for tests of code that uses the client. */
import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { HttpClient } from '../../nodes/core/http/client';
import { SecurityAwarenessAccount } from '../../nodes/Account/SecurityAwarenessAccount.node';
import { runNode, type CredentialStore } from '../n8n-core';

/**
 * Runs a node that does nothing but call `useClient`.
 * @param signal presses Stop when it is aborted. n8n then ends the run with its own error, which is ignored here.
 * @returns the result of `useClient`, or the error that it threw
 */
export async function runWithClient<T>(
	credential: CredentialStore,
	useClient: (client: HttpClient) => Promise<T>,
	signal?: AbortSignal,
): Promise<unknown> {
	const results: unknown[] = [];
	const node: INodeType = {
		description: new SecurityAwarenessAccount().description,
		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			const client = await HttpClient.open(this);
			results.push(await useClient(client).catch((error: unknown) => error));
			return [[]];
		},
	};
	const stop = signal ? { signal } : {};
	await runNode({ node, parameters: {}, credential, ...stop }).catch(() => undefined);
	expect(results).toHaveLength(1);
	return results[0];
}

/** Runs the HTTP client inside a node, for tests of code that uses the client. */
import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { HttpClient } from '../../nodes/core/http/client';
import { SecurityAwarenessAccount } from '../../nodes/Account/SecurityAwarenessAccount.node';
import { runNode, type CredentialStore } from '../n8n-core';

/**
 * Runs a node that only calls `useClient`.
 * @param signal stops the run when it is aborted, like the Stop button. n8n then throws an error, which this function ignores.
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
	const stopOptions = signal ? { signal } : {};
	await runNode({ node, parameters: {}, credential, ...stopOptions }).catch(() => undefined);
	expect(results).toHaveLength(1);
	return results[0];
}

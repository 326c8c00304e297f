import { InvalidInputError, READ_ONLY_CREDENTIAL, RequestError } from '../http/errors';
import { checkAgentRight, isAiTool } from './aiTool';
import type { Run } from './openRun';

/**
 * Checks that the operation may run. If it runs for an AI agent, the agent must have the right. If it changes data:
 * - 'Retry On Fail' must be off, because n8n would run the whole node again after a failure (n8n 17);
 * - the credential must allow more than reading.
 * @throws InvalidInputError, RequestError
 */
export async function checkMayRun({ context, client, resource, operation }: Run): Promise<void> {
	const node = context.getNode();
	if (!operation.isReadOnly && node.retryOnFail === true)
		throw new InvalidInputError(
			'must be off for an operation that changes data',
			['Retry On Fail'],
			"Nothing was sent. With this setting, n8n runs the whole node again after a failure, which would repeat changes that were already made. Turn off 'Retry On Fail' in the node's settings. The node itself already retries every request that is safe to repeat.",
		);
	if (isAiTool(context)) await checkAgentRight(node, resource, operation, async () => (await client).agentLevel);
	// The HTTP client checks this too, but only when it sends the write. By then, names would have been looked up for nothing.
	if (!operation.isReadOnly && (await client).allowsOnlyReads) throw new RequestError(READ_ONLY_CREDENTIAL);
}

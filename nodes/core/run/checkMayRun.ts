import type { IExecuteFunctions } from 'n8n-workflow';

import { InvalidInput, READ_ONLY, ServiceError } from '../http/errors';
import { checkAgentRight, isTool } from './aiTool';
import type { Run } from './openRun';
import type { Operation } from '../operation/defineOperation';

/** The entry that n8n itself adds to Resource and Operation. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** Finds the operation, which is the same for all items. @returns an error if the node has no such operation */
export function findOperation(context: IExecuteFunctions, operations: readonly Operation[]): Operation | InvalidInput {
	const [resource, value] = ['resource', 'operation'].map((name) => context.getNodeParameter(name, 0, ''));
	if ([resource, value].includes(CUSTOM_API_CALL))
		return new InvalidInput(
			"cannot be 'Custom API Call'",
			['Operation'],
			"Choose an operation from the list. For a request that is not among them, use n8n's HTTP Request node with this credential: under 'Authentication' choose 'Predefined Credential Type', then 'Security Awareness OAuth2 API'.",
		);
	const operation = operations.find((each) => each.value === value);
	return operation ?? new InvalidInput('is not one of this node', ['Operation'], 'Choose an operation from the list.');
}

/**
 * Checks that an operation may run: a write needs 'Retry On Fail' off, because n8n would run the whole node again after a failure
 * (n8n-facts 17), and a credential that allows more than reading; a tool of an AI agent needs the right to run it.
 * @throws InvalidInput, ServiceError
 */
export async function checkMayRun({ context, service }: Run, operation: Operation): Promise<void> {
	const node = context.getNode();
	if (!operation.reads && node.retryOnFail === true)
		throw new InvalidInput(
			'must be off for an operation that changes something',
			['Retry On Fail'],
			"Nothing was sent. With this setting n8n runs the whole node again after a failure, so changes that were already made would be made twice. Turn off 'Retry On Fail' in the node's settings. The node itself already retries every request that is safe to repeat.",
		);
	if (isTool(context)) await checkAgentRight(node, operation, async () => (await service).agentsMay);
	// Checked before names are looked up, because lookups would be wasted on a write that is refused.
	if (!operation.reads && (await service).isReadOnly) throw new ServiceError(READ_ONLY);
}

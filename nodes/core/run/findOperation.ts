import type { IExecuteFunctions } from 'n8n-workflow';

import { InvalidInputError } from '../http/errors';
import type { Operation } from '../operation/defineOperation';
import type { NodeResource } from '../operation/nodeResource';

/** The value of the option 'Custom API Call', which n8n itself adds to the fields 'Resource' and 'Operation'. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** The operation that a run executes, and its resource. Both together identify it. */
export interface SelectedOperation {
	/** The value of the resource: "campaignJob". */
	resource: string;
	operation: Operation;
}

/** Finds the selected operation, which is the same for all items. @returns an error if the node has no such operation */
export function findOperation(
	context: IExecuteFunctions,
	resources: readonly NodeResource[],
): SelectedOperation | InvalidInputError {
	const resourceValue = context.getNodeParameter('resource', 0, '');
	const operationValue = context.getNodeParameter('operation', 0, '');
	if (resourceValue === CUSTOM_API_CALL || operationValue === CUSTOM_API_CALL)
		return new InvalidInputError(
			"cannot be 'Custom API Call'",
			['Operation'],
			"Select an operation from the list. For any other request, use n8n's HTTP Request node with this credential: in 'Authentication', select 'Predefined Credential Type', and then 'Security Awareness OAuth2 API'.",
		);
	const selectedResource = resources.find(({ value }) => value === resourceValue);
	if (!selectedResource)
		return new InvalidInputError("isn't one of this node", ['Resource'], 'Select a resource from the list.');
	const operation = selectedResource.operations.find(({ value }) => value === operationValue);
	if (operation) return { resource: selectedResource.value, operation };
	return new InvalidInputError(
		`isn't one of the resource '${selectedResource.name}'`,
		['Operation'],
		'Select an operation from the list.',
	);
}
